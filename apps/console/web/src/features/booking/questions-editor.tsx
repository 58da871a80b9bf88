import { ActionIcon, Button, Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { Icon } from '../../shell/icons.tsx'
import classes from './booking.module.css'
import { movedBy, newQuestion, questionsMax, type Question, type QuestionProblem } from './questions.ts'
import { t } from './texts.ts'

const typeNames = {
  TEXT: t('Short text'),
  LONG_TEXT: t('Long text'),
  SELECT: t('Choice'),
  CHECKBOX: t('Checkbox'),
} as const satisfies Readonly<Record<Question['type'], string>>

const types = Object.keys(typeNames) as readonly Question['type'][]

interface QuestionsEditorProps {
  readonly questions: readonly Question[]
  readonly problems: readonly (QuestionProblem | undefined)[]
  onChange(questions: readonly Question[]): void
}

/** The questions that a link asks, in order. */
export function QuestionsEditor({ questions, problems, onChange }: QuestionsEditorProps) {
  const change = (at: number, part: Partial<Question>) =>
    onChange(questions.map((question, index) => (index === at ? { ...question, ...part } : question)))
  return (
    <div>
      {questions.map((question, at) => {
        const number = at + 1
        const problem = problems[at]
        return (
          <div key={at} className={classes.question} role="group" aria-label={t('Question {number}', { number })}>
            <div className={classes.questionFields}>
              <TextInput
                label={t('Question')}
                value={question.label}
                maxLength={200}
                dir="auto"
                error={problem?.label}
                onChange={(event) => change(at, { label: event.currentTarget.value })}
              />
              <NativeSelect
                label={t('Type')}
                value={question.type}
                data={types.map((value) => ({ value, label: typeNames[value] }))}
                onChange={(event) => {
                  const type = types.find((one) => one === event.currentTarget.value) ?? 'TEXT'
                  change(at, { type, options: type === 'SELECT' ? question.options : [] })
                }}
              />
            </div>
            {question.type === 'SELECT' && (
              <TagsInput
                label={t('Choices')}
                description={t('Press Enter after each choice.')}
                value={[...question.options]}
                maxTags={50}
                acceptValueOnBlur
                splitChars={[]}
                error={problem?.options}
                onChange={(options) => change(at, { options: options.map((one) => one.slice(0, 100)) })}
              />
            )}
            <div className={classes.questionActions}>
              <Checkbox
                label={t('Required')}
                checked={question.required}
                onChange={(event) => change(at, { required: event.currentTarget.checked })}
              />
              <ActionIcon
                aria-label={t('Move question {number} up', { number })}
                disabled={at === 0}
                onClick={() => onChange(movedBy(questions, at, -1))}
              >
                <Icon name="up" size={14} />
              </ActionIcon>
              <ActionIcon
                aria-label={t('Move question {number} down', { number })}
                disabled={at === questions.length - 1}
                onClick={() => onChange(movedBy(questions, at, 1))}
              >
                <Icon name="down" size={14} />
              </ActionIcon>
              <Button
                variant="subtle"
                color="red"
                size="xs"
                aria-label={t('Remove question {number}', { number })}
                onClick={() => onChange(questions.toSpliced(at, 1))}
              >
                {t('Remove')}
              </Button>
            </div>
          </div>
        )
      })}
      <Button
        variant="default"
        size="xs"
        mt="sm"
        disabled={questions.length >= questionsMax}
        onClick={() => onChange([...questions, newQuestion])}
      >
        {t('Add question')}
      </Button>
    </div>
  )
}
