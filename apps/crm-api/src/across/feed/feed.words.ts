import { feedQuoteMax, type EntryLink } from '@crm/contract'
import type { Names } from '../../domain/history/entry-names.ts'
import type { EntryRow } from '../../records/history.ts'

/** The space of a sentence, in characters of a quotation, of a title, and in changes. */
interface Room {
  readonly quote: number
  readonly title: number
  readonly changes: number
}

/** `short` is for lists that show many entries. */
export const rooms = {
  usual: { quote: feedQuoteMax, title: 60, changes: 3 },
  short: { quote: 60, title: 40, changes: 1 },
} as const satisfies Record<string, Room>

/** Returns the sentence that tells an entry in everyday words. */
export function sentenceOf(entry: EntryRow, names: Names, room: Room): string {
  const words = tellings[entry.kind] ?? ((_entry: EntryRow, within: Fitting): string => `changed ${thing(within)}`)
  const title = cut(names.title, room.title)
  const related = names.related === undefined ? undefined : cut(names.related, room.title)
  const said = words(
    { ...entry, changes: spreadCustomFields(entry.changes) },
    { ...names, title, related, titleMax: room.title, changesTold: room.changes },
  )
  const quote = names.quote === undefined ? '' : `: “${cut(names.quote, room.quote)}”`
  return `${cut(entry.actorName, room.title)} ${said}${quote}${quote === '' ? '.' : ''}`
}

/** The names as far as there is space for them. */
interface Fitting extends Names {
  readonly titleMax: number
  readonly changesTold: number
}

type Telling = (entry: EntryRow, names: Fitting) => string

const tellings: Readonly<Record<string, Telling>> = {
  CREATED: (_entry, names) => `created ${thing(names)}`,
  UPDATED: ({ changes, relatedType }, names) =>
    relatedType ? `made a document for ${thing(names)}` : `changed ${changesOf(changes, names)}${of(names)}`,
  DELETED: (_entry, names) => `deleted ${thing(names)}`,
  RESTORED: (_entry, names) => `restored ${thing(names)}`,
  STATUS_CHANGED: ({ changes }, names) => moved(changes, 'status', names),
  STAGE_CHANGED: ({ changes }, names) => moved(changes, 'stageId', names),
  OWNER_CHANGED: ({ changes }, names) => handedOver(changes, names),
  CONVERTED: ({ relatedType }, names) => {
    const made = listed(names.others.map((other) => `the ${nounOf(other.entityType)}${titled(other, names)}`))
    return `converted ${thing(names)}${made ? ` to ${made}` : relatedType ? ` to ${withArticle(nounOf(relatedType))}` : ''}`
  },
  MERGED: ({ data }, names) => {
    const count = Array.isArray(data['sourceIds']) ? data['sourceIds'].length : 0
    const named = listed(names.others.flatMap((other) => titled(other, names).trim() || []))
    const others = count > 1 ? `${count} others` : count === 1 ? `another ${names.noun}` : 'a duplicate'
    return `merged ${named || others} into ${thing(names)}`
  },
  NOTE_ADDED: (_entry, names) => `added a note to ${thing(names)}`,
  COMMENT_ADDED: (_entry, names) => `commented on ${thing(names)}`,
  CALL_LOGGED: (_entry, names) => `logged a call${called(names)} with ${thing(names)}`,
  EMAIL_SENT: (_entry, names) => `sent an email${called(names)} about ${thing(names)}`,
  EMAIL_FAILED: (_entry, names) => `could not email ${thing(names)} to everybody`,
  MEETING_SCHEDULED: ({ data }, names) => `scheduled a meeting${called(names)} with ${thing(names)}${on(data)}`,
  MEETING_RESCHEDULED: ({ data }, names) => `moved the meeting${called(names)} with ${thing(names)}${on(data)}`,
  MEETING_CANCELLED: (_entry, names) => `cancelled the meeting${called(names)} with ${thing(names)}`,
  TASK_ADDED: (_entry, names) => `added ${named('task', names)} to ${thing(names)}`,
  TASK_COMPLETED: (_entry, names) => `completed ${named('task', names)} of ${thing(names)}`,
  FILE_ADDED: (_entry, names) => `added ${named('file', names)} to ${thing(names)}`,
  FILE_REMOVED: (_entry, names) => `removed ${named('file', names)} from ${thing(names)}`,
  QUOTE_SENT: (_entry, names) => `sent ${thing(names)}`,
  QUOTE_ACCEPTED: (_entry, names) => `accepted ${thing(names)}`,
  QUOTE_DECLINED: (_entry, names) => `declined ${thing(names)}`,
  INVOICE_ISSUED: (_entry, names) => `issued ${thing(names)}`,
  INVOICE_SENT: (_entry, names) => `sent ${thing(names)}`,
  PAYMENT_RECORDED: ({ data }, names) => `recorded a payment${amountIn(data)} for ${thing(names)}`,
  PAYMENT_REVERSED: ({ data }, names) => `reversed a payment${amountIn(data)} for ${thing(names)}`,
  BOOKING_CREATED: ({ data }, names) => `booked a meeting with ${thing(names)}${on(data)}`,
  WORKFLOW_RUN: (_entry, names) => `ran a workflow on ${thing(names)}`,
}

function thing({ noun, title }: Names): string {
  return `the ${noun} ${title}`
}

function nounOf(entityType: string): string {
  return entityType.toLowerCase().replaceAll('_', ' ')
}

function titled({ title }: EntryLink, { titleMax }: Fitting): string {
  return title === null ? '' : ` ${cut(title, titleMax)}`
}

/** Returns texts as one, such as “amount, tags and 2 more”; empty for none. */
function listed(texts: readonly string[]): string {
  return texts.length <= 1 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

function of(names: Names): string {
  return ` of ${thing(names)}`
}

function called({ related }: Names): string {
  return related === undefined ? '' : ` “${related}”`
}

function named(noun: string, { related }: Names): string {
  return related === undefined ? withArticle(noun) : `the ${noun} “${related}”`
}

function on({ startAt }: Readonly<Record<string, unknown>>): string {
  return typeof startAt === 'string' ? ` for ${startAt.slice(0, 10)}` : ''
}

function amountIn({ amount, currency }: Readonly<Record<string, unknown>>): string {
  return typeof amount === 'string' && typeof currency === 'string' ? ` of ${amount} ${currency}` : ''
}

type Changes = EntryRow['changes']

/** Returns a list of changes such as “amount from 100 to 200, tags and 2 more details”. */
function changesOf(changes: Changes, names: Fitting): string {
  if (changes.length === 0) return 'details'
  const told = changes.slice(0, names.changesTold).map(({ field, from, to }) => {
    const label = names.label(field)
    const [before, after] = [names.value(field, from), names.value(field, to)]
    if (before === undefined || after === undefined) return label
    if (after === null) return `${label} to nothing`
    return before === null ? `${label} to ${after}` : `${label} from ${before} to ${after}`
  })
  const others = changes.length - told.length
  const all = others > 0 ? [...told, `${others} more`] : told
  return `the ${listed(all)}`
}

function moved(changes: Changes, field: string, names: Names): string {
  const change = changes.find((one) => one.field === field)
  const [from, to] = [change && names.value(field, change.from), change && names.value(field, change.to)]
  if (!to) return `moved ${thing(names)}`
  return from ? `moved ${thing(names)} from ${from} to ${to}` : `moved ${thing(names)} to ${to}`
}

function handedOver(changes: Changes, names: Names): string {
  const [change] = changes
  const to = change && names.value(change.field, change.to)
  if (!to) return `took the ${change ? names.label(change.field) : 'owner'} from ${thing(names)}`
  return `gave ${thing(names)} to ${to}`
}

const members = new Set(['customFields', 'values'])

/** Replaces the custom fields of changes by their members. */
function spreadCustomFields(changes: Changes): Changes {
  return changes.flatMap((change) => {
    if (!members.has(change.field)) return [change]
    const [from, to] = [asMembers(change.from), asMembers(change.to)]
    return [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]))
      .map((key) => ({ field: `cf_${key}`, from: from[key] ?? null, to: to[key] ?? null }))
  })
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Returns a text on one line, cut where it is too long. */
function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
