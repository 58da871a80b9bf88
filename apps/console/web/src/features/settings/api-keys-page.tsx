import { Button, Checkbox } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { Age, useNow } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { CreateApiKeyDialog } from './create-api-key-dialog.tsx'
import { NewKeyDialog, type NewKey } from './new-key-dialog.tsx'
import { keyState, summarizeScopes } from './scope-words.ts'

type ApiKey = Awaited<ReturnType<typeof settings.apiKeys.list>>['items'][number]

const apiKeysQuery = (page: number) => queryOptions({
  queryKey: ['api-keys', page],
  queryFn: ({ signal }) => settings.apiKeys.list({ query: { page, pageSize: 50 }, signal }),
})

/** The API keys of the workspace. */
export function ApiKeysPage() {
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const [withDead, setWithDead] = useState(false)
  const { data, error, refetch } = useQuery(apiKeysQuery(page))
  const now = useNow()
  const shown = data?.items.filter((key) => withDead || keyState(key, now) === 'active')
  return (
    <Page
      title="API keys"
      note="Programs use a key to call the API. A key never has more rights than its owner."
      actions={<Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>New API key</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {shown === undefined && <div className={tables.loading}><LoadingLines label="Loading the API keys" /></div>}
          {shown?.length === 0 && <EmptyState title="No API keys">Make one for each program, with just the rights that it needs.</EmptyState>}
          {shown !== undefined && shown.length > 0 && <KeysTable keys={shown} onRotated={setNewKey} />}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && <Checkbox label="Also show revoked and expired keys" checked={withDead} onChange={(event) => setWithDead(event.currentTarget.checked)} />}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
      <CreateApiKeyDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false)
          setNewKey(key)
        }}
      />
      <NewKeyDialog made={newKey} onClose={() => setNewKey(null)} />
    </Page>
  )
}

interface KeysTableProps {
  readonly keys: readonly ApiKey[]
  onRotated(key: NewKey): void
}

function KeysTable({ keys, onRotated }: KeysTableProps) {
  const { scopes } = useSession()
  const [asked, setAsked] = useState<{ readonly key: ApiKey; readonly what: 'rotate' | 'revoke' } | null>(null)
  return (
    <>
      <table className={tables.table} aria-label="API keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" data-extra>Rights</th>
            <th scope="col" data-extra>Owner</th>
            <th scope="col" data-extra>Last used</th>
            <th scope="col" data-extra>Expires</th>
            <th scope="col">State</th>
            <th scope="col"><span className={tables.spoken}>Actions</span></th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} rights={summarizeScopes(key.scopes, scopes.allScopes)} onAsk={(what) => setAsked({ key, what })} />
          ))}
        </tbody>
      </table>
      <RevokeDialog apiKey={asked?.what === 'revoke' ? asked.key : null} onClose={() => setAsked(null)} />
      <RotateDialog apiKey={asked?.what === 'rotate' ? asked.key : null} onClose={() => setAsked(null)} onRotated={onRotated} />
    </>
  )
}

const tones = { active: 'green', expired: 'amber', revoked: 'neutral' } as const
const stateNames = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const

function KeyRow({ apiKey, rights, onAsk }: { readonly apiKey: ApiKey; readonly rights: string; onAsk(what: 'rotate' | 'revoke'): void }) {
  const state = keyState(apiKey, useNow())
  return (
    <tr data-dead={state !== 'active'}>
      <td>
        <div className={tables.title}>{apiKey.name}</div>
        <div className={tables.note}><code>{apiKey.prefix}…</code></div>
      </td>
      <td data-extra title={apiKey.scopes.join(', ')}>{rights}</td>
      <td data-extra>{apiKey.ownerName}</td>
      <td data-extra>{apiKey.lastUsedAt === null ? 'Never' : <Age at={apiKey.lastUsedAt} />}</td>
      <td data-extra>{apiKey.expiresAt === null ? 'Never' : describeDay(apiKey.expiresAt)}</td>
      <td><Pill tone={tones[state]}>{stateNames[state]}</Pill></td>
      <td>
        <div className={tables.actions}>
          {state !== 'revoked' && <Button variant="default" size="xs" aria-label={`Rotate ${apiKey.name}`} onClick={() => onAsk('rotate')}>Rotate</Button>}
          {state !== 'revoked' && <Button variant="subtle" color="red" size="xs" aria-label={`Revoke ${apiKey.name}`} onClick={() => onAsk('revoke')}>Revoke</Button>}
        </div>
      </td>
    </tr>
  )
}

interface KeyDialogProps {
  readonly apiKey: ApiKey | null
  onClose(): void
}

function RevokeDialog({ apiKey, onClose }: KeyDialogProps) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => settings.apiKeys.delete({ params: { id } }),
    onSuccess: () => {
      notify('The key was revoked')
      onClose()
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <ConfirmDialog
      opened={apiKey !== null} onClose={onClose} title="Revoke this key?" confirm="Revoke" isDestructive
      isBusy={revoke.isPending} error={revoke.error} onConfirm={() => apiKey !== null && revoke.mutate(apiKey.id)}
    >
      Every program that uses <b>{apiKey?.name}</b> is refused from now on. This cannot be taken back.
    </ConfirmDialog>
  )
}

function RotateDialog({ apiKey, onClose, onRotated }: KeyDialogProps & { onRotated(key: NewKey): void }) {
  const client = useQueryClient()
  const rotate = useMutation({
    mutationFn: (id: string) => settings.apiKeys.rotate({ params: { id } }),
    onSuccess: ({ data }) => {
      onClose()
      onRotated(data)
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <ConfirmDialog
      opened={apiKey !== null} onClose={onClose} title="Replace this key?" confirm="Rotate"
      isBusy={rotate.isPending} error={rotate.error} onConfirm={() => apiKey !== null && rotate.mutate(apiKey.id)}
    >
      A new key takes the place of <b>{apiKey?.name}</b>, with the same rights. The old one stops working at once, so have the programs that use it at hand.
    </ConfirmDialog>
  )
}
