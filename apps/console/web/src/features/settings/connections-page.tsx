import { Alert, Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { summarizeScopes } from './scope-words.ts'
import { t } from './texts.ts'

type Connection = Awaited<ReturnType<typeof settings.connections.list>>['items'][number]

const connectionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['connections', page],
    queryFn: ({ signal }) => settings.connections.list({ query: { page, pageSize: 50 }, signal }),
  })

/** The AI clients that people connected: the person's own, or everybody's for administrators. */
export function ConnectionsPage() {
  const [page, setPage] = useState(1)
  const { may, scopes } = useSession()
  const [asked, setAsked] = useState<Connection | null>(null)
  const [limited, setLimited] = useState<Connection | null>(null)
  const connections = useQuery(connectionsQuery(page))
  const seesAll = may('MANAGE_API_KEYS')
  return (
    <Page
      title={t('AI clients')}
      note={
        seesAll
          ? t('AI clients that people connected. Each acts as the person, with only the rights that they ticked.')
          : t('AI clients that you connected. Each acts as you, with only the rights that you ticked.')
      }
    >
      <ServerAddress />
      <TablePanel
        label={t('AI clients')}
        reading={connections}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title={t('No connections')}>
            {t('Add the address above to an AI client, and sign in when it asks you to.')}
          </EmptyState>
        }
        columns={[
          { label: t('Client'), cell: ({ name }) => <RowTitle>{name}</RowTitle> },
          seesAll && { label: t('Person'), cell: ({ employeeName }) => employeeName },
          {
            label: t('Rights'),
            isExtra: true,
            cell: (connection) => (
              <span title={connection.scopes.join(', ')}>{summarizeScopes(connection.scopes, scopes.allScopes)}</span>
            ),
          },
          { label: t('Connected'), isExtra: true, cell: ({ connectedAt }) => <Age at={connectedAt} /> },
          {
            label: t('Last used'),
            isExtra: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={(connection) => (
          <>
            <RowButton verb={t('Limits')} name={connection.name} onClick={() => setLimited(connection)} />
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={t('Disconnect {name} of {employeeName}', {
                name: connection.name,
                employeeName: connection.employeeName,
              })}
              onClick={() => setAsked(connection)}
            >
              {t('Disconnect')}
            </Button>
          </>
        )}
      />
      {limited && (
        <LimitsDialog
          held={limited}
          queryKey="connections"
          save={(body) => {
            const { clientId, employeeId } = limited
            return settings.connections.update({ params: { clientId }, query: { employeeId }, body })
          }}
          onClose={() => setLimited(null)}
        />
      )}
      <DisconnectDialog connection={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

function ServerAddress() {
  const address = `${window.location.origin}/api/mcp`
  return (
    <Panel
      title={t('Connect an AI client')}
      note={t('Claude, ChatGPT, Cursor, VS Code and others take this address as that of an MCP server.')}
    >
      <code>{address}</code> <CopyButton text={address} size="xs" label={t('Copy link')} />
      {window.isSecureContext ? null : (
        <Alert color="yellow" mt="sm">
          {t('Most AI clients sign in only at an address that begins with https. At this one they can use an API key.')}
        </Alert>
      )}
    </Panel>
  )
}

function DisconnectDialog({ connection, onClose }: { readonly connection: Connection | null; onClose(): void }) {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: ({ clientId, employeeId }: Connection) =>
      settings.connections.delete({ params: { clientId }, query: { employeeId } }),
    onSuccess: () => {
      notify(t('Client disconnected'))
      onClose()
      return client.invalidateQueries({ queryKey: ['connections'] })
    },
  })
  return (
    <ConfirmDialog
      opened={connection !== null}
      onClose={onClose}
      title={t('Disconnect this client?')}
      confirm={t('Disconnect')}
      isDestructive
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => connection !== null && disconnect.mutate(connection)}
    >
      {t.rich(
        '<b>{name}</b> is refused from now on. To use it again, {employeeName} has to connect it from the start.',
        {
          name: connection?.name ?? '',
          employeeName: connection?.employeeName ?? '',
          b: (text) => <b>{text}</b>,
        },
      )}
    </ConfirmDialog>
  )
}
