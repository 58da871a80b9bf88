import type { JsonValue } from './json-value.ts'
import { toMoment } from './moment.ts'
import { fullBudget, toPlain, toText } from './plain.ts'

/** The names of the filters for variables. */
export const FILTERS = ['string', 'number', 'json', 'default', 'date', 'lower', 'upper'] as const
export type FilterName = (typeof FILTERS)[number]

/** A filter as used in a template; only `default` has an argument. */
export type AppliedFilter = { name: FilterName; argument?: JsonValue }

type Filter = (value: unknown, argument: JsonValue) => unknown

const filters: Record<FilterName, Filter> = {
  string: unlessMissing(toText),
  number: unlessMissing(toNumber),
  json: (value) => JSON.stringify(toPlain(value, fullBudget(), 0)),
  default: (value, argument) => (isMissing(value) || value === '' ? argument : value),
  date: unlessMissing(toDate),
  lower: unlessMissing((value) => toText(value).toLowerCase()),
  upper: unlessMissing((value) => toText(value).toUpperCase()),
}

/** Whether a word is the name of a filter. */
export function isFilterName(word: string): word is FilterName {
  return (FILTERS as readonly string[]).includes(word)
}

/** Applies one filter to a value. */
export function applyFilter({ name, argument = null }: AppliedFilter, value: unknown): unknown {
  return filters[name](value, argument)
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** A missing value stays missing, so that a later `default` still sees it. */
function unlessMissing(filter: Filter): Filter {
  return (value, argument) => (isMissing(value) ? null : filter(value, argument))
}

/** Returns a number, or the number in a decimal text; else null. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Returns the UTC date `YYYY-MM-DD` of a date, an ISO text or a number of milliseconds since 1970; else null. */
function toDate(value: unknown): string | null {
  const date = new Date((typeof value === 'number' ? value : toMoment(value)) ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().split('T')[0]!
}
