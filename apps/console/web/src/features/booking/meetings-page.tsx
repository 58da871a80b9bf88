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
    <Page title="Meetings" note="Booked by guests at a booking link.">
      <TablePanel
        label="Meetings"
        reading={meetings}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title="No meetings">
            {isUpcoming ? 'Nobody has booked a meeting that is still to come.' : 'Nobody has booked a meeting yet.'}
          </EmptyState>
        }
        isDead={(meeting) => !isOpen(meeting)}
        columns={[
          {
            label: 'When',
            cell: (meeting) => (
              <>
                <div className={classes.when}>{describeInstant(meeting.startAt)}</div>
                <State meeting={meeting} isOpen={isOpen(meeting)} />
              </>
            ),
          },
          {
            label: 'Guest',
            cell: (meeting) => (
              <>
                <Guest meeting={meeting} />
                <RowNote>{[meeting.inviteeEmail, meeting.inviteePhone].filter(Boolean).join(' · ')}</RowNote>
              </>
            ),
          },
          { label: 'Note', isExtra: true, cell: ({ note }) => note },
        ]}
        actions={(meeting) =>
          isOpen(meeting) && (
            <>
              <Button
                component="a"
                href={meeting.joinUrl}
                variant="default"
                size="xs"
                aria-label={`Join the call with ${meeting.inviteeName}`}
              >
                Join
              </Button>
              <RowButton
                verb="Cancel"
                name={`the meeting with ${meeting.inviteeName}`}
                isDestructive
                onClick={() => setAsked(meeting)}
              />
            </>
          )
        }
      />
      <Checkbox
        label="Also show meetings that are over or cancelled"
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
  if (meeting.status === 'CANCELLED') return <Pill tone="neutral">Cancelled</Pill>
  if (!isOpen) return <Pill tone="neutral">Over</Pill>
  return meeting.confirmationEmailSent ? <Pill tone="green">Confirmed</Pill> : <Pill tone="amber">Mail not sent</Pill>
}

function CancelDialog({ meeting, onClose }: { readonly meeting: Meeting | null; onClose(): void }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: (id: string) => settings.bookings.cancel({ params: { id } }),
    onSuccess: () => {
      notify('The meeting was cancelled; the guest gets a mail')
      onClose()
      return client.invalidateQueries({ queryKey: ['meetings'] })
    },
  })
  return (
    <ConfirmDialog
      opened={meeting !== null}
      onClose={onClose}
      title="Cancel this meeting?"
      confirm="Cancel the meeting"
      isDestructive
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => meeting !== null && cancel.mutate(meeting.id)}
    >
      <b>{meeting?.inviteeName}</b> is told by mail, and the time is free for others at once.
    </ConfirmDialog>
  )
}
