import { Button, NativeSelect, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useNow } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { NameField } from '../../records/name-field.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { LastUse } from './last-use.tsx'
import { NewKeyDialog, type NewKey } from './new-key-dialog.tsx'
import { expiryOf, lifetimes } from './scope-words.ts'
import { serviceAccountsQuery } from './settings-queries.ts'
import { t } from './texts.ts'

type Token = Awaited<ReturnType<typeof settings.scimTokens.list>>['items'][number]

const tokensQuery = (page: number) =>
  queryOptions({
    queryKey: ['directory-tokens', page],
    queryFn: ({ signal }) => settings.scimTokens.list({ query: { page, pageSize: 20 }, signal }),
  })

/** The tokens with which directories sign in. */
export function DirectoryTokens() {
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewKey | null>(null)
  const [revoked, setRevoked] = useState<Token | null>(null)
  const reading = useQuery(tokensQuery(page))
  const now = useNow()
  const revoke = useChange((id: string) => settings.scimTokens.delete({ params: { id } }), {
    said: t('Token revoked'),
    stale: ['directory-tokens'],
    onDone: () => setRevoked(null),
  })
  const close = () => {
    setRevoked(null)
    revoke.reset()
  }
  return (
    <>
      <TablePanel
        title={t('Tokens')}
        label={t('Tokens')}
        add={
          <Button variant="default" size="xs" onClick={() => setCreating(true)}>
            {t('New token')}
          </Button>
        }
        reading={reading}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('No tokens')}>{t('Create one for each directory.')}</EmptyState>}
        isDead={({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= now}
        columns={[
          {
            label: t('Name'),
            cell: ({ name, prefix }) => <RowTitle note={<code>{prefix}…</code>}>{name}</RowTitle>,
          },
          { label: t('Owner'), isExtra: true, cell: ({ ownerName }) => ownerName },
          {
            label: t('Last used'),
            cell: (token) => <LastUse of={token} />,
          },
          {
            label: t('Expires'),
            isExtra: true,
            cell: ({ expiresAt }) => (expiresAt === null ? t('Never') : describeDay(expiresAt)),
          },
        ]}
        actions={(token) => (
          <RowButton verb={t('Revoke')} name={token.name} isDestructive onClick={() => setRevoked(token)} />
        )}
      />
      {isCreating && (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false)
            setMade(token)
          }}
        />
      )}
      <NewKeyDialog noun="token" made={made} onClose={() => setMade(null)} />
      <ConfirmDialog
        opened={revoked !== null}
        onClose={close}
        title={t('Revoke this token?')}
        confirm={t('Revoke')}
        isDestructive
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoked !== null && revoke.mutate(revoked.id)}
      >
        {t.rich(
          'The directory that uses <b>{name}</b> is refused from now on. The people and groups that it sent stay.',
          { name: revoked?.name ?? '', b: (text) => <b>{text}</b> },
        )}
      </ConfirmDialog>
    </>
  )
}

function NewTokenDialog({ onClose, onCreated }: { onClose(): void; onCreated(token: NewKey): void }) {
  const client = useQueryClient()
  const owners = useQuery(serviceAccountsQuery)
  const create = useMutation({
    mutationFn: async (form: FormData) => {
      const name = textIn(form, 'name')
      const expiresAt = expiryOf(textIn(form, 'lifetime'), Date.now())
      const { data } = await settings.scimTokens.create({ body: { name, ownerId: textIn(form, 'ownerId'), expiresAt } })
      return { name, key: data.token }
    },
    onSuccess: (token) => {
      onCreated(token)
      return client.invalidateQueries({ queryKey: ['directory-tokens'] })
    },
  })
  const errors = fieldErrors(create.error)
  return (
    <FormDialog
      opened
      title={t('New token')}
      submit={t('Create token')}
      isBusy={create.isPending}
      isIncomplete={!owners.data?.length}
      error={create.error ?? owners.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <NameField errors={errors} description={t('Which directory will use it')} />
      <NativeSelect
        name="ownerId"
        label={t('Service account')}
        description={t('The directory can do no more than this account.')}
        error={errors['ownerId']}
        data={owners.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      {owners.data?.length === 0 && (
        <Text size="sm">{t('There is no service account yet. Create one on the page “People” first.')}</Text>
      )}
      <NativeSelect
        name="lifetime"
        label={t('Expires after')}
        defaultValue="365"
        data={[...lifetimes]}
        error={errors['expiresAt']}
      />
    </FormDialog>
  )
}
