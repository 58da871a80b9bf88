import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { automationKey, lastRequestQuery, workflowQuery, type Workflow } from './automation-queries.ts'
import { workflowStateNames, workflowTones } from './automation-words.ts'
import classes from './automation.module.css'
import { HookPanel } from './hook-panel.tsx'
import { PublishDialog, type Published } from './publish-dialog.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { StepsEditor } from './steps-editor.tsx'
import { TestPanel } from './test-panel.tsx'
import { TriggerFields } from './trigger-fields.tsx'
import { VersionsPanel } from './versions-panel.tsx'
import { keysOf, triggerVariables, type WorkflowDraft } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/automation/workflows/$id')

/** One workflow: its builder, its runs, its calls. */
export function WorkflowPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(workflowQuery(id))
  if (data === undefined)
    return (
      <Page title={t('automation.workflow')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return <LoadedWorkflow key={id} workflow={data} />
}

const views = {
  build: t('automation.build'),
  runs: t('automation.runs'),
  versions: t('automation.versions'),
  calls: t('automation.calls'),
  test: t('automation.test'),
} as const
type View = keyof typeof views

function LoadedWorkflow({ workflow }: { readonly workflow: Workflow }) {
  const [view, setView] = useState<View>('build')
  const isWebhook = workflow.trigger['type'] === 'WEBHOOK'
  const shown = (Object.keys(views) as View[]).filter((name) => name !== 'calls' || isWebhook)
  return (
    <Page
      title={workflow.name}
      above={
        <Link to="/automation/workflows" search={{}}>
          {t('automation.workflows')}
        </Link>
      }
      note={
        <Group gap="sm">
          <Pill tone={workflowTones[workflow.status]}>{workflowStateNames[workflow.status]}</Pill>
          {workflow.publishedVersion !== null && (
            <span>{t('automation.versionPublishedversion', { publishedVersion: workflow.publishedVersion })}</span>
          )}
        </Group>
      }
      actions={<Actions workflow={workflow} />}
    >
      <div className={classes.tabs} role="group" aria-label={t('automation.view')}>
        {shown.map((name) => (
          <Button
            key={name}
            size="xs"
            variant={view === name ? 'filled' : 'default'}
            aria-pressed={view === name}
            onClick={() => setView(name)}
          >
            {views[name]}
          </Button>
        ))}
      </div>
      {view === 'build' && <Builder workflow={workflow} />}
      {view === 'runs' && <RunsPanel workflowId={workflow.id} />}
      {view === 'versions' && <VersionsPanel workflowId={workflow.id} />}
      {view === 'calls' && <HookPanel workflow={workflow} />}
      {view === 'test' && <TestPanel workflowId={workflow.id} />}
    </Page>
  )
}

function Actions({ workflow: { id, status, trigger } }: { readonly workflow: Workflow }) {
  const [published, setPublished] = useState<Published | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: automationKey })
  const params = { id }
  const publish = useMutation({
    mutationFn: () => settings.workflows.publish({ params }),
    onSuccess: ({ data }) => {
      setPublished(data)
      return refresh()
    },
  })
  const unpublish = useMutation({ mutationFn: () => settings.workflows.unpublish({ params }), onSuccess: refresh })
  const start = useMutation({
    mutationFn: () => settings.workflows.run({ params, body: {} }),
    onSuccess: () => {
      notify(t('automation.theWorkflowWasStarted'))
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => settings.workflows.delete({ params }),
    onSuccess: async () => {
      await navigate({ to: '/automation/workflows', search: {} })
      return refresh()
    },
  })
  return (
    <>
      <RefusalAlert error={publish.error ?? unpublish.error ?? start.error} />
      {status === 'PUBLISHED' && trigger['type'] === 'MANUAL' && (
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
          {t('common.start')}
        </Button>
      )}
      {status === 'PUBLISHED' && (
        <Button variant="default" loading={unpublish.isPending} onClick={() => unpublish.mutate()}>
          {t('automation.turnOff')}
        </Button>
      )}
      <Button loading={publish.isPending} onClick={() => publish.mutate()}>
        {status === 'PUBLISHED' ? t('automation.publishChanges') : t('automation.turnOn')}
      </Button>
      <Button variant="subtle" color="red" onClick={() => setDeleting(true)}>
        {t('common.delete')}
      </Button>
      <PublishDialog published={published} onClose={() => setPublished(null)} />
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('automation.deleteThisWorkflow')}
        confirm={t('common.delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('automation.itsRunsAndTheirHistory')}
      </ConfirmDialog>
    </>
  )
}

function Builder({ workflow }: { readonly workflow: Workflow }) {
  const [draft, setDraft] = useState<WorkflowDraft>(
    () => ({ name: workflow.name, trigger: workflow.trigger, steps: workflow.steps }) as unknown as WorkflowDraft,
  )
  const { data: last } = useQuery({ ...lastRequestQuery(workflow.id), enabled: draft.trigger.type === 'WEBHOOK' })
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      settings.workflows.update({
        params: { id: workflow.id },
        body: { name: draft.name, trigger: draft.trigger, steps: [...draft.steps] },
      }),
    onSuccess: () => {
      notify(
        workflow.status === 'PUBLISHED' ? t('automation.savedPublishAgainToPut') : t('automation.theWorkflowWasSaved'),
      )
      return client.invalidateQueries({ queryKey: automationKey })
    },
  })
  const errors = fieldErrors(save.error)
  const isInvalid = isRefusedWith(save.error, 'VALIDATION_ERROR')
  return (
    <Stack>
      {workflow.warnings.length > 0 && (
        <Alert color="yellow" title={t('automation.needsAttention')}>
          {workflow.warnings.map(({ path, message }) => (
            <div key={`${path.join('.')} ${message}`}>{`${path.join(' › ')}: ${message}`}</div>
          ))}
        </Alert>
      )}
      <Panel title={t('automation.trigger')}>
        <Stack gap="sm">
          <TextInput
            label={t('common.name')}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            error={errors['name']}
            maxLength={200}
            autoComplete="off"
          />
          <TriggerFields
            trigger={draft.trigger}
            errors={errors}
            onChange={(trigger) => setDraft({ ...draft, trigger })}
          />
        </Stack>
      </Panel>
      <Panel title={t('automation.steps')}>
        <StepsEditor
          steps={draft.steps}
          taken={keysOf(draft.steps)}
          variables={triggerVariables(draft.trigger, last?.body)}
          errors={errors}
          path="steps"
          label={t('automation.steps')}
          onChange={(steps) => setDraft({ ...draft, steps })}
        />
      </Panel>
      {isInvalid ? (
        <Alert color="red" role="alert">
          {t('automation.notSavedValue', {
            value: Object.entries(errors)
              .map(([at, message]) => `${at}: ${message}`)
              .join('; '),
          })}
        </Alert>
      ) : (
        <RefusalAlert error={save.error} />
      )}
      <Group justify="flex-end">
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('common.save')}
        </Button>
      </Group>
    </Stack>
  )
}
