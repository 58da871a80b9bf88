import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { Advanced } from './advanced.tsx'
import { lastRequestQuery, refusedCallsQuery, type Workflow } from './automation-queries.ts'
import { CodeBlock } from './code-block.tsx'
import { HiddenNote } from './hidden-note.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { t } from '../../base/texts.ts'

/** The address of a webhook, its last call, and the calls that were refused. */
export function HookPanel({ workflow }: { readonly workflow: Workflow }) {
  return (
    <Stack>
      <AddressPanel workflow={workflow} />
      <LastRequestPanel workflowId={workflow.id} />
      <RefusedCallsPanel workflowId={workflow.id} />
    </Stack>
  )
}

function AddressPanel({ workflow: { id, url } }: { readonly workflow: Workflow }) {
  const [isAsking, setAsking] = useState(false)
  const regenerate = useMutation({
    mutationFn: () => settings.workflows.regenerateSecret({ params: { id } }),
    onSuccess: () => setAsking(false),
  })
  const secret = regenerate.data?.data.secret
  if (url === null)
    return (
      <Panel title={t('common.address')}>
        <EmptyState title={t('automation.noAddressYet')}>{t('automation.theFirstTimeItIs')}</EmptyState>
      </Panel>
    )
  return (
    <Panel
      title={t('common.address')}
      note={t('automation.callersSendTheSecretIn')}
      actions={
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('automation.newSecret')}
        </Button>
      }
    >
      <Stack gap="sm">
        <CodeBlock label={t('automation.addressOfTheWebhook')} value={url} />
        <Group>
          <CopyButton text={url} label={t('common.copyLink')} size="xs" />
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('automation.replaceTheSecret')}
        confirm={t('automation.replace')}
        isBusy={regenerate.isPending}
        error={regenerate.error}
        onConfirm={() => regenerate.mutate()}
      >
        {t('automation.theAddressStaysCallersWith')}
      </ConfirmDialog>
      <PublishDialog published={secret === undefined ? null : { url, secret }} onClose={() => regenerate.reset()} />
    </Panel>
  )
}

function LastRequestPanel({ workflowId }: { readonly workflowId: string }) {
  const { data, error } = useQuery(lastRequestQuery(workflowId))
  return (
    <Panel title={t('automation.lastCall')}>
      <RefusalAlert error={error} />
      {data === null && <EmptyState title={t('automation.noCallsYet')} />}
      {data && (
        <Stack gap="sm">
          <Facts
            facts={[
              [t('automation.received'), <Age key="at" at={data.receivedAt} />],
              [t('automation.method'), data.method],
              ['Content-Type', data.contentType],
              [t('automation.size'), t('automation.sizebytesBytes', { sizeBytes: data.sizeBytes })],
            ]}
          />
          {data.isHidden ? (
            <HiddenNote />
          ) : (
            <Advanced>
              <CodeBlock label={t('automation.bodyOfTheLastCall')} value={data.raw} />
            </Advanced>
          )}
        </Stack>
      )}
    </Panel>
  )
}

function RefusedCallsPanel({ workflowId }: { readonly workflowId: string }) {
  const [page, setPage] = useState(1)
  const calls = useQuery(refusedCallsQuery(workflowId, page))
  return (
    <TablePanel
      title={t('automation.refusedCalls')}
      label={t('automation.refusedCalls')}
      reading={calls}
      page={page}
      onPage={setPage}
      empty={<EmptyState title={t('automation.noCallWasRefused')} />}
      columns={[
        { label: t('common.when'), cell: ({ at }) => <Age at={at} /> },
        { label: t('common.reason'), cell: ({ reason }) => reason },
        {
          label: t('automation.size'),
          isExtra: true,
          cell: ({ sizeBytes }) => (sizeBytes === null ? '–' : t('automation.sizebytesBytes', { sizeBytes })),
        },
      ]}
    />
  )
}
