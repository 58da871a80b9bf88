import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { Age } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { summarizeScopes } from './scope-words.ts'

type Connection = Awaited<ReturnType<typeof settings.connections.list>>['items'][number]

const connectionsQuery = (page: number) => queryOptions({
  queryKey: ['connections', page],
  queryFn: ({ signal }) => settings.connections.list({ query: { page, pageSize: 50 }, signal }),
})

/** The AI clients that people connected: one's own, for administrators everybody's. */
export function ConnectionsPage() {
  const [page, setPage] = useState(1)
  const { may } = useSession()
  const { data, error, refetch } = useQuery(connectionsQuery(page))
  const seesAll = may('MANAGE_API_KEYS')
  return (
    <Page title="Connections" note={seesAll ? 'AI clients that people connected. Each acts as the person, with only the rights that they ticked.' : 'AI clients that you connected. Each acts as you, with only the rights that you ticked.'}>
      <ServerAddress />
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the connections" /></div>}
          {data?.total === 0 && <EmptyState title="No connections">Add the address above to an AI client, and sign in when it asks you to.</EmptyState>}
          {data !== undefined && data.items.length > 0 && <ConnectionsTable connections={data.items} seesAll={seesAll} />}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
    </Page>
  )
}

function ServerAddress() {
  const address = `${window.location.origin}/api/mcp`
  return (
    <Panel title="Connect a client" note="Claude, ChatGPT, Cursor, VS Code and others take this address as that of an MCP server.">
      <code>{address}</code> <CopyButton text={address} size="xs" label="Copy the address" />
    </Panel>
  )
}

function ConnectionsTable({ connections, seesAll }: { readonly connections: readonly Connection[]; readonly seesAll: boolean }) {
  const { scopes } = useSession()
  const [asked, setAsked] = useState<Connection | null>(null)
  return (
    <>
      <table className={tables.table} aria-label="Connections">
        <thead>
          <tr>
            <th scope="col">Client</th>
            {seesAll && <th scope="col">Person</th>}
            <th scope="col" data-extra>Rights</th>
            <th scope="col" data-extra>Connected</th>
            <th scope="col" data-extra>Last used</th>
            <th scope="col"><span className={tables.spoken}>Actions</span></th>
          </tr>
        </thead>
        <tbody>
          {connections.map((connection) => (
            <tr key={`${connection.clientId} ${connection.employeeId}`}>
              <td><div className={tables.title}>{connection.name}</div></td>
              {seesAll && <td>{connection.employeeName}</td>}
              <td data-extra title={connection.scopes.join(', ')}>{summarizeScopes(connection.scopes, scopes.allScopes)}</td>
              <td data-extra><Age at={connection.connectedAt} /></td>
              <td data-extra>{connection.lastUsedAt === null ? 'Never' : <Age at={connection.lastUsedAt} />}</td>
              <td>
                <div className={tables.actions}>
                  <Button variant="subtle" color="red" size="xs" aria-label={`Disconnect ${connection.name} of ${connection.employeeName}`} onClick={() => setAsked(connection)}>Disconnect</Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <DisconnectDialog connection={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function DisconnectDialog({ connection, onClose }: { readonly connection: Connection | null; onClose(): void }) {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: ({ clientId, employeeId }: Connection) => settings.connections.delete({ params: { clientId }, query: { employeeId } }),
    onSuccess: () => {
      notify('The client was disconnected')
      onClose()
      return client.invalidateQueries({ queryKey: ['connections'] })
    },
  })
  return (
    <ConfirmDialog
      opened={connection !== null} onClose={onClose} title="Disconnect this client?" confirm="Disconnect" isDestructive
      isBusy={disconnect.isPending} error={disconnect.error} onConfirm={() => connection !== null && disconnect.mutate(connection)}
    >
      <b>{connection?.name}</b> is refused from now on. To use it again, {connection?.employeeName} has to connect it from the start.
    </ConfirmDialog>
  )
}
