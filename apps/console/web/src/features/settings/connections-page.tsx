import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { summarizeScopes } from './scope-words.ts'

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
  const connections = useQuery(connectionsQuery(page))
  const seesAll = may('MANAGE_API_KEYS')
  return (
    <Page
      title="AI clients"
      note={
        seesAll
          ? 'AI clients that people connected. Each acts as the person, with only the rights that they ticked.'
          : 'AI clients that you connected. Each acts as you, with only the rights that you ticked.'
      }
    >
      <ServerAddress />
      <TablePanel
        label="Connections"
        reading={connections}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title="No connections">
            Add the address above to an AI client, and sign in when it asks you to.
          </EmptyState>
        }
        columns={[
          { label: 'Client', cell: ({ name }) => <RowTitle>{name}</RowTitle> },
          seesAll && { label: 'Person', cell: ({ employeeName }) => employeeName },
          {
            label: 'Rights',
            isExtra: true,
            cell: (connection) => (
              <span title={connection.scopes.join(', ')}>{summarizeScopes(connection.scopes, scopes.allScopes)}</span>
            ),
          },
          { label: 'Connected', isExtra: true, cell: ({ connectedAt }) => <Age at={connectedAt} /> },
          {
            label: 'Last used',
            isExtra: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Age at={lastUsedAt} />),
          },
        ]}
        actions={(connection) => (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            aria-label={`Disconnect ${connection.name} of ${connection.employeeName}`}
            onClick={() => setAsked(connection)}
          >
            Disconnect
          </Button>
        )}
      />
      <DisconnectDialog connection={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

function ServerAddress() {
  const address = `${window.location.origin}/api/mcp`
  return (
    <Panel
      title="Connect a client"
      note="Claude, ChatGPT, Cursor, VS Code and others take this address as that of an MCP server."
    >
      <code>{address}</code> <CopyButton text={address} size="xs" label="Copy the address" />
    </Panel>
  )
}

function DisconnectDialog({ connection, onClose }: { readonly connection: Connection | null; onClose(): void }) {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: ({ clientId, employeeId }: Connection) =>
      settings.connections.delete({ params: { clientId }, query: { employeeId } }),
    onSuccess: () => {
      notify('The client was disconnected')
      onClose()
      return client.invalidateQueries({ queryKey: ['connections'] })
    },
  })
  return (
    <ConfirmDialog
      opened={connection !== null}
      onClose={onClose}
      title="Disconnect this client?"
      confirm="Disconnect"
      isDestructive
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => connection !== null && disconnect.mutate(connection)}
    >
      <b>{connection?.name}</b> is refused from now on. To use it again, {connection?.employeeName} has to connect it
      from the start.
    </ConfirmDialog>
  )
}
