import { Button, Checkbox, NumberInput, Text } from '@mantine/core'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { RowButton, RowTitle, type Column } from '../../records/record-table.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useNow } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { PersonName } from '../../shell/person-name.tsx'
import { CreateApiKeyDialog } from './create-api-key-dialog.tsx'
import { LastUse } from './last-use.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { NewKeyDialog, type NewKey } from './new-key-dialog.tsx'
import { keyState, summarizeScopes } from './scope-words.ts'
import { t } from './texts.ts'

type AllScopes = ReturnType<typeof useSession>['scopes']['allScopes']
type ApiKey = Awaited<ReturnType<typeof settings.apiKeys.list>>['items'][number]

const route = getRouteApi('/console/settings/api-keys')

const apiKeysQuery = (page: number, search: string | undefined, withDead: boolean) =>
  queryOptions({
    queryKey: ['api-keys', page, search, withDead],
    queryFn: ({ signal }) =>
      settings.apiKeys.list({
        query: { ...(withDead ? {} : { isActive: true }), search, page, pageSize: 50 },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

const ownerOf = ({ ownerId, ownerName }: ApiKey) => <PersonName id={ownerId} name={ownerName} />

/** The API keys of the workspace. */
export function ApiKeysPage() {
  const { page = 1, search } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const [withDead, setWithDead] = useState(false)
  const { scopes } = useSession()
  const [asked, setAsked] = useState<{ readonly key: ApiKey; readonly what: 'rotate' | 'revoke' | 'limits' } | null>(
    null,
  )
  const reading = useQuery(apiKeysQuery(page, search, withDead))
  const now = useNow()
  return (
    <Page
      title={t('API keys')}
      note={t('Keys let other software use the API with at most your access.')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
          {t('New API key')}
        </Button>
      }
    >
      <SearchField
        label={t('Search the API keys')}
        placeholder={t('Name, owner or first letters')}
        value={search ?? ''}
        onSearch={(text) => void navigate({ search: text.trim() === '' ? {} : { search: text.trim() }, replace: true })}
      />
      <TablePanel
        label={t('API keys')}
        reading={reading}
        page={page}
        onPage={(next) => void navigate({ search: { search, page: next } })}
        empty={
          search === undefined ? (
            <EmptyState title={t('No API keys')}>
              {t('Create one key per app, with only the access it needs.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('Nothing found')} />
          )
        }
        isDead={(key) => keyState(key, now) !== 'active'}
        columns={columnsOf(scopes.allScopes, now)}
        actions={(key) =>
          keyState(key, now) !== 'revoked' && (
            <>
              <RowButton verb={t('Limits')} name={key.name} onClick={() => setAsked({ key, what: 'limits' })} />
              <RowButton verb={t('Rotate')} name={key.name} onClick={() => setAsked({ key, what: 'rotate' })} />
              <RowButton
                verb={t('Revoke')}
                name={key.name}
                isDestructive
                onClick={() => setAsked({ key, what: 'revoke' })}
              />
            </>
          )
        }
      />
      <Checkbox
        label={t('Also show revoked and expired keys')}
        checked={withDead}
        onChange={(event) => {
          setWithDead(event.currentTarget.checked)
          void navigate({ search: { search } })
        }}
      />
      {isCreating && (
        <CreateApiKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setNewKey(key)
          }}
        />
      )}
      <NewKeyDialog made={newKey} onClose={() => setNewKey(null)} />
      <AskedDialog asked={asked} onClose={() => setAsked(null)} onRotated={setNewKey} />
    </Page>
  )
}

/** Returns the columns of the list. */
function columnsOf(allScopes: AllScopes, now: number): readonly Column<ApiKey>[] {
  return [
    {
      label: t('Name'),
      cell: ({ name, prefix }) => <RowTitle note={<code>{prefix}…</code>}>{name}</RowTitle>,
    },
    {
      label: t('Rights'),
      isExtra: true,
      cell: (key) => <span title={key.scopes.join(', ')}>{summarizeScopes(key.scopes, allScopes)}</span>,
    },
    { label: t('Owner'), isExtra: true, cell: ownerOf },
    {
      label: t('Last used'),
      isExtra: true,
      cell: (key) => <LastUse of={key} />,
    },
    {
      label: t('Expires'),
      isExtra: true,
      cell: ({ expiresAt }) => (expiresAt === null ? t('Never') : describeDay(expiresAt)),
    },
    {
      label: t('Status'),
      cell: (key) => <Pill tone={tones[keyState(key, now)]}>{stateNames[keyState(key, now)]}</Pill>,
    },
  ]
}

/** What somebody wants to do with a key. */
interface Asked {
  readonly key: ApiKey
  readonly what: 'rotate' | 'revoke' | 'limits'
}

interface AskedDialogProps {
  readonly asked: Asked | null
  onClose(): void
  onRotated(key: NewKey): void
}

function AskedDialog({ asked, onClose, onRotated }: AskedDialogProps) {
  return (
    <>
      <RevokeDialog apiKey={asked?.what === 'revoke' ? asked.key : null} onClose={onClose} />
      {asked?.what === 'limits' && (
        <LimitsDialog
          held={asked.key}
          queryKey="api-keys"
          save={(body) => settings.apiKeys.update({ params: { id: asked.key.id }, body })}
          onClose={onClose}
        />
      )}
      {asked?.what === 'rotate' && <RotateDialog apiKey={asked.key} onClose={onClose} onRotated={onRotated} />}
    </>
  )
}

const tones = { active: 'green', expired: 'amber', revoked: 'neutral' } as const
const stateNames = {
  active: t('Active'),
  expired: t('Expired', { context: 'an API key' }),
  revoked: t('Revoked'),
} as const

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey | null; onClose(): void }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => settings.apiKeys.delete({ params: { id } }),
    onSuccess: () => {
      notify(t('Key revoked'))
      onClose()
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={t('Revoke this key?')}
      confirm={t('Revoke')}
      isDestructive
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => apiKey !== null && revoke.mutate(apiKey.id)}
    >
      {t.rich('Every app that uses <b>{name}</b> loses access at once. This cannot be undone.', {
        name: apiKey?.name ?? '',
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}

interface RotateDialogProps {
  readonly apiKey: ApiKey
  onClose(): void
  onRotated(key: NewKey): void
}

/** Thirty days, the longest time in which both keys may work. */
const overlapHoursMax = 720

function RotateDialog({ apiKey: { id, name }, onClose, onRotated }: RotateDialogProps) {
  const client = useQueryClient()
  const [overlapHours, setOverlapHours] = useState(0)
  const rotate = useMutation({
    mutationFn: () => settings.apiKeys.rotate({ params: { id }, body: { overlapHours } }),
    onSuccess: ({ data }) => {
      onClose()
      onRotated(data)
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <FormDialog
      opened
      title={t('Replace this key?')}
      submit={t('Rotate')}
      isBusy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        {t.rich('A new key takes the place of <b>{name}</b>, with the same rights.', {
          name,
          b: (text) => <b>{text}</b>,
        })}
      </Text>
      <NumberInput
        label={t('The old key still works for')}
        description={t('Time to give the new key to the programs. With 0 hours the old one stops at once.')}
        suffix={t(' hours')}
        value={overlapHours}
        min={0}
        max={overlapHoursMax}
        allowDecimal={false}
        error={fieldErrors(rotate.error)['overlapHours']}
        onChange={(value) => setOverlapHours(typeof value === 'number' ? value : 0)}
      />
    </FormDialog>
  )
}
