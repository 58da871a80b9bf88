import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { automationKey, runQuery, type RunInFull } from './automation-queries.ts'
import { runStateNames, runTones } from './automation-words.ts'
import { CodeBlock } from './code-block.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { HiddenNote } from './hidden-note.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/automation/runs/$id')

/** One run with the input and output of every step. */
export function RunPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(runQuery(id))
  if (data === undefined)
    return (
      <Page title={t('automation.run')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return <LoadedRun run={data} />
}

function LoadedRun({ run }: { readonly run: RunInFull }) {
  const instant = (at: string | null) => (at === null ? null : describeInstant(at))
  return (
    <Page
      title={t('automation.runOfWorkflowname', { workflowName: run.workflowName })}
      above={
        <Link to="/automation/workflows/$id" params={{ id: run.workflowId }}>
          {run.workflowName}
        </Link>
      }
      note={<Pill tone={runTones[run.state]}>{runStateNames[run.state]}</Pill>}
      actions={<Actions run={run} />}
    >
      <Panel title={t('automation.run')}>
        <Facts
          facts={[
            [t('automation.queued'), instant(run.createdAt)],
            [t('automation.started'), instant(run.startedAt)],
            [t('automation.finished'), instant(run.finishedAt)],
            [t('automation.version'), run.version],
            [t('automation.error2'), run.failureCode],
            [t('common.reason'), run.failureMessage],
          ]}
        />
      </Panel>
      <Panel title={t('automation.triggerData')}>
        {run.isHidden ? <HiddenNote /> : <CodeBlock label={t('automation.triggerData')} value={run.trigger} />}
      </Panel>
      <Panel title={t('automation.steps')}>
        {run.steps.length === 0 && <EmptyState title={t('automation.noStepHasBegun')} />}
        <Stack>
          {run.steps.map((step) => (
            <section key={step.position} aria-label={t('automation.stepKey', { key: step.key })}>
              <Group justify="space-between">
                <b>{step.key}</b>
                <Pill tone={runTones[step.state]}>{runStateNames[step.state]}</Pill>
              </Group>
              {step.failureMessage !== null && <p role="note">{`${step.failureCode ?? ''}: ${step.failureMessage}`}</p>}
              {!run.isHidden && (
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                  <CodeBlock label={t('automation.inputOfKey', { key: step.key })} value={step.input} />
                  <CodeBlock label={t('automation.outputOfKey', { key: step.key })} value={step.output} />
                </SimpleGrid>
              )}
            </section>
          ))}
        </Stack>
      </Panel>
      <DeliveriesPanel of={{ runId: run.id }} />
    </Page>
  )
}

function Actions({ run: { id, state } }: { readonly run: RunInFull }) {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: automationKey })
  const retry = useMutation({ mutationFn: () => settings.workflowRuns.retry({ params: { id } }), onSuccess })
  const cancel = useMutation({ mutationFn: () => settings.workflowRuns.cancel({ params: { id } }), onSuccess })
  return (
    <>
      <RefusalAlert error={retry.error ?? cancel.error} />
      {state === 'FAILED' && (
        <Button loading={retry.isPending} onClick={() => retry.mutate()}>
          {t('automation.retryFromTheFailedStep')}
        </Button>
      )}
      {['QUEUED', 'RUNNING', 'WAITING'].includes(state) && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('common.cancel')}
        </Button>
      )}
    </>
  )
}
