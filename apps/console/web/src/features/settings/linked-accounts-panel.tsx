import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { sendWithProof } from '../../base/reauthentication.ts'
import { t } from './texts.ts'
import { identitiesQuery, providerAddress, waysQuery } from '../../domain/sign-in/provider-queries.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { RefusalAlert } from '../../shell/states.tsx'

/** The accounts at identity providers with which a person signs in; nothing where the workspace has no provider. */
export function LinkedAccountsPanel() {
  const identities = useQuery(identitiesQuery)
  const providers = useQuery(waysQuery).data?.providers ?? []
  const unlink = useChange((id: string) => settings.sso.unlink({ params: { id } }), {
    said: t('Account unlinked'),
    stale: ['linked-accounts'],
  })
  const link = useMutation({ mutationFn: goToLink })
  const linked = identities.data ?? []
  if (providers.length === 0 && linked.length === 0) return null
  const others = providers.filter(({ slug }) => !linked.some((identity) => identity.slug === slug))
  return (
    <>
      <RefusalAlert error={unlink.error ?? link.error} />
      <TablePanel
        title={t('Linked accounts')}
        note={t('You also sign in to this workspace with them.')}
        label={t('Linked accounts')}
        reading={identities}
        add={others.map(({ slug, name }) => (
          <Button
            key={slug}
            variant="default"
            size="xs"
            loading={link.isPending && link.variables === slug}
            onClick={() => link.mutate(slug)}
          >
            {t('Link {name}', { name })}
          </Button>
        ))}
        empty={null}
        columns={[
          {
            label: t('Name'),
            cell: ({ providerName, issuer, email }) => (
              <RowTitle note={email ?? undefined}>{providerName ?? new URL(issuer).host}</RowTitle>
            ),
          },
          { label: t('Linked'), isExtra: true, cell: ({ createdAt }) => describeDay(createdAt) },
          {
            label: t('Last used'),
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={({ id, providerName, issuer }) => (
          <RowButton
            verb={t('Unlink')}
            name={providerName ?? new URL(issuer).host}
            isDestructive
            isBusy={unlink.isPending && unlink.variables === id}
            onClick={() => unlink.mutate(id)}
          />
        )}
      />
    </>
  )
}

/** Goes to a provider to link an account there. The first request asks only whether the person has to prove who they are. */
async function goToLink(slug: string): Promise<void> {
  const address = providerAddress(slug, { purpose: 'link', next: '/settings/security' })
  const answer = await sendWithProof(address, { redirect: 'manual' })
  // A browser hides a redirect that it does not follow; everything else is a refusal.
  if (answer.type === 'opaqueredirect') window.location.assign(address)
  else throw new Error(t('The account was not linked. Confirm that it is you, and try again.'))
}
