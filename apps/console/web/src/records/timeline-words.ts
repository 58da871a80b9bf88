import type { ShownTimelineEntry } from '@crm/contract'
import { t } from '../base/texts.ts'
import { fieldName } from './field-words.ts'
import type { Field, Kind } from './record-kinds.ts'
import { describeValue, textOfValue } from './value-words.ts'

/** One change of a field, ready to read: null for an empty value, undefined for one that no line can say. */
export interface ChangeInWords {
  readonly field: string
  readonly name: string
  readonly from: string | null | undefined
  readonly to: string | null | undefined
}

/** Describes the origin of a change; nothing for changes by people in the console. */
export function describeSource(source: string): string {
  return sources[source] ?? ''
}

const sources: Readonly<Record<string, string>> = {
  API: t('through the API'),
  MCP: t('through an AI client'),
  IMPORT: t('by an import'),
  WORKFLOW: t('by a workflow'),
  BOOKING: t('through a booking'),
  SYSTEM: t('automatically'),
}

type Change = ShownTimelineEntry['changes'][number]

/** The words for the changes of an entry. */
interface WordsForChanges {
  /** The kind of the record; undefined where the person does not know it. */
  readonly kind: Kind | undefined
  readonly links: ShownTimelineEntry['links']
  /** The currency of the record's amounts. */
  readonly currency?: unknown
}

/** Returns changes with labels and names in place of keys, ids and codes; custom fields appear individually. */
export function describeChanges(changes: readonly Change[], words: WordsForChanges): readonly ChangeInWords[] {
  const currency = changes.find(({ field }) => field === 'currency')?.to ?? words.currency
  return changes.flatMap(splitMembers).map(({ field: key, from, to }) => {
    const field = words.kind?.fields.find((one) => one.key === key)
    const valueIn = (value: unknown) => describeChanged(value, field, { ...words, currency })
    return { field: key, name: labelOf(key, field), from: valueIn(from), to: valueIn(to) }
  })
}

function labelOf(key: string, field: Field | undefined): string {
  return field?.label ?? (key.startsWith(customPrefix) ? t('a field that no longer exists') : fieldName(key))
}

const customPrefix = 'cf_'
/** The fields that hold the custom fields of a record. */
const membered: readonly string[] = ['customFields', 'values']

function splitMembers(change: Change): Change[] {
  if (!membered.includes(change.field)) return [change]
  const [from, to] = [asMembers(change.from), asMembers(change.to)]
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]),
  )
  return keys.map((key) => ({ field: `${customPrefix}${key}`, from: from[key], to: to[key] }))
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
}

function describeChanged(
  value: unknown,
  field: Field | undefined,
  { links, currency }: WordsForChanges,
): string | null | undefined {
  const plain = describeValue(value)
  if (plain === null) return null
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.some(isId))
    return values.map((id) => links.find((link) => link.id === id)?.title ?? t('(not visible)')).join(', ')
  if (field === undefined) return values.every((one) => typeof one !== 'object') ? plain : undefined
  return field.type === 'OTHER' ? undefined : textOfValue(field, value, { currency })
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

/** The most characters of a value within a sentence. */
const shortMax = 60

/** Whether a sentence has space for a change. */
export function isShort({ from, to }: ChangeInWords): boolean {
  return [from, to].every((text) => text !== undefined && (text?.length ?? 0) <= shortMax && !text?.includes('\n'))
}
