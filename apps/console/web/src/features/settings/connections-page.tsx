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
      title={t('settings.aiClients')}
      note={seesAll ? t('settings.aiClientsThatPeopleConnected') : t('settings.aiClientsThatYouConnected')}
    >
      <ServerAddress />
      <TablePanel
        label={t('settings.aiClients')}
        reading={connections}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('settings.noConnections')}>{t('settings.addTheAddressAboveTo')}</EmptyState>}
        columns={[
          { label: t('settings.client'), cell: ({ name }) => <RowTitle>{name}</RowTitle> },
          seesAll && { label: t('settings.person'), cell: ({ employeeName }) => employeeName },
          {
            label: t('settings.rights'),
            isExtra: true,
            cell: (connection) => (
              <span title={connection.scopes.join(', ')}>{summarizeScopes(connection.scopes, scopes.allScopes)}</span>
            ),
          },
          { label: t('settings.connected'), isExtra: true, cell: ({ connectedAt }) => <Age at={connectedAt} /> },
          {
            label: t('settings.lastUsed'),
            isExtra: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('settings.never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={(connection) => (
          <>
            <RowButton verb={t('settings.limits')} name={connection.name} onClick={() => setLimited(connection)} />
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={t('settings.disconnectNameOfEmployeename', {
                name: connection.name,
                employeeName: connection.employeeName,
              })}
              onClick={() => setAsked(connection)}
            >
              {t('settings.disconnect')}
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
    <Panel title={t('settings.connectAnAiClient')} note={t('settings.claudeChatgptCursorVsCode')}>
      <code>{address}</code> <CopyButton text={address} size="xs" label={t('common.copyLink')} />
      {window.isSecureContext ? null : (
        <Alert color="yellow" mt="sm">
          {t('settings.aiClientsWantHttps')}
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
      notify(t('settings.theClientWasDisconnected'))
      onClose()
      return client.invalidateQueries({ queryKey: ['connections'] })
    },
  })
  return (
    <ConfirmDialog
      opened={connection !== null}
      onClose={onClose}
      title={t('settings.disconnectThisClient')}
      confirm={t('settings.disconnect')}
      isDestructive
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => connection !== null && disconnect.mutate(connection)}
    >
      {t.rich('settings.nameIsRefusedFromNow', {
        name: connection?.name ?? '',
        employeeName: connection?.employeeName ?? '',
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}
