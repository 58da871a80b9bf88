import { placeLines, productLine, quoted, textValue, utcTime, writeLines } from './ical-lines.ts'
import type { Mailbox } from './message.ts'

/** The state of a meeting, as sent to a calendar program. */
export interface Invitation {
  /** PUBLISH is for a file that a person opens and that requests no answer. */
  readonly method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  readonly isCancelled?: boolean
  /** Constant for the life of the meeting. */
  readonly uid: string
  /** Increases with every change. */
  readonly sequence: number
  /** ISO 8601 UTC. */
  readonly startAt: string
  readonly endAt: string
  readonly summary: string
  readonly description: string
  /** The join link of the meeting; absent when it is cancelled. */
  readonly joinUrl?: string
  /** The address must be the sending one: calendars ignore a cancellation from anyone except the organizer. */
  readonly organizer: Mailbox
  /** All participants. */
  readonly attendees: readonly Mailbox[]
  /** The creation time of this message, ISO 8601. */
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
