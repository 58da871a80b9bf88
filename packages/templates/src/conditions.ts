import type { JsonValue } from './json-value.ts'
import { toNumber } from './filters.ts'
import { toMoment } from './moment.ts'
import { follow, readPath } from './path.ts'

/** The comparisons that a condition can make. */
export const CONDITION_OPS = ['EQ', 'NE', 'IN', 'GT', 'LT', 'CONTAINS', 'CHANGED_TO'] as const
export type ConditionOp = (typeof CONDITION_OPS)[number]

/** One comparison: `field` is a path without braces (`trigger.kind`), `value` is the value to compare with (a list for IN). */
export type Condition = { field: string; op: ConditionOp; value: JsonValue }

/**
 * Whether all conditions hold for some data; an empty list holds.
 *
 * - A missing field equals null. A number equals a decimal text of the same value (`1250` and `"1250.00"`); two texts must be the same.
 * - GT and LT compare numbers and decimal texts as numbers, ISO dates and times as moments, and are false for anything else.
 * - CONTAINS looks for a part of a text or an element of a list. IN wants a list as its value.
 * - CHANGED_TO holds when the record was changed just now: `changes` of the data (or of its `data`) has an entry
 *   `{ field, from, to }` for this field (a leading `data.` is left out) whose `to` equals the value and whose `from` does not.
 */
export function evaluateConditions(conditions: readonly Condition[], data: unknown): boolean {
  return conditions.every((condition) => holds(condition, data))
}

function holds({ field, op, value }: Condition, data: unknown): boolean {
  const actual = readPath(data, field)
  switch (op) {
    case 'EQ':
      return equals(actual, value)
    case 'NE':
      return !equals(actual, value)
    case 'IN':
      return Array.isArray(value) && value.some((item) => equals(actual, item))
    case 'GT':
      return (difference(actual, value) ?? 0) > 0
    case 'LT':
      return (difference(actual, value) ?? 0) < 0
    case 'CONTAINS':
      return contains(actual, value)
    case 'CHANGED_TO':
      return changesOf(data).some((change) => isChangeTo(change, field, value))
  }
}

function equals(actual: unknown, value: unknown): boolean {
  if (typeof actual === 'number' || typeof value === 'number') {
    const number = toNumber(actual)
    return number !== null && number === toNumber(value)
  }
  if (actual instanceof Date) return actual.getTime() === toMoment(value)
  return isSame(actual ?? null, value ?? null)
}

/** Whether two values have the same kind and the same content, at every depth. */
function isSame(actual: unknown, value: unknown): boolean {
  if (!isObject(actual) || !isObject(value)) return actual === value
  const names = Object.keys(actual)
  return (
    Object.getPrototypeOf(actual) === Object.getPrototypeOf(value) &&
    names.length === Object.keys(value).length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(actual[name], value[name]))
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function contains(actual: unknown, value: JsonValue): boolean {
  if (Array.isArray(actual)) return actual.some((item) => equals(item, value))
  return (
    typeof actual === 'string' &&
    (typeof value === 'string' || typeof value === 'number') &&
    actual.includes(String(value))
  )
}

/** Returns how much larger one value is than another, or null when they cannot be compared. */
function difference(actual: unknown, value: unknown): number | null {
  for (const measure of [toNumber, toMoment]) {
    const [a, b] = [measure(actual), measure(value)]
    if (a !== null && b !== null) return a - b
  }
  return null
}

function changesOf(data: unknown): unknown[] {
  const changes = [readPath(data, 'changes'), readPath(data, 'data.changes')].find(Array.isArray)
  return changes ?? []
}

function isChangeTo(change: unknown, field: string, value: JsonValue): boolean {
  const name = follow(change, ['field'])
  const isThisField = name === field || name === field.replace(/^data\./, '')
  return isThisField && equals(follow(change, ['to']), value) && !equals(follow(change, ['from']), value)
}
