import { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { Mailbox } from './message.ts'

/** One meeting at one moment of its life, as a calendar program is told of it. */
export interface Invitation {
  /** PUBLISH is for a file that a person opens; nobody is asked to answer. */
  readonly method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  readonly isCancelled?: boolean
  /** Stays the same for the life of the meeting. */
  readonly uid: string
  /** Rises with every change. */
  readonly sequence: number
  /** ISO 8601 UTC. */
  readonly startAt: string
  readonly endAt: string
  readonly summary: string
  readonly description: string
  /** Where the meeting is joined; absent when it is cancelled. */
  readonly joinUrl?: string
  /** The address must be the sending one: a calendar ignores a cancellation from anybody but the organizer. */
  readonly organizer: Mailbox
  /** Everybody who takes part. */
  readonly attendees: readonly Mailbox[]
  /** When this message was made, ISO 8601. */
  readonly at: string
}

/** Writes the iCalendar text of an invitation: UTC times, CRLF, lines folded at 75 octets (RFC 5545, RFC 5546). */
export function writeInvitation(invitation: Invitation): string {
  const isCancelled = invitation.isCancelled ?? invitation.method === 'CANCEL'
  const calendar = new ICalCalendar({
    prodId: { company: 'workspace-crm', product: 'booking' },
    method: ICalCalendarMethod[invitation.method],
  })
  const event = calendar.createEvent({
    id: invitation.uid,
    sequence: invitation.sequence,
    stamp: new Date(invitation.at),
    start: new Date(invitation.startAt),
    end: new Date(invitation.endAt),
    summary: invitation.summary,
    description: invitation.description,
    location: invitation.joinUrl ?? null,
    url: invitation.joinUrl ?? null,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: invitation.organizer.name ?? invitation.organizer.address, email: invitation.organizer.address },
  })
  for (const { name, address } of invitation.attendees) {
    event.createAttendee({ name, email: address, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.ACCEPTED, rsvp: false })
  }
  return `${calendar.toString()}\r\n`
}
