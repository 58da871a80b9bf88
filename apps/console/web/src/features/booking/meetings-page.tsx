import { Anchor, Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { RowButton, RowNote } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useNow } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { meetingsQuery, type Meeting } from './booking-queries.ts'
import classes from './booking.module.css'
import { t } from './texts.ts'

/** The bookings of the person, or of everybody for a person who manages booking. */
export function MeetingsPage() {
  const [page, setPage] = useState(1)
  const [isUpcoming, setUpcoming] = useState(true)
  const meetings = useQuery(meetingsQuery(page, isUpcoming))
  const now = useNow()
  const isOpen = ({ status, endAt }: Meeting) => status === 'CONFIRMED' && Date.parse(endAt) > now
  const [asked, setAsked] = useState<Meeting | null>(null)
  const showAll = (all: boolean) => {
    setPage(1)
    setUpcoming(!all)
  }
  return (
    <Page title={t('Meetings')} note={t('Booked by guests at a booking link.')}>
      <TablePanel
        label={t('Meetings')}
        reading={meetings}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title={t('No meetings')}>
            {isUpcoming ? t('No upcoming meetings') : t('No meetings yet')}
          </EmptyState>
        }
        isDead={(meeting) => !isOpen(meeting)}
        columns={[
          {
            label: t('Date and time'),
            cell: (meeting) => (
              <>
                <div className={classes.when}>{describeInstant(meeting.startAt)}</div>
                <State meeting={meeting} isOpen={isOpen(meeting)} />
              </>
            ),
          },
          {
            label: t('Guest'),
            cell: (meeting) => (
              <>
                <Guest meeting={meeting} />
                <RowNote>{meeting.inviteeEmail}</RowNote>
                {meeting.inviteePhone !== null && <RowNote>{meeting.inviteePhone}</RowNote>}
              </>
            ),
          },
          { label: t('Note'), isExtra: true, cell: ({ note }) => note },
        ]}
        actions={(meeting) =>
          isOpen(meeting) && (
            <>
              <Button
                component="a"
                href={meeting.joinUrl}
                variant="default"
                size="xs"
                aria-label={t('Join the call with {inviteeName}', { inviteeName: meeting.inviteeName })}
              >
                {t('Join')}
              </Button>
              <RowButton
                verb={t('Cancel')}
                name={t('the meeting with {inviteeName}', { inviteeName: meeting.inviteeName })}
                isDestructive
                onClick={() => setAsked(meeting)}
              />
            </>
          )
        }
      />
      <Checkbox
        label={t('Include past and cancelled')}
        checked={!isUpcoming}
        onChange={(event) => showAll(event.currentTarget.checked)}
      />
      <CancelDialog meeting={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

/** The guest's name, with a link to the record that the booking was linked to. */
function Guest({ meeting: { inviteeName, contactId, leadId } }: { readonly meeting: Meeting }) {
  const record = contactId !== null ? `/contacts/${contactId}` : leadId !== null ? `/leads/${leadId}` : null
  return (
    <div>
      {record === null ? (
        inviteeName
      ) : (
        <Anchor component={Link} to={record}>
          {inviteeName}
        </Anchor>
      )}
    </div>
  )
}

function State({ meeting, isOpen }: { readonly meeting: Meeting; readonly isOpen: boolean }) {
  if (meeting.status === 'CANCELLED') return <Pill tone="neutral">{t('Cancelled')}</Pill>
  if (!isOpen) return <Pill tone="neutral">{t('Over')}</Pill>
  return meeting.confirmationEmailSent ? (
    <Pill tone="green">{t('Confirmed', { context: 'a meeting' })}</Pill>
  ) : (
    <Pill tone="amber">{t('Email not sent')}</Pill>
  )
}

function CancelDialog({ meeting, onClose }: { readonly meeting: Meeting | null; onClose(): void }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: (id: string) => settings.bookings.cancel({ params: { id } }),
    onSuccess: () => {
      notify(t('Meeting cancelled. The guest has been emailed.'))
      onClose()
      return client.invalidateQueries({ queryKey: ['meetings'] })
    },
  })
  return (
    <ConfirmDialog
      opened={meeting !== null}
      onClose={onClose}
      title={t('Cancel this meeting?')}
      confirm={t('Cancel meeting')}
      isDestructive
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => meeting !== null && cancel.mutate(meeting.id)}
    >
      {t.rich('<b>{inviteeName}</b> gets an email, and others can book the time again.', {
        inviteeName: meeting?.inviteeName ?? '',
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}
