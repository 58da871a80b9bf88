import { t } from './texts.ts'
import type { BookingLink } from './booking-queries.ts'

/** A question that a link asks its guests besides name and email. */
export type Question = BookingLink['questions'][number]

/** The most questions of a link. */
export const questionsMax = 10

export const newQuestion: Question = { label: '', type: 'TEXT', required: false, options: [] }

/** What is wrong with a question, by its control. */
export interface QuestionProblem {
  readonly label?: string
  readonly options?: string
}

/** Returns what is wrong with each question; nothing for one that can be asked. */
export function problemsOf(questions: readonly Question[]): readonly (QuestionProblem | undefined)[] {
  const labels = questions.map(({ label }) => label.trim())
  return questions.map(({ type, options }, at) => {
    const label = labels[at] ?? ''
    if (label === '') return { label: t('{label} is required.', { label: t('Question') }) }
    if (labels.indexOf(label) < at) return { label: t('This question is asked already.') }
    return type === 'SELECT' && options.length === 0 ? { options: t('Add at least one choice.') } : undefined
  })
}

/** Returns the questions with one of them a place earlier or later. */
export function movedBy(questions: readonly Question[], at: number, step: -1 | 1): readonly Question[] {
  const question = questions[at]
  return question === undefined ? questions : questions.toSpliced(at, 1).toSpliced(at + step, 0, question)
}
