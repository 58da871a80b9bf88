import { LRUCache } from 'lru-cache'
import { writeInvitation, type Invitation } from './invitation.ts'
import { asLine, letterParts, type LetterBrand, type LetterText, type Row } from './letter.ts'
import type { Mailbox, MailMessage } from './message.ts'
import { chooseLanguage, localeOf, mailTexts } from './texts/mail-texts.ts'
import type { BookingChange, BookingTexts } from './texts/booking-wording.ts'

/** The facts about a booking in its mails. */
export interface BookingFacts {
  readonly id: string
  /** The number of changes since the booking was made. */
  readonly sequence: number
  readonly startAt: string
  readonly endAt: string
  readonly linkName: string
  readonly organizer: Mailbox & { readonly name: string; readonly timezone: string }
  readonly guest: Mailbox & {
    readonly name: string
    readonly timezone: string
    readonly locale: string | null
    readonly phone: string | null
  }
  readonly note: string | null
  /** The answers to the questions of the link. */
  readonly answers: readonly { readonly label: string; readonly value: string | boolean }[]
  /** The guest's words about a cancellation. */
  readonly cancelReason: string | null
  readonly joinUrl: string
  /** Available only right after the manage token was created or presented. */
  readonly manageUrl: string | null
  readonly workspace: {
    readonly baseUrl: string
    readonly locale: string
    readonly timeFormat: '12h' | '24h'
    readonly brand: LetterBrand
  }
  /** The time of writing, ISO 8601. */
  readonly at: string
}

/** A letter about a meeting. */
interface Letter extends LetterText {
  /** The time of the meeting, in the reader's zone. */
  readonly when: string
}

/** Writes the message to the guest: in the guest's language and zone, with the link to move or cancel. */
export function writeGuestMail(change: BookingChange, facts: BookingFacts, from: string): MailMessage {
  const letter = guestLetter(change, facts)
  return {
    ...letterParts(letter),
    to: named(facts.guest),
    fromName: facts.organizer.name,
    replyTo: named(facts.organizer),
    subject: subjectOf(change, letter, facts),
    icalEvent: calendarPart(change, facts, letter, from),
  }
}

function guestLetter(change: BookingChange, facts: BookingFacts): Letter {
  const language = chooseLanguage(facts.guest.locale, facts.workspace.locale)
  const texts = mailTexts(language).booking
  const { manageUrl } = change === 'cancelled' ? { manageUrl: null } : facts
  const join = joinLink(change, texts, facts)
  const locale = localeOf(language, facts.guest.locale, facts.workspace.locale)
  // A guest reads hours as their region does; the workspace says it for a guest of whom no region is known.
  const isRegional = localeOf(language, facts.guest.locale).region !== undefined
  const when = whenText(facts, locale, facts.guest.timezone, isRegional ? undefined : facts.workspace.timeFormat)
  return {
    language,
    when,
    opening: texts.toGuest[change],
    rows: [
      { label: texts.meeting, value: facts.linkName },
      { label: texts.when, value: when },
      { label: texts.organizer, value: facts.organizer.name },
      ...wordsOfGuest(change, texts, facts),
    ],
    links: [...join, ...(manageUrl ? [{ label: texts.manage, value: manageUrl }] : [])],
    buttons: [
      ...join,
      ...(manageUrl
        ? [
            { label: texts.reschedule, value: `${manageUrl}?action=reschedule` },
            { label: texts.cancel, value: `${manageUrl}?action=cancel` },
          ]
        : []),
    ],
    brand: facts.workspace.brand,
  }
}

/** Writes the message to the organizer: in the workspace's language, with the guest's contact data. */
export function writeOrganizerMail(change: BookingChange, facts: BookingFacts, from: string): MailMessage {
  const language = chooseLanguage(facts.workspace.locale)
  const texts = mailTexts(language).booking
  const phone = facts.guest.phone ? [{ label: texts.phone, value: facts.guest.phone }] : []
  const locale = localeOf(language, facts.workspace.locale)
  const when = whenText(facts, locale, facts.organizer.timezone, facts.workspace.timeFormat)
  const letter: Letter = {
    language,
    when,
    opening: texts.toOrganizer[change],
    rows: [
      { label: texts.meeting, value: facts.linkName },
      { label: texts.when, value: when },
      { label: texts.guest, value: `${facts.guest.name} <${facts.guest.address}>` },
      ...phone,
      ...wordsOfGuest(change, texts, facts),
    ],
    links: joinLink(change, texts, facts),
    brand: facts.workspace.brand,
  }
  return {
    ...letterParts(letter),
    to: named(facts.organizer),
    isToMember: true,
    replyTo: named(facts.guest),
    subject: subjectOf(change, letter, facts),
    icalEvent: calendarPart(change, facts, letter, from),
  }
}

const named = ({ name, address }: Mailbox): Mailbox => ({ name, address })

/** A subject contains no text of guests, which could be a link sent in somebody else's name. */
function subjectOf(change: BookingChange, { language, when }: Letter, { linkName }: BookingFacts): string {
  return `${mailTexts(language).booking.subject[change]}: ${linkName}, ${when}`
}

/** Returns the answers and the note of a guest, and the reason of a cancellation. */
function wordsOfGuest(
  change: BookingChange,
  texts: BookingTexts,
  { note, answers, cancelReason }: BookingFacts,
): Row[] {
  const inWords = (value: string | boolean): string =>
    typeof value === 'string' ? value : value ? texts.yes : texts.no
  return [
    ...(change === 'cancelled' && cancelReason ? [{ label: texts.reason, value: cancelReason }] : []),
    ...answers.map(({ label, value }) => ({ label, value: inWords(value) })),
    ...(note ? [{ label: texts.note, value: note }] : []),
  ]
}

function joinLink(change: BookingChange, texts: BookingTexts, { joinUrl }: BookingFacts): Row[] {
  return change === 'cancelled' ? [] : [{ label: texts.join, value: joinUrl }]
}

function whenText(
  { startAt, endAt }: BookingFacts,
  locale: Intl.Locale,
  timeZone: string,
  timeFormat: TimeFormat | undefined,
): string {
  const format = rangeFormat(locale.toString(), timeZone, timeFormat)
  const meeting = `${startAt}/${endAt}`
  const last = lastWritten.get(format)
  if (last?.meeting === meeting) return last.text
  const text = `${format.formatRange(new Date(startAt), new Date(endAt))} (${zoneText(startAt, timeZone)})`
  lastWritten.set(format, { meeting, text })
  return text
}

/**
 * Returns a zone with its distance from UTC at a moment, such as `America/Winnipeg, UTC−6`, the same in every language: the program of the reader
 * may know other rules for the zone than we do.
 */
function zoneText(at: string, timeZone: string): string {
  const parts = offsetFormat(timeZone).formatToParts(new Date(at))
  const told = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(told) ?? []
  if (Number(hours ?? 0) + Number(minutes ?? 0) === 0) return timeZone === 'UTC' ? timeZone : `${timeZone}, UTC`
  const rest = minutes === '00' ? '' : `:${minutes}`
  return `${timeZone}, UTC${sign === '-' ? '−' : '+'}${Number(hours)}${rest}`
}

const offsetFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  const known = offsetFormats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  offsetFormats.set(timeZone, format)
  return format
}

/** The last formatted time: guest and organizer are mostly in one zone, and formatting a range is the slowest part of a mail. */
const lastWritten = new WeakMap<Intl.DateTimeFormat, { readonly meeting: string; readonly text: string }>()

/** Cached formats: making one takes longer than all other work on a mail, and few are needed. */
const rangeFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

type TimeFormat = BookingFacts['workspace']['timeFormat']

function rangeFormat(locale: string, timeZone: string, timeFormat: TimeFormat | undefined): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${timeFormat ?? ''}`
  const known = rangeFormats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(timeFormat && { hourCycle: timeFormat === '12h' ? 'h12' : 'h23' }),
  })
  rangeFormats.set(key, format)
  return format
}

function calendarPart(
  change: BookingChange,
  facts: BookingFacts,
  letter: Letter,
  from: string,
): MailMessage['icalEvent'] {
  const method = change === 'cancelled' ? 'CANCEL' : 'REQUEST'
  return { method, content: writeEvent(method, change !== 'cancelled', facts, letter, from) }
}

/** Returns the meeting as a calendar file that the guest can open, in the guest's language. */
export function writeGuestEvent(facts: BookingFacts, isActive: boolean, from: string): string {
  const letter = guestLetter(isActive ? 'confirmed' : 'cancelled', facts)
  return writeEvent('PUBLISH', isActive, facts, letter, from)
}

function writeEvent(
  method: Invitation['method'],
  isActive: boolean,
  facts: BookingFacts,
  { rows, links }: Letter,
  from: string,
): string {
  return writeInvitation({
    method,
    isCancelled: !isActive,
    uid: `${facts.id}@${new URL(facts.workspace.baseUrl).hostname}`,
    sequence: facts.sequence,
    startAt: facts.startAt,
    endAt: facts.endAt,
    summary: facts.linkName,
    description: [...rows.filter((row) => row.value !== facts.linkName), ...links].map(asLine).join('\n'),
    joinUrl: isActive ? facts.joinUrl : undefined,
    organizer: { name: facts.organizer.name, address: from },
    attendees: [named(facts.guest), named(facts.organizer)],
    at: facts.at,
  })
}
