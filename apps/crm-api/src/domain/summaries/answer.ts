import { summaryLimits, type Summary } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { Money, toAmount, toExactAmount, toExactNumber } from '@crm/pricing'
import type { Asked, AskedMeasure } from './question.ts'
import type { Rates } from './statement.ts'

/** A row of the statement: its part, its keys, and the computed values, by the position of the measures. */
export interface SummaryRow extends Record<string, unknown> {
  readonly part: 'TOTAL' | 'GROUP' | 'OTHER'
  readonly k1: string | null
  readonly k2: string | null
  readonly cur: string | null
  readonly place: string | null
  readonly rank: string | null
  readonly folds: string | null
  readonly n: string
}

/** Names of the values of one dimension, by value; undefined where values need no names. */
export type Labels = ReadonlyMap<string, string> | undefined

/**
 * Returns the answer that the rows of the statement make.
 * @throws ApiError TOO_MANY_GROUPS, and RATE_MISSING for amounts that cannot be converted
 */
export function summaryAnswer(
  rows: readonly SummaryRow[],
  asked: Asked,
  rates: Rates,
  labels: readonly Labels[],
): Pick<Summary, 'groups' | 'other' | 'totals'> {
  const cells = cellsOf(rows)
  const groups = cells.filter(({ part }) => part === 'GROUP')
  const other = cells.filter(({ part }) => part === 'OTHER')
  if (Math.max(groups.length, other.length) > summaryLimits.groups)
    throw new ApiError('TOO_MANY_GROUPS', { details: { max: summaryLimits.groups } })
  const total = cells.find(({ part }) => part === 'TOTAL') ?? { part: 'TOTAL', rows: [] }
  refuseMissingRates(total, asked, rates)
  const shown = (cell: Cell) => cellOf(cell, asked, rates)
  return {
    groups: groups
      .toSorted(byPlace(asked, rates))
      .map((cell) => ({ by: keysOf(cell, asked, labels, 0), ...shown(cell) })),
    other: other.toSorted(byPlace(asked, rates)).map((cell) => ({
      by: keysOf(cell, asked, labels, 1),
      groups: Math.max(...cell.rows.map(({ folds }) => Number(folds))),
      ...shown(cell),
    })),
    totals: shown(total),
  }
}

/** The rows of one group, one for each currency. */
interface Cell {
  readonly part: SummaryRow['part']
  readonly rows: readonly SummaryRow[]
}

function cellsOf(rows: readonly SummaryRow[]): Cell[] {
  const groups = Map.groupBy(rows, ({ part, k1, k2 }) => JSON.stringify([part, k1, k2]))
  return [...groups.values()].map((of) => ({ part: of[0]!.part, rows: of }))
}

function keysOf(
  { rows }: Cell,
  { dimensions }: Asked,
  labels: readonly Labels[],
  from: number,
): Summary['groups'][number]['by'] {
  return dimensions.slice(from).map(({ type }, n) => {
    const at = n + from
    const key = (at === 0 ? rows[0]?.k1 : rows[0]?.k2) ?? null
    const value = type === 'boolean' && key !== null ? key === 'true' : key
    return labels[at] ? { value, label: key === null ? null : (labels[at].get(key) ?? null) } : { value }
  })
}

/** Compares by the position of the first dimension, then by the second one in its own order or in the requested order. */
function byPlace(asked: Asked, rates: Rates): (one: Cell, other: Cell) => number {
  const { sort } = asked
  const sign = (sort?.direction ?? 'desc') === 'asc' ? 1 : -1
  const second = (one: Cell, other: Cell): number => {
    const [a, b] = [one.rows[0]!, other.rows[0]!]
    if (a.rank !== null && b.rank !== null) return Number(a.rank) - Number(b.rank)
    if (sort?.by === 'key') return compareKeys(a.k2, b.k2, sign)
    const [mine, theirs] = [one, other].map((cell) =>
      typeof sort?.by === 'object' ? sortValue(cell, sort.by, asked, rates) : countOf(cell),
    )
    return compareValues(mine ?? null, theirs ?? null, sign) || compareKeys(a.k2, b.k2, 1)
  }
  return (one, other) => Number(one.rows[0]?.place ?? 0) - Number(other.rows[0]?.place ?? 0) || second(one, other)
}

function compareKeys(one: string | null, other: string | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one === other ? 0 : sign * (one < other ? -1 : 1)
}

function compareValues(
  one: Money | string | number | null,
  other: Money | string | number | null,
  sign: number,
): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (one instanceof Money && other instanceof Money) return sign * one.comparedTo(other)
  return one === other ? 0 : sign * (one < other ? -1 : 1)
}

function countOf({ rows }: Cell): number {
  return rows.reduce((sum, { n }) => sum + Number(n), 0)
}

type Shown = Pick<Summary['totals'], 'count' | 'sum' | 'avg' | 'min' | 'max' | 'weighted'>

function cellOf(cell: Cell, asked: Asked, rates: Rates): Shown {
  const shown: Record<string, unknown> = { count: countOf(cell) }
  for (const [at, measure] of asked.measures.entries()) {
    const values = (shown[measure.fn] ??= {}) as Record<string, unknown>
    values[measure.name] =
      measure.type === 'money' ? moneyOf(cell, measure, at, asked, rates) : plainOf(cell, measure, at)
  }
  return shown as Shown
}

/** Returns a measure over the rows of a cell: over all rows, or over the rows in one currency. */
function computed(rows: readonly SummaryRow[], { fn }: AskedMeasure, at: number, factor: Factor): Money | null {
  const filled = rows.filter((row) => Number(row[`c${at}`]) > 0)
  if (filled.length === 0) return null
  const valuesOf = (letter: string) => filled.map((row) => factor(row).times(row[`${letter}${at}`] as string))
  if (fn === 'min') return Money.min(...valuesOf('l'))
  if (fn === 'max') return Money.max(...valuesOf('h'))
  const sum = Money.sum(...valuesOf('s'))
  return fn === 'avg' ? sum.div(filled.reduce((all, row) => all + Number(row[`c${at}`]), 0)) : sum
}

/** Returns the factor for the amounts of a row. */
type Factor = (row: SummaryRow) => Money

const one = new Money(1)
const asIs: Factor = () => one

/** Returns the rate of the currency of a row, where amounts are converted. */
function factorOf({ type }: AskedMeasure, { convertTo }: Asked, rates: Rates): Factor {
  return convertTo !== undefined && type === 'money' ? ({ cur }) => new Money(rates.get(cur ?? '') ?? 1) : asIs
}

/** The number of digits after the point in averages. */
const averageDigits = 6

function plainOf({ rows }: Cell, measure: AskedMeasure, at: number): string | null {
  const { fn, type } = measure
  if (type === 'instant' || type === 'day') {
    const texts = rows.flatMap((row) => (row[`${fn === 'min' ? 'l' : 'h'}${at}`] as string | null) ?? []).toSorted()
    return (fn === 'min' ? texts[0] : texts.at(-1)) ?? null
  }
  const value = computed(rows, measure, at, asIs)
  if (value === null) return fn === 'sum' ? '0' : null
  return toExactNumber(rounded(value, measure))
}

function moneyOf(
  { rows }: Cell,
  measure: AskedMeasure,
  at: number,
  asked: Asked,
  rates: Rates,
): Record<string, string> {
  const { convertTo } = asked
  if (convertTo !== undefined) {
    const value = computed(rows, measure, at, factorOf(measure, asked, rates))
    return value === null ? {} : { [convertTo]: toAmount(value.div(rates.get(convertTo) ?? 1), convertTo) }
  }
  const amounts = rows
    .toSorted((a, b) => compareKeys(a.cur, b.cur, 1))
    .flatMap((row) => {
      const value = computed([row], measure, at, asIs)
      const currency = row.cur ?? ''
      return value === null ? [] : [[currency, toExactAmount(rounded(value, measure), currency)] as const]
    })
  return Object.fromEntries(amounts)
}

/** Rounds averages; all other values are exact. */
function rounded(value: Money, { fn }: AskedMeasure): Money {
  return fn === 'avg' ? value.toDecimalPlaces(averageDigits) : value
}

function sortValue(cell: Cell, measure: AskedMeasure, asked: Asked, rates: Rates): Money | string | null {
  const at = asked.measures.indexOf(measure)
  if (measure.type === 'instant' || measure.type === 'day') return plainOf(cell, measure, at)
  return (
    computed(cell.rows, measure, at, factorOf(measure, asked, rates)) ??
    (measure.fn === 'sum' || measure.fn === 'weighted' ? new Money(0) : null)
  )
}

function refuseMissingRates({ rows }: Cell, { convertTo, measures }: Asked, rates: Rates): void {
  if (convertTo === undefined) return
  const used = rows
    .filter((row) => measures.some(({ type }, at) => type === 'money' && Number(row[`c${at}`]) > 0))
    .flatMap(({ cur }) => cur ?? [])
  const missing = [...new Set([...used, convertTo])].filter((code) => !rates.has(code)).toSorted()
  if (missing.length > 0)
    throw new ApiError('RATE_MISSING', {
      message: `There is no exchange rate for ${missing.join(', ')}`,
      details: { currencies: missing },
    })
}

/** Returns the rates of a conversion by currency: the worth of one unit in the requested currency. */
export function usedRates(rows: readonly SummaryRow[], { convertTo }: Asked, rates: Rates): Summary['rates'] {
  if (convertTo === undefined) return undefined
  const target = new Money(rates.get(convertTo) ?? 1)
  const codes = [...new Set(rows.flatMap(({ cur }) => cur ?? []))].filter((code) => rates.has(code)).toSorted()
  return Object.fromEntries(
    codes.map((code) => [code, toExactNumber(new Money(rates.get(code) ?? 1).div(target).toDecimalPlaces(12))]),
  )
}
