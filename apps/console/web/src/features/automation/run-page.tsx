import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { Facts } from '../../shell/facts.tsx'
import { notifyRefusal } from '../../shell/notices.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { Advanced } from './advanced.tsx'
import { automationKey, runQuery, versionQuery, workflowQuery, type RunInFull } from './automation-queries.ts'
import { failureNames, runStateNames, runTones } from './automation-words.ts'
import classes from './automation.module.css'
import { CodeBlock } from './code-block.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { draftOf } from './drafts.ts'
import { Summary } from './editor.tsx'
import { FlowView } from './flow-view.tsx'
import { HiddenNote } from './hidden-note.tsx'
import { looksOf } from './run-look.ts'
import { stepAt, triggerPlace, type Place, type WorkflowDraft } from './steps.ts'
import { stepName, summaryOf, triggerName, wordsOf } from './summary.ts'
import { useWords } from './use-words.ts'
import { t } from './texts.ts'

const route = getRouteApi('/console/automation/runs/$id')

/** One run, with what it did at each step of its workflow. */
export function RunPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(runQuery(id))
  if (data === undefined)
    return (
      <Page title={t('Run')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return <LoadedRun run={data} />
}

function LoadedRun({ run }: { readonly run: RunInFull }) {
  const { data: workflow } = useQuery(workflowQuery(run.workflowId))
  const newest = workflow?.publishedVersion ?? run.version
  const version = useQuery({
    ...versionQuery(run.workflowId, run.version, newest),
    enabled: workflow !== undefined,
  })
  const draft = version.data ? draftOf(version.data) : undefined
  return (
    <Page
      wide
      title={t('Run of {workflowName}', { workflowName: run.workflowName })}
      above={
        <BackLink to="/automation/$id" params={{ id: run.workflowId }} search={{ tab: 'runs' }}>
          {run.workflowName}
        </BackLink>
      }
      note={<Pill tone={runTones[run.state]}>{runStateNames[run.state]}</Pill>}
      actions={<Actions run={run} />}
    >
      {draft === undefined ? <LoadingLines /> : <RunFlow run={run} draft={draft} />}
      <DeliveriesPanel of={{ runId: run.id }} />
    </Page>
  )
}

interface RunFlowProps {
  readonly run: RunInFull
  readonly draft: WorkflowDraft
}

function RunFlow({ run, draft }: RunFlowProps) {
  const failed = run.steps.find(({ state }) => state === 'FAILED')
  const [selected, setSelected] = useState<Place>(failed?.position ?? triggerPlace)
  const words = wordsOf(draft, useWords([draft]), run.trigger)
  const step = selected === triggerPlace ? undefined : stepAt(draft.steps, selected)
  return (
    <>
      <Summary text={summaryOf(draft, words)} />
      <FlowView
        trigger={draft.trigger}
        steps={draft.steps}
        words={words}
        selected={selected}
        wrong={new Set()}
        looks={looksOf(run, draft.steps)}
        onSelect={setSelected}
        panel={
          <div className={classes.side}>
            {step === undefined ? (
              <TriggerFacts run={run} title={triggerName(draft.trigger, words.kinds)} />
            ) : (
              <StepFacts run={run} position={selected} title={stepName(step, words)} />
            )}
          </div>
        }
      />
    </>
  )
}

const instant = (at: string | null) => (at === null ? null : describeInstant(at))

function TriggerFacts({ run, title }: { readonly run: RunInFull; readonly title: string }) {
  return (
    <Panel title={title}>
      <Stack gap="sm">
        <Facts
          facts={[
            [t('Queued'), instant(run.createdAt)],
            [t('Started'), instant(run.startedAt)],
            [t('Finished'), instant(run.finishedAt)],
            [t('Version'), run.version],
            ...(run.failureCode === null ? [] : [[t('Error'), failureNames[run.failureCode]] as const]),
            ...(run.failureMessage === null ? [] : [[t('Reason'), run.failureMessage] as const]),
          ]}
        />
        {run.isHidden ? (
          <HiddenNote />
        ) : (
          <Advanced>
            <CodeBlock label={t('Trigger data')} value={run.trigger} />
          </Advanced>
        )}
      </Stack>
    </Panel>
  )
}

interface StepFactsProps {
  readonly run: RunInFull
  readonly position: string
  readonly title: string
}

function StepFacts({ run, position, title }: StepFactsProps) {
  const done = run.steps.find((step) => step.position === position)
  if (done === undefined)
    return (
      <Panel title={title}>
        <p>{t('Not reached')}</p>
      </Panel>
    )
  return (
    <Panel title={title}>
      <Stack gap="sm">
        <Facts
          facts={[
            [t('Started'), instant(done.startedAt)],
            [t('Finished'), instant(done.finishedAt)],
            ...(done.failureMessage === null ? [] : [[t('Reason'), done.failureMessage] as const]),
            ...done.warnings.map((warning) => [t('Worth a look'), warning] as const),
          ]}
        />
        {run.isHidden ? (
          <HiddenNote />
        ) : (
          <Advanced>
            <SimpleGrid cols={1} spacing="sm">
              <CodeBlock label={t('Input')} value={done.input} />
              <CodeBlock label={t('Output')} value={done.output} />
            </SimpleGrid>
          </Advanced>
        )}
      </Stack>
    </Panel>
  )
}

function Actions({ run: { id, state } }: { readonly run: RunInFull }) {
  const client = useQueryClient()
  const shared = {
    onSuccess: () => client.invalidateQueries({ queryKey: automationKey }),
    onError: notifyRefusal,
  }
  const retry = useMutation({ mutationFn: () => settings.workflowRuns.retry({ params: { id } }), ...shared })
  const cancel = useMutation({ mutationFn: () => settings.workflowRuns.cancel({ params: { id } }), ...shared })
  return (
    <>
      {state === 'FAILED' && (
        <Button loading={retry.isPending} onClick={() => retry.mutate()}>
          {t('Retry')}
        </Button>
      )}
      {['QUEUED', 'RUNNING', 'WAITING'].includes(state) && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('Stop run')}
        </Button>
      )}
    </>
  )
}
