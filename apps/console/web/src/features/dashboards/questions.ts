import type { DashboardRecord, Summary } from '@crm/contract'
import { kindEntities, kindOf, kinds } from '@crm/model'
import { dateLocale } from '../../base/texts.ts'
import { listOf } from '../../records/record-place.ts'

export type Widget = DashboardRecord['widgets'][number]
export type Source = Widget['source']
type Cell = Summary['totals']
type Query = Readonly<Record<string, string>>

/** Returns the entity type of the records that a resource lists. */
export function entityTypeOf(resource: string): string {
  const [, key = ''] = /^custom-entities\/([^/]+)\/records$/.exec(resource) ?? []
  return kindEntities.find((entity) => kinds[entity].stem === resource) ?? key.toUpperCase()
}

/** Returns the resource that lists records of a kind. */
export function resourceOf(entityType: string): string {
  return kindOf(entityType)?.stem ?? `custom-entities/${entityType.toLowerCase()}/records`
}

/** Returns the parameters of the question that a widget stands for. */
export function queryOf({ source, periodField }: Widget, period: DashboardRecord['period']): Query {
  const { query, savedFilterId, measures, groupBy, sort, top, convertTo } = source
  const asked = {
    savedFilterId,
    measures: measures?.join(','),
    groupBy: groupBy?.join(','),
    sort,
    top: top?.toString(),
    convertTo,
  }
  return Object.fromEntries(
    Object.entries({ ...query, ...withinOf(periodField, period), ...asked }).filter(
      (entry): entry is [string, string] => !!entry[1],
    ),
  )
}

function withinOf(field: Widget['periodField'], period: DashboardRecord['period']): Query {
  return period && field ? { [`${field}From`]: period.from, [`${field}To`]: period.to } : {}
}

/** One number of an answer, for drawing and in words. */
export interface Figure {
  readonly value: number
  /** The currency of the number; null for a plain one. */
  readonly currency: string | null
  /** The amounts in other currencies, which lack an exchange rate. */
  readonly besides?: readonly (readonly [currency: string, amount: number])[]
}

const measureParts = /^(count|sum|avg|min|max|weighted)(?::(.+))?$/

type Amounts = Readonly<Record<string, string>>

/** Returns the amounts of a measure by currency; undefined for a measure without money. */
function amountsOf(cell: Cell, measure: string): Amounts | undefined {
  const [, kind = 'count', field = ''] = measureParts.exec(measure) ?? []
  const value = kind === 'count' ? undefined : cell[kind as Exclude<keyof Cell, 'count'>]?.[field]
  return typeof value === 'object' && value !== null ? value : undefined
}

/**
 * Returns the one currency in which the numbers of a measure are drawn: the preferred one if there is an amount in it, else that of the
 * most groups. Null for a measure without money.
 */
export function axisOf(cells: readonly Cell[], measure: string, preferred?: string): string | null {
  const currencies = cells.flatMap((cell) => Object.keys(amountsOf(cell, measure) ?? {}))
  if (preferred !== undefined && currencies.includes(preferred)) return preferred
  const counts = [...Map.groupBy(currencies, (currency) => currency)].map(
    ([currency, all]) => [currency, all.length] as const,
  )
  return counts.toSorted(([one, many], [other, more]) => more - many || one.localeCompare(other))[0]?.[0] ?? null
}

/** Returns the number of a measure in the currency of the axis; what is in others stands beside it. */
export function figureOf(cell: Cell, measure: string, axis: string | null): Figure {
  const [, kind = 'count', field = ''] = measureParts.exec(measure) ?? []
  if (kind === 'count') return { value: cell.count, currency: null }
  const value = cell[kind as Exclude<keyof Cell, 'count'>]?.[field]
  if (value === null || value === undefined) return { value: 0, currency: axis }
  if (typeof value === 'string') return { value: Number(value), currency: null }
  const besides = Object.entries(value)
    .filter(([currency]) => currency !== axis)
    .map(([currency, amount]) => [currency, Number(amount)] as const)
  return { value: Number(value[axis ?? ''] ?? 0), currency: axis, ...(besides.length > 0 ? { besides } : {}) }
}

/** One group of an answer. */
export interface Row {
  readonly key: string
  readonly label: string
  /** The value of each dimension, as lists filter by it; undefined for the groups that were folded into one. */
  readonly values: readonly (string | boolean | null)[] | undefined
  readonly figures: readonly Figure[]
}

type Part = Summary['groups'][number]['by'][number]

/** The key of what was folded into one group. */
export const restKey = 'rest'

/** Returns the groups of an answer with their names and numbers, the folded ones last; each measure is in one currency. */
export function rowsOf(
  { groups, other = [] }: Pick<Summary, 'groups'> & Partial<Pick<Summary, 'other'>>,
  measures: readonly string[],
  { nameOf, rest }: { readonly rest: string; nameOf(part: Part, at: number): string },
  preferred?: string,
): readonly Row[] {
  const axes = measures.map((measure) => axisOf([...groups, ...other], measure, preferred))
  const figuresOf = (cell: Cell) => measures.map((measure, at) => figureOf(cell, measure, axes[at] ?? null))
  const known = groups.map((group): Row => ({
    key: group.by.map(({ value }) => String(value)).join(' '),
    label: group.by.map(nameOf).join(' · '),
    values: group.by.map(({ value }) => value),
    figures: figuresOf(group),
  }))
  const folded = other.map((cell): Row => ({
    key: [restKey, ...cell.by.map(({ value }) => String(value))].join(' '),
    label: [rest, ...cell.by.map((part, at) => nameOf(part, at + 1))].join(' · '),
    values: undefined,
    figures: figuresOf(cell),
  }))
  return [...known, ...folded]
}

interface DrillCondition {
  readonly field: string
  readonly op: string
  readonly value?: unknown
}

/** The records that a widget counts. */
export interface Counted {
  readonly source: Source
  /** The parameters that choose them: those of the widget, of its saved view and of the period. */
  readonly params: Query
  /** The fields of their kind. */
  readonly fields: ReadonlySet<string>
}

/** Returns the parameters that choose the records of a widget; `view` holds those of its saved view. */
export function paramsOf({ source, periodField }: Widget, period: DashboardRecord['period'], view: Query = {}): Query {
  const filters = [view['filter'], source.query['filter']].flatMap((text) => (text ? [JSON.parse(text) as object] : []))
  return {
    ...view,
    ...source.query,
    ...(filters.length > 1 ? { filter: JSON.stringify({ and: filters }) } : {}),
    ...withinOf(periodField, period),
  }
}

/** Returns the address of the list of the records that a group counts. */
export function drillDown(
  { source: { resource, groupBy = [] }, params: { filter, ...plain }, fields }: Counted,
  values: readonly (string | boolean | null)[],
): string {
  const page = listOf(entityTypeOf(resource))
  const known = Object.entries(plain).map(([name, value]) => ({
    name,
    value,
    condition: conditionOf(name, value, fields),
  }))
  const conditions = [
    ...(filter === undefined ? [] : [JSON.parse(filter) as unknown]),
    ...known.flatMap(({ condition }) => condition ?? []),
    ...values.flatMap((value, at) => dimensionCondition(groupBy[at] ?? '', value)),
  ]
  const asked = new URLSearchParams({ view: 'all', layout: 'table' })
  if (conditions.length > 0) asked.set('f', JSON.stringify({ and: conditions.flatMap(flat) }))
  for (const { name, value, condition } of known) if (condition === undefined) asked.set(name, value)
  return `${page}?${asked}`
}

/** A group of conditions that must all hold has its members beside the others. */
function flat(condition: unknown): readonly unknown[] {
  const { and } = condition as { readonly and?: readonly unknown[] }
  return and ? and.flatMap(flat) : [condition]
}

/** Returns the condition that a parameter of a list means; undefined for words that no field has, such as a search. */
function conditionOf(name: string, value: string, fields: ReadonlySet<string>): DrillCondition | undefined {
  const [, start, bound] = /^(.+?)(From|To)$/.exec(name) ?? []
  const moment = [`${start}At`, `${start}Date`, start].find((field) => field !== undefined && fields.has(field))
  if (moment !== undefined) return { field: moment, op: bound === 'From' ? 'gte' : 'lte', value }
  if (!fields.has(name)) return undefined
  return value.includes(',') ? { field: name, op: 'in', value: value.split(',') } : { field: name, op: 'is', value }
}

function dimensionCondition(dimension: string, value: string | boolean | null): DrillCondition[] {
  const [field = '', bucket] = dimension.split(':')
  if (value === null) return [{ field, op: 'empty' }]
  if (bucket === undefined || typeof value === 'boolean') return [{ field, op: 'is', value }]
  return [{ field, op: 'between', value: daysOf(value, bucket) }]
}

/** Returns the first and the last day of a span of time, such as `2026-11` or `2026-Q4`. */
export function daysOf(value: string, bucket: string): readonly [string, string] {
  const [, year = '', quarter] = /^(\d{4})(?:-Q(\d))?/.exec(value) ?? []
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10)
  const months = (first: number, count: number): readonly [string, string] => [
    dayOf(Date.UTC(Number(year), first, 1)),
    dayOf(Date.UTC(Number(year), first + count, 0)),
  ]
  if (bucket === 'year') return months(0, 12)
  if (bucket === 'quarter') return months((Number(quarter) - 1) * 3, 3)
  if (bucket === 'month') return months(Number(value.slice(5, 7)) - 1, 1)
  return bucket === 'week' ? [value, dayOf(Date.parse(value) + 6 * 86_400_000)] : [value, value]
}

/** Formats a bucket of time for people: `Nov 2026`. */
export function bucketName(value: string, bucket: string): string {
  const part = (options: Intl.DateTimeFormatOptions, day: string) =>
    new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: 'UTC' }).format(new Date(day))
  if (bucket === 'month') return part({ month: 'short', year: 'numeric' }, `${value}-01`)
  if (bucket === 'week' || bucket === 'day') return part({ day: 'numeric', month: 'short' }, value)
  return value.replace('-', ' ')
}

/** Returns widgets with one of them moved to the place of another one. */
export function movedTo(widgets: readonly Widget[], id: string, place: string): readonly Widget[] {
  const from = widgets.findIndex((widget) => widget.id === id)
  const to = widgets.findIndex((widget) => widget.id === place)
  const moved = widgets[from]
  return moved === undefined || to < 0 ? widgets : widgets.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** Places widgets one after the other in rows of twelve columns. */
export function placed(widgets: readonly Widget[]): Widget[] {
  let [x, y, height] = [0, 0, 0]
  return widgets.map((widget) => {
    if (x + widget.w > 12) [x, y, height] = [0, y + height, 0]
    const at = { ...widget, x, y }
    x += widget.w
    height = Math.max(height, widget.h)
    return at
  })
}
