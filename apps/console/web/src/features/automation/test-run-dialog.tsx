import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { eventTypes } from '../../base/contract.built.ts'
import { FieldControl } from '../../records/field-control.tsx'
import { anyRecordQuery, foundRecordsQuery, type AnyRecord } from '../../records/record-calls.ts'
import type { Kind } from '../../records/record-kinds.ts'
import { Facts } from '../../shell/facts.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from './texts.ts'
import { Advanced } from './advanced.tsx'
import classes from './automation.module.css'
import { automationKey } from './automation-queries.ts'
import { subjectTypeOf } from './events.ts'
import { looseReference } from './loose-reference.ts'
import { plannedFacts, plannedProblem, plannedStep, testData, type PlannedStep } from './planned.ts'
import { stepAt, type WorkflowDraft } from './steps.ts'
import { stepName, wordsOf } from './summary.ts'
import { useWords } from './use-words.ts'
import { Dialog } from '../../shell/dialog.tsx'

interface TestRunDialogProps {
  readonly workflowId: string
  /** The saved workflow. */
  readonly draft: WorkflowDraft
  onClose(): void
}

/** Shows what a workflow would do for a record. It changes, sends and waits for nothing. */
export function TestRunDialog({ workflowId, draft, onClose }: TestRunDialogProps) {
  const { trigger } = draft
  const around = useWords([draft])
  const entityType = trigger.type === 'EVENT' ? subjectTypeOf(trigger.event) : null
  const kind = around.kinds.find(({ key }) => key === entityType)
  return (
    <Dialog opened onClose={onClose} title={t('Test run')} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {t('Nothing is created, changed or sent.')}
        </Text>
        {kind === undefined ? (
          <WithData workflowId={workflowId} draft={draft} />
        ) : (
          <WithRecord workflowId={workflowId} draft={draft} kind={kind} />
        )}
      </Stack>
    </Dialog>
  )
}

type WithProps = Omit<TestRunDialogProps, 'onClose'>

/** Runs the test for a record: the first one of its list, until another one is chosen. */
function WithRecord({ workflowId, draft, kind }: WithProps & { readonly kind: Kind }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const first = useQuery(foundRecordsQuery(kind.key, ''))
  const id = chosen ?? first.data?.items[0]?.id ?? null
  const record = useQuery({ ...anyRecordQuery(kind.key, id ?? ''), enabled: id !== null })
  const isKnown = first.data !== undefined && (id === null || record.data !== undefined)
  const field = looseReference(t('Record'), kind.key)
  return (
    <>
      <FieldControl
        field={field}
        kind={kind}
        draft={id}
        onChange={(next) => setChosen(typeof next === 'string' ? next : null)}
      />
      {first.data !== undefined && id === null && (
        <Text size="sm">{t('There are no {plural} yet, so the data is empty.', { plural: kind.plural })}</Text>
      )}
      <RefusalAlert error={first.error ?? record.error} />
      {isKnown && <Result workflowId={workflowId} draft={draft} record={record.data} />}
    </>
  )
}

/** Runs the test for the last call of a webhook, or for data that is typed. */
function WithData(props: WithProps) {
  const [text, setText] = useState('')
  const [data, setData] = useState<unknown>(undefined)
  const [isWrong, setWrong] = useState(false)
  const { trigger } = props.draft
  const run = () => {
    try {
      setData(text.trim() === '' ? undefined : (JSON.parse(text) as unknown))
      setWrong(false)
    } catch {
      setWrong(true)
    }
  }
  const isEvent = trigger.type === 'EVENT'
  return (
    <>
      {trigger.type === 'WEBHOOK' && <Text size="sm">{t('The test uses the data of the last call.')}</Text>}
      <Advanced>
        <Textarea
          label={t('Trigger data')}
          value={text}
          error={isWrong ? t('This is not valid JSON.') : undefined}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={run}>
            {t('Try it')}
          </Button>
        </Group>
      </Advanced>
      <Result {...props} record={undefined} data={data ?? (isEvent ? sampleOf(trigger.event) : undefined)} />
    </>
  )
}

/** Returns data without a record, for events whose records cannot be chosen here. */
function sampleOf(event: string): unknown {
  return { event, entityType: eventTypes[event], data: {} }
}

interface ResultProps extends WithProps {
  readonly record: AnyRecord | undefined
  readonly data?: unknown
}

function Result({ workflowId, draft, record, data: given }: ResultProps) {
  const data = given ?? testData(draft.trigger, record)
  const test = useQuery({
    queryKey: [...automationKey, 'test', workflowId, draft, data],
    queryFn: async ({ signal }) =>
      (
        await settings.workflows.test({
          params: { id: workflowId },
          body: data === undefined ? {} : { data },
          signal,
        })
      ).data,
    staleTime: 0,
  })
  const around = useWords([draft, { trigger: draft.trigger, steps: filled(test.data?.steps, draft) }])
  const words = wordsOf(draft, around, given)
  if (test.data === undefined)
    return (
      <>
        <RefusalAlert error={test.error} retry={() => void test.refetch()} />
        {test.error === null && <LoadingLines />}
      </>
    )
  return (
    <>
      {!test.data.starts && record !== undefined && (
        <Alert color="yellow">{t('The conditions do not hold for this record: the workflow would not start.')}</Alert>
      )}
      <ol className={classes.result} aria-label={t('Test result')}>
        {test.data.steps.map((planned) => {
          const step = stepAt(draft.steps, planned.position)
          if (step === undefined) return null
          const facts = plannedFacts(step, planned, words)
          const problem = plannedProblem(step, planned)
          return (
            <li key={planned.position} className={classes.resultStep}>
              <div className={classes.resultName}>{stepName(plannedStep(step, planned), words)}</div>
              {problem !== null && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {problem}
                </Text>
              )}
              {facts.length > 0 && <Facts facts={facts} />}
            </li>
          )
        })}
        {test.data.steps.length === 0 && <li className={classes.resultStep}>{t('There are no steps yet.')}</li>}
      </ol>
    </>
  )
}

function filled(steps: readonly PlannedStep[] | undefined, draft: WorkflowDraft): WorkflowDraft['steps'] {
  return (steps ?? []).flatMap((planned) => {
    const step = stepAt(draft.steps, planned.position)
    return step === undefined ? [] : [plannedStep(step, planned)]
  })
}
