import { Anchor, Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useNow } from '../../shell/age.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { meetingsQuery, type Meeting } from './booking-queries.ts'
import classes from './booking.module.css'

/** What guests have booked with oneself, or with everybody for whoever manages booking. */
export function MeetingsPage() {
  const [page, setPage] = useState(1)
  const [isUpcoming, setUpcoming] = useState(true)
  const { data, error, refetch } = useQuery(meetingsQuery(page, isUpcoming))
  const [asked, setAsked] = useState<Meeting | null>(null)
  const meetings = data?.items
  const showAll = (all: boolean) => {
    setPage(1)
    setUpcoming(!all)
  }
  return (
    <Page title="Meetings" note="Booked by guests at a booking link.">
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {meetings === undefined && <div className={tables.loading}><LoadingLines label="Loading the meetings" /></div>}
          {meetings?.length === 0 && <EmptyState title="No meetings">{isUpcoming ? 'Nobody has booked a meeting that is still to come.' : 'Nobody has booked a meeting yet.'}</EmptyState>}
          {meetings !== undefined && meetings.length > 0 && <MeetingsTable meetings={meetings} onCancel={setAsked} />}
        </Panel>
      )}
      <Checkbox label="Also show meetings that are over or cancelled" checked={!isUpcoming} onChange={(event) => showAll(event.currentTarget.checked)} />
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
      <CancelDialog meeting={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

function MeetingsTable({ meetings, onCancel }: { readonly meetings: readonly Meeting[]; onCancel(meeting: Meeting): void }) {
  const now = useNow()
  return (
    <table className={tables.table} aria-label="Meetings">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Guest</th>
          <th scope="col" data-extra>Note</th>
          <th scope="col"><span className={tables.spoken}>Actions</span></th>
        </tr>
      </thead>
      <tbody>
        {meetings.map((meeting) => {
          const isOpen = meeting.status === 'CONFIRMED' && Date.parse(meeting.endAt) > now
          return (
            <tr key={meeting.id} data-dead={!isOpen}>
              <td>
                <div className={classes.when}>{describeInstant(meeting.startAt)}</div>
                <State meeting={meeting} isOpen={isOpen} />
              </td>
              <td>
                <Guest meeting={meeting} />
                <div className={tables.note}>{[meeting.inviteeEmail, meeting.inviteePhone].filter(Boolean).join(' · ')}</div>
              </td>
              <td data-extra>{meeting.note}</td>
              <td>
                <div className={classes.actions}>
                  {isOpen && <Button component="a" href={meeting.joinUrl} variant="default" size="xs" aria-label={`Join the call with ${meeting.inviteeName}`}>Join</Button>}
                  {isOpen && <Button variant="subtle" color="red" size="xs" aria-label={`Cancel the meeting with ${meeting.inviteeName}`} onClick={() => onCancel(meeting)}>Cancel</Button>}
                </div>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The guest's name, which leads to the record that the booking was linked to. */
function Guest({ meeting: { inviteeName, contactId, leadId } }: { readonly meeting: Meeting }) {
  const record = contactId !== null ? `/contacts/${contactId}` : leadId !== null ? `/leads/${leadId}` : null
  return <div>{record === null ? inviteeName : <Anchor component={Link} to={record}>{inviteeName}</Anchor>}</div>
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
      opened={meeting !== null} onClose={onClose} title="Cancel this meeting?" confirm="Cancel the meeting" isDestructive
      isBusy={cancel.isPending} error={cancel.error} onConfirm={() => meeting !== null && cancel.mutate(meeting.id)}
    >
      <b>{meeting?.inviteeName}</b> is told by mail, and the time is free for others at once.
    </ConfirmDialog>
  )
}
