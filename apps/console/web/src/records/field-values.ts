import { addressParts } from '../base/address-parts.ts'
import { numberOr } from '../base/decimals.ts'
import { instantOf, localTimeOf } from '../base/moments.ts'
import type { Field, Kind } from './record-kinds.ts'
import type { AnyRecord } from './record-calls.ts'

/** The content of a field's control: text, several texts, the parts of an address, or nothing. */
export type Draft = string | readonly string[] | Readonly<Record<string, string>> | null
export type Drafts = Readonly<Record<string, Draft>>

const customPrefix = 'cf_'
const numbers: readonly Field['type'][] = ['NUMBER', 'PERCENTAGE', 'RATING']
const lists: readonly Field['type'][] = ['TAGS', 'TEXT_LIST', 'MULTI_SELECT', 'REFERENCE_LIST']

/** Returns the value of a record's field, including custom ones. */
export function valueOf(record: AnyRecord, { key }: Pick<Field, 'key'>): unknown {
  if (!key.startsWith(customPrefix)) return record[key]
  const values = (record['customFields'] ?? record['values'] ?? {}) as Readonly<Record<string, unknown>>
  return values[key.slice(customPrefix.length)] ?? null
}

/** Returns a value in the form in which its control begins. */
export function draftOf({ type }: Pick<Field, 'type'>, value: unknown): Draft {
  if (lists.includes(type)) return Array.isArray(value) ? value.map(String) : []
  if (type === 'ADDRESS') return (value ?? {}) as Readonly<Record<string, string>>
  if (value === null || value === undefined) return null
  const text = plainText(value)
  return type === 'DATETIME' ? localTimeOf(text) : text
}

/** Returns the value for the API from the content of a control; null clears. */
export function wireOf({ type }: Pick<Field, 'type'>, draft: Draft): unknown {
  if (lists.includes(type)) return Array.isArray(draft) && (draft.length > 0 || type !== 'MULTI_SELECT') ? draft : null
  if (type === 'ADDRESS') return addressOf(draft)
  const text = typeof draft === 'string' ? draft.trim() : ''
  if (text === '') return null
  if (type === 'BOOLEAN') return text === 'true'
  // A text that is no number is sent unchanged, so that the API reports the problem.
  if (numbers.includes(type)) return numberOr(text)
  return type === 'DATETIME' && !Number.isNaN(Date.parse(text)) ? instantOf(text) : text
}

function addressOf(draft: Draft): unknown {
  const parts = draft as Readonly<Record<string, string>> | null
  const written = addressParts.map((part) => [part, parts?.[part]?.trim() || null] as const)
  return written.every(([, text]) => text === null) ? null : Object.fromEntries(written)
}

/** Whether a control is empty. */
export function isEmptyDraft(field: Pick<Field, 'type'>, draft: Draft | undefined): boolean {
  const value = draft === undefined ? null : wireOf(field, draft)
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Returns a body with values of fields: custom fields are in a member of their own. */
export function bodyOf({ isCustom }: Pick<Kind, 'isCustom'>, values: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(values)
  const custom = entries
    .filter(([key]) => key.startsWith(customPrefix))
    .map(([key, value]) => [key.slice(customPrefix.length), value])
  return {
    ...Object.fromEntries(entries.filter(([key]) => !key.startsWith(customPrefix))),
    ...(custom.length === 0 ? {} : { [isCustom ? 'values' : 'customFields']: Object.fromEntries(custom) }),
  }
}

/** Returns the problems by field, from problems that the API reports by the paths of a body. */
export function errorsByField(errors: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(errors).map(([path, message]) => {
    const [first = '', second = ''] = path.split('.')
    return [first === 'customFields' || first === 'values' ? `${customPrefix}${second}` : first, message] as const
  })
  return Object.fromEntries(entries.toReversed())
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A value with the number of records that hold it; null for none. */
export type Held = readonly [value: string | boolean | null, count: number]

/** Counts values, each of several that a record has, and the most frequent first. */
export function countsOf(values: readonly unknown[]): readonly Held[] {
  const counts = new Map<string | boolean | null, number>()
  for (const value of values.flatMap((one) => (Array.isArray(one) && one.length > 0 ? one : [one]))) {
    const key =
      typeof value === 'boolean' ? value : typeof value === 'string' || typeof value === 'number' ? String(value) : null
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** Returns tags in the spelling in which they are in use. */
export function asInUse(tags: readonly string[], inUse: readonly string[]): string[] {
  const spellings = new Map(inUse.map((tag) => [tag.toLocaleLowerCase(), tag]))
  return tags.map((tag) => (inUse.includes(tag) ? tag : (spellings.get(tag.toLocaleLowerCase()) ?? tag)))
}
