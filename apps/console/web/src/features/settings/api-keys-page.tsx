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
      title={t('common.apiKeys')}
      note={t('settings.keysLetOtherSoftwareUse')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
          {t('settings.newApiKey')}
        </Button>
      }
    >
      <SearchField
        label={t('settings.searchTheKeys')}
        placeholder={t('settings.searchedInKeys')}
        value={search ?? ''}
        onSearch={(text) => void navigate({ search: text.trim() === '' ? {} : { search: text.trim() }, replace: true })}
      />
      <TablePanel
        label={t('common.apiKeys')}
        reading={reading}
        page={page}
        onPage={(next) => void navigate({ search: { search, page: next } })}
        empty={
          search === undefined ? (
            <EmptyState title={t('settings.noApiKeys')}>{t('settings.createOneKeyPerApp')}</EmptyState>
          ) : (
            <EmptyState title={t('common.nothingFound')} />
          )
        }
        isDead={(key) => keyState(key, now) !== 'active'}
        columns={columnsOf(scopes.allScopes, now)}
        actions={(key) =>
          keyState(key, now) !== 'revoked' && (
            <>
              <RowButton
                verb={t('settings.limits')}
                name={key.name}
                onClick={() => setAsked({ key, what: 'limits' })}
              />
              <RowButton
                verb={t('settings.rotate')}
                name={key.name}
                onClick={() => setAsked({ key, what: 'rotate' })}
              />
              <RowButton
                verb={t('settings.revoke')}
                name={key.name}
                isDestructive
                onClick={() => setAsked({ key, what: 'revoke' })}
              />
            </>
          )
        }
      />
      <Checkbox
        label={t('settings.alsoShowRevokedAndExpired')}
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
      label: t('common.name'),
      cell: ({ name, prefix }) => <RowTitle note={<code>{prefix}…</code>}>{name}</RowTitle>,
    },
    {
      label: t('settings.rights'),
      isExtra: true,
      cell: (key) => <span title={key.scopes.join(', ')}>{summarizeScopes(key.scopes, allScopes)}</span>,
    },
    { label: t('common.owner'), isExtra: true, cell: ownerOf },
    {
      label: t('settings.lastUsed'),
      isExtra: true,
      cell: (key) => <LastUse of={key} />,
    },
    {
      label: t('settings.expires'),
      isExtra: true,
      cell: ({ expiresAt }) => (expiresAt === null ? t('settings.never') : describeDay(expiresAt)),
    },
    {
      label: t('common.status'),
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
  active: t('common.active'),
  expired: t('settings.expired'),
  revoked: t('settings.revoked'),
} as const

function RevokeDialog({ apiKey, onClose }: { readonly apiKey: ApiKey | null; onClose(): void }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => settings.apiKeys.delete({ params: { id } }),
    onSuccess: () => {
      notify(t('settings.theKeyWasRevoked'))
      onClose()
      return client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={t('settings.revokeThisKey')}
      confirm={t('settings.revoke')}
      isDestructive
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => apiKey !== null && revoke.mutate(apiKey.id)}
    >
      {t.rich('settings.everyProgramThatUsesName', { name: apiKey?.name ?? '', b: (text) => <b>{text}</b> })}
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
      title={t('settings.replaceThisKey')}
      submit={t('settings.rotate')}
      isBusy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t.rich('settings.aNewKeyTakesThe', { name, b: (text) => <b>{text}</b> })}</Text>
      <NumberInput
        label={t('settings.theOldKeyStillWorks')}
        description={t('settings.timeToGiveTheNew')}
        suffix={t('settings.suffixes.hours')}
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
