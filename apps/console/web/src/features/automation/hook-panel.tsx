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
import { t } from './texts.ts'

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
      <Panel title={t('Address')}>
        <EmptyState title={t('No address yet')}>
          {t('The workflow gets an address and a secret when you turn it on for the first time.')}
        </EmptyState>
      </Panel>
    )
  return (
    <Panel
      title={t('Address')}
      note={t('Callers send the secret in the header x-api-key.')}
      actions={
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          {t('New secret')}
        </Button>
      }
    >
      <Stack gap="sm">
        <CodeBlock label={t('Address of the webhook')} value={url} />
        <Group>
          <CopyButton text={url} label={t('Copy link')} size="xs" />
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('Replace the secret?')}
        confirm={t('Replace')}
        isBusy={regenerate.isPending}
        error={regenerate.error}
        onConfirm={() => regenerate.mutate()}
      >
        {t('The address stays. Callers with the old secret are refused from now on.')}
      </ConfirmDialog>
      <PublishDialog published={secret === undefined ? null : { url, secret }} onClose={() => regenerate.reset()} />
    </Panel>
  )
}

function LastRequestPanel({ workflowId }: { readonly workflowId: string }) {
  const { data, error } = useQuery(lastRequestQuery(workflowId))
  return (
    <Panel title={t('Last call')}>
      <RefusalAlert error={error} />
      {data === null && <EmptyState title={t('No calls yet')} />}
      {data && (
        <Stack gap="sm">
          <Facts
            facts={[
              [t('Received'), <Age key="at" at={data.receivedAt} />],
              [t('Method'), data.method],
              ['Content-Type', data.contentType],
              [t('Size'), t('{sizeBytes, plural, one {# byte} other {# bytes}}', { sizeBytes: data.sizeBytes })],
            ]}
          />
          {data.isHidden ? (
            <HiddenNote />
          ) : (
            <Advanced>
              <CodeBlock label={t('Body of the last call')} value={data.raw} />
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
      title={t('Refused calls')}
      label={t('Refused calls')}
      reading={calls}
      page={page}
      onPage={setPage}
      empty={<EmptyState title={t('No call was refused')} />}
      columns={[
        { label: t('When'), cell: ({ at }) => <Age at={at} /> },
        { label: t('Reason'), cell: ({ reason }) => reason },
        {
          label: t('Size'),
          isExtra: true,
          cell: ({ sizeBytes }) =>
            sizeBytes === null ? '–' : t('{sizeBytes, plural, one {# byte} other {# bytes}}', { sizeBytes }),
        },
      ]}
    />
  )
}
