import { placeLines, productLine, quoted, textValue, utcTime, writeLines } from './ical-lines.ts'
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
  const {
    method,
    isCancelled = method === 'CANCEL',
    uid,
    sequence,
    startAt,
    endAt,
    summary,
    description,
    joinUrl,
    organizer,
    attendees,
    at,
  } = invitation
  return writeLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    productLine,
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utcTime(at)}`,
    `DTSTART:${utcTime(startAt)}`,
    `DTEND:${utcTime(endAt)}`,
    `SUMMARY:${textValue(summary)}`,
    `DESCRIPTION:${textValue(description)}`,
    ...placeLines(joinUrl),
    `ORGANIZER${commonName(organizer)}:mailto:${organizer.address}`,
    ...attendees.map(
      (attendee) =>
        `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE${commonName(attendee)}:mailto:${attendee.address}`,
    ),
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ])
}

function commonName({ name }: Mailbox): string {
  return name ? `;CN=${quoted(name)}` : ''
}
