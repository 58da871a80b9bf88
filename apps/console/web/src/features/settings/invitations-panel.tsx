import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { inList } from '../../base/texts.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { Pill } from '../../shell/pill.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { rolesQuery } from './settings-queries.ts'
import { t } from './texts.ts'

type Invitation = Awaited<ReturnType<typeof settings.invitations.list>>['items'][number]

const openInvitationsQuery = (page: number) =>
  queryOptions({
    queryKey: ['people', 'invitations', page],
    queryFn: ({ signal }) => settings.invitations.list({ query: { status: 'PENDING', page, pageSize: 20 }, signal }),
    placeholderData: keepPreviousData,
  })

/** The people who were invited and have not joined yet. */
export function InvitationsPanel() {
  const [page, setPage] = useState(1)
  const reading = useQuery(openInvitationsQuery(page))
  const names = usePeopleNames(reading.data?.items.map(({ invitedById }) => invitedById))
  const { may } = useSession()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data
  const resend = useChange((id: string) => settings.invitations.resend({ params: { id } }), {
    said: t('Invitation resent'),
    stale: ['people'],
  })
  const revoke = useChange((id: string) => settings.invitations.delete({ params: { id } }), {
    said: t('Invitation revoked'),
    stale: ['people'],
  })
  if (reading.data?.total === 0) return null
  const isBusy = (change: typeof resend, { id }: Invitation) => change.isPending && change.variables === id
  return (
    <>
      <RefusalAlert error={resend.error ?? revoke.error} />
      <TablePanel
        title={t('Invitations')}
        label={t('Invitations')}
        reading={reading}
        page={page}
        onPage={setPage}
        empty={null}
        columns={[
          {
            label: t('Email'),
            cell: ({ email, invitedById }) => (
              <RowTitle
                note={
                  names.has(invitedById) && t('invited by {invitedById}', { invitedById: names.get(invitedById) ?? '' })
                }
              >
                {email}
              </RowTitle>
            ),
          },
          roles !== undefined && {
            label: t('Role'),
            cell: ({ roleIds }) => inList(roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name)),
          },
          { label: t('Valid until'), isExtra: true, cell: ({ expiresAt }) => describeInstant(expiresAt) },
          {
            label: t('Status'),
            cell: ({ emailSent }) =>
              emailSent ? <Pill tone="neutral">{t('Invited')}</Pill> : <Pill tone="amber">{t('Email not sent')}</Pill>,
          },
        ]}
        actions={(invitation) => (
          <>
            <RowButton
              verb={t('Resend')}
              name={t('the invitation of {email}', { email: invitation.email })}
              isBusy={isBusy(resend, invitation)}
              onClick={() => resend.mutate(invitation.id)}
            />
            <RowButton
              verb={t('Revoke')}
              name={t('the invitation of {email}', { email: invitation.email })}
              isDestructive
              isBusy={isBusy(revoke, invitation)}
              onClick={() => revoke.mutate(invitation.id)}
            />
          </>
        )}
      />
    </>
  )
}
