import { Button, Menu, Tabs, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { MoreActions } from '../../shell/more-actions.tsx'
import { useUnsaved } from '../../shell/leave-guard.tsx'
import { notify, notifyRefusal } from '../../shell/notices.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { useTab } from '../../records/use-tab.ts'
import { automationKey, workflowQuery, type Workflow } from './automation-queries.ts'
import { workflowStates, stateNames, stateTones } from './automation-words.ts'
import { Editor } from './editor.tsx'
import { HookPanel } from './hook-panel.tsx'
import { PublishDialog, type Published } from './publish-dialog.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { TestRunDialog } from './test-run-dialog.tsx'
import { useDraft, type DraftState } from './use-draft.ts'
import { VersionsPanel } from './versions-panel.tsx'
import { t } from './texts.ts'

const route = getRouteApi('/console/automation/$id')

/** One workflow: its editor, its runs, its versions, and the calls of its webhook. */
export function WorkflowPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(workflowQuery(id))
  if (data === undefined)
    return (
      <Page title={t('Workflow')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return <LoadedWorkflow key={id} workflow={data} />
}

function LoadedWorkflow({ workflow }: { readonly workflow: Workflow }) {
  const draft = useDraft(workflow)
  useUnsaved(() => draft.isChanged)
  const isWebhook = workflow.trigger['type'] === 'WEBHOOK'
  const tabs = ['editor', 'runs', 'versions', ...(isWebhook ? ['calls'] : [])] as const
  const [tab, setTab] = useTab(tabs)
  const state = workflowStates[workflow.status]
  return (
    <Page
      wide
      title={draft.now.name === '' ? t('Workflow') : draft.now.name}
      above={
        <BackLink to="/automation" search={{}}>
          {t('Automation')}
        </BackLink>
      }
      note={<Pill tone={stateTones[state]}>{stateNames[state]}</Pill>}
      actions={<Actions workflow={workflow} draft={draft} />}
    >
      <Tabs value={tab} onChange={(next) => next !== null && setTab(next)} keepMounted={false}>
        <Tabs.List aria-label={t('Workflow')} mb="md">
          <Tabs.Tab value="editor">{t('Editor')}</Tabs.Tab>
          <Tabs.Tab value="runs">{t('Runs')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('Versions')}</Tabs.Tab>
          {isWebhook && <Tabs.Tab value="calls">{t('Calls')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="editor">
          <Editor workflow={workflow} draft={draft} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <RunsPanel workflowId={workflow.id} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsPanel workflowId={workflow.id} />
        </Tabs.Panel>
        {isWebhook && (
          <Tabs.Panel value="calls">
            <HookPanel workflow={workflow} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  )
}

interface ActionsProps {
  readonly workflow: Workflow
  readonly draft: DraftState
}

function Actions({ workflow: { id, status, trigger }, draft }: ActionsProps) {
  const [published, setPublished] = useState<Published | null>(null)
  const [open, setOpen] = useState<'test' | 'name' | 'delete' | null>(null)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: automationKey })
  const params = { id }
  const isOn = status === 'PUBLISHED'
  const publish = useMutation({
    mutationFn: async () => {
      await draft.saved()
      return settings.workflows.publish({ params })
    },
    onSuccess: ({ data }) => {
      if (data.url === null) notify(isOn ? t('Changes published') : t('Workflow turned on'))
      else setPublished(data)
      return refresh()
    },
    onError: draft.reportUnlessShown,
  })
  const unpublish = useMutation({
    mutationFn: () => settings.workflows.unpublish({ params }),
    onSuccess: refresh,
    onError: notifyRefusal,
  })
  const start = useMutation({
    mutationFn: () => settings.workflows.run({ params, body: {} }),
    onSuccess: () => {
      notify(t('Workflow started'))
      return refresh()
    },
    onError: notifyRefusal,
  })
  const test = useMutation({
    mutationFn: () => draft.saved(),
    onSuccess: () => setOpen('test'),
    onError: draft.reportUnlessShown,
  })
  return (
    <>
      <MoreActions>
        {isOn && trigger['type'] === 'MANUAL' && (
          <Menu.Item disabled={start.isPending} onClick={() => start.mutate()}>
            {t('Start now')}
          </Menu.Item>
        )}
        {isOn && (
          <Menu.Item disabled={unpublish.isPending} onClick={() => unpublish.mutate()}>
            {t('Turn off')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setOpen('name')}>{t('Rename')}</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={() => setOpen('delete')}>
          {t('Delete')}
        </Menu.Item>
      </MoreActions>
      <Button
        variant="default"
        disabled={!draft.isChanged}
        loading={draft.isSaving && !publish.isPending && !test.isPending}
        onClick={() => void draft.save()}
      >
        {t('Save')}
      </Button>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t('Test run')}
      </Button>
      <Button loading={publish.isPending} onClick={() => publish.mutate()}>
        {isOn ? t('Publish changes') : t('Turn on')}
      </Button>
      <PublishDialog published={published} onClose={() => setPublished(null)} />
      {open === 'test' && <TestRunDialog workflowId={id} draft={draft.now} onClose={() => setOpen(null)} />}
      {open === 'name' && <NameDialog draft={draft} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog id={id} onClose={() => setOpen(null)} />}
    </>
  )
}

function NameDialog({ draft, onClose }: { readonly draft: DraftState; onClose(): void }) {
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Rename')}
      confirm={t('Save')}
      isBusy={draft.isSaving}
      error={null}
      onConfirm={() => void draft.save().then(onClose)}
    >
      <TextInput
        label={t('Name')}
        value={draft.now.name}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        error={draft.errors['name']}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
      />
    </ConfirmDialog>
  )
}

interface DeleteDialogProps {
  readonly id: string
  onClose(): void
}

function DeleteDialog({ id, onClose }: DeleteDialogProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => settings.workflows.delete({ params: { id } }),
    onSuccess: async () => {
      await navigate({ to: '/automation', search: {} })
      return client.invalidateQueries({ queryKey: automationKey })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Delete this workflow?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('Its runs and their history are deleted, and its address stops working. This cannot be undone.')}
    </ConfirmDialog>
  )
}
