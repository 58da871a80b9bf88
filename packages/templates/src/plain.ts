import type { JsonValue } from './json-value.ts'
import { TemplateError } from './template-error.ts'

/** The most bytes of JSON in the result of a template. */
export const OUTPUT_BYTES_MAX = 262_144

/** The deepest nesting of arrays and objects. */
export const DEPTH_MAX = 64

/**
 * The remaining size of a result in characters; it is spent while the result is built, so that a small template cannot produce
 * gigabytes.
 */
export type Budget = { left: number }

/** Returns an unused budget. */
export function fullBudget(): Budget {
  return { left: OUTPUT_BYTES_MAX }
}

/** Takes a number of characters from a budget, or aborts the rendering. */
export function spend(budget: Budget, chars: number): void {
  budget.left -= chars
  if (budget.left < 0) throw new TemplateError(`The result is larger than ${OUTPUT_BYTES_MAX / 1024} KB.`)
}

/** Aborts the rendering of a result that is nested too deeply, or that contains itself. */
export function checkDepth(depth: number): void {
  if (depth > DEPTH_MAX) throw new TemplateError(`The result is nested more than ${DEPTH_MAX} levels deep.`)
}

/** Copies any value as JSON: dates become ISO text, big integers text, values without a JSON form null. */
export function toPlain(value: unknown, budget: Budget, depth: number): JsonValue {
  if (typeof value === 'string') {
    spend(budget, value.length + 2)
    return value
  }
  spend(budget, 1)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  checkDepth(depth + 1)
  if (Array.isArray(value)) return Array.from(value, (item) => toPlain(item, budget, depth + 1))
  return Object.fromEntries(plainEntries(value, budget, depth + 1))
}

function* plainEntries(value: object, budget: Budget, depth: number): Generator<[string, JsonValue]> {
  for (const key of Object.keys(value)) {
    if (key === '__proto__') continue
    spend(budget, key.length + 3)
    yield [key, toPlain((value as Record<string, unknown>)[key], budget, depth)]
  }
}

/** Writes a value as text: nothing for null and missing values, JSON for arrays and objects. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  const plain = toPlain(value, fullBudget(), 0)
  if (plain === null) return ''
  return typeof plain === 'string' ? plain : JSON.stringify(plain)
}
