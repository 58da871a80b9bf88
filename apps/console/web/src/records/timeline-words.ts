import type { timelineKinds } from '@crm/contract'
import { codeNames, fieldName, inWords } from './field-words.ts'
import { inSentence, named, t } from '../base/texts.ts'
import type { Texts } from '../texts/en.ts'

/** Names for the ids in a history: stages, pipelines, people. */
export type Names = ReadonlyMap<string, string>

/** One change of a field, ready to read; null for an empty value. */
export interface ChangeInWords {
  readonly field: string
  readonly name: string
  readonly from: string | null
  readonly to: string | null
}

type FeedTexts = Texts['feed']

/** Describes an event, for the place after the name of its author. */
export function describeKind(kind: (typeof timelineKinds)[number], noun: string): string {
  const key = `feed.acts.${kind}` as const
  return t.has(key) ? t(key, named(noun)) : inSentence(inWords(kind))
}

/** Returns the key of the text that names the other record of an event, such as a task; undefined for other events. */
export function namedTextOf(kind: string): `feed.named.${keyof FeedTexts['named']}` | undefined {
  const key = `feed.named.${kind as keyof FeedTexts['named']}` as const
  return t.has(key) ? key : undefined
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
  const key = `feed.sources.${source as keyof FeedTexts['sources']}` as const
  return t.has(key) ? t(key) : ''
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
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no')
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
  return names.get(text) ?? codeNames[text] ?? (isId(text) ? t('records.anotherRecord') : text)
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
