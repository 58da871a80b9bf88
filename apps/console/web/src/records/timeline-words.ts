import type { timelineKinds } from '@crm/contract'
import { codeNames, fieldName, inWords } from './field-words.ts'

/** Names for the ids in a history: stages, pipelines, people. */
export type Names = ReadonlyMap<string, string>

/** One change of a field, ready to read; null for an empty value. */
export interface ChangeInWords {
  readonly field: string
  readonly name: string
  readonly from: string | null
  readonly to: string | null
}

const sentences: Readonly<Record<(typeof timelineKinds)[number], string>> = {
  CREATED: 'created the record',
  UPDATED: 'changed details',
  DELETED: 'deleted the record',
  RESTORED: 'restored the record',
  STATUS_CHANGED: 'changed the status',
  STAGE_CHANGED: 'moved the stage',
  OWNER_CHANGED: 'changed the owner',
  CONVERTED: 'converted the record',
  MERGED: 'merged another record into this one',
  NOTE_ADDED: 'added a note',
  COMMENT_ADDED: 'commented',
  CALL_LOGGED: 'logged a call',
  EMAIL_SENT: 'sent an e-mail',
  MEETING_SCHEDULED: 'scheduled a meeting',
  MEETING_RESCHEDULED: 'moved a meeting',
  MEETING_CANCELLED: 'cancelled a meeting',
  TASK_ADDED: 'added a task',
  TASK_COMPLETED: 'completed a task',
  FILE_ADDED: 'added a file',
  FILE_REMOVED: 'removed a file',
  QUOTE_SENT: 'sent a quote',
  QUOTE_ACCEPTED: 'accepted a quote',
  QUOTE_DECLINED: 'declined a quote',
  INVOICE_ISSUED: 'issued an invoice',
  INVOICE_SENT: 'sent an invoice',
  PAYMENT_RECORDED: 'recorded a payment',
  PAYMENT_REVERSED: 'reversed a payment',
  BOOKING_CREATED: 'booked a meeting',
  WORKFLOW_RUN: 'ran a workflow',
}

const sources: Readonly<Record<string, string>> = {
  API: 'through the API',
  MCP: 'through an AI client',
  IMPORT: 'by an import',
  WORKFLOW: 'by a workflow',
  BOOKING: 'through a booking',
  SYSTEM: 'automatically',
}

/** Describes an event, for the place after the name of its author. */
export function describeKind(kind: (typeof timelineKinds)[number], noun: string): string {
  return (sentences[kind] ?? inWords(kind).toLowerCase()).replace(/\brecord\b/, noun)
}

/** The parts of a sentence of the feed. */
interface SentenceParts {
  /** The action, without its author. */
  readonly said: string
  /** The name of the other record, such as a task; null if the sentence names only the record itself. */
  readonly named: string | null
  /** The quoted text, such as a note. */
  readonly quote: string | null
}

/** Splits a sentence of the feed; its record needs no name on its own page. */
export function partsOf(sentence: string, actor: string): SentenceParts {
  const rest = sentence.startsWith(actor) ? sentence.slice(actor.length).trim() : sentence
  const [, before = rest, quote = null] = /^(.*?): “(.*)”$/s.exec(rest) ?? []
  const [, said = '', named = null] = /^(.*?) “([^”]*)”/.exec(before) ?? []
  return { said, named, quote }
}

/** Describes the origin of a change; nothing for changes by people in the console. */
export function describeSource(source: string): string {
  return sources[source] ?? ''
}

interface FieldChange {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** Returns the changes of an entry with names in place of ids and codes; custom fields appear individually. */
export function describeChanges(changes: readonly FieldChange[], names: Names): ChangeInWords[] {
  return changes.flatMap(splitCustomFields).map(({ field, from, to }) => ({
    field,
    name: fieldName(field),
    from: describeValue(from, names),
    to: describeValue(to, names),
  }))
}

function splitCustomFields(change: FieldChange): FieldChange[] {
  if (change.field !== 'customFields') return [change]
  const [from, to] = [asMembers(change.from), asMembers(change.to)]
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]),
  )
  return keys.map((key) => ({ field: key, from: from[key], to: to[key] }))
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
}

/** Formats a value of a record as text; null for an empty one. */
export function describeValue(value: unknown, names: Names): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value))
    return (
      value
        .map((item) => describeValue(item, names))
        .filter(Boolean)
        .join(', ') || null
    )
  if (typeof value === 'object')
    return (
      Object.values(value)
        .map((item) => describeValue(item, names))
        .filter(Boolean)
        .join(', ') || null
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return names.get(text) ?? codeNames[text] ?? (isId(text) ? 'another record' : text)
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
