import { furtherSortsMax } from '@crm/contract'
import { kindOf, type Kind as KindOfRecord } from '@crm/model'
import { factsOf } from '../record-facts.ts'
import type { Kind } from '../record-kinds.ts'
import {
  conditionsFrom,
  groupIn,
  usualPageSize,
  viewIdOf,
  withCondition,
  type Density,
  type Layout,
  type ListAddress,
  type WireGroup,
} from './list-address.ts'

/** A column of a list, with the width that a person gave it, in pixels. */
export interface ListColumn {
  readonly key: string
  readonly width?: number
}

/** A field that a list is sorted by. */
export interface Sort {
  readonly key: string
  readonly order: 'asc' | 'desc'
}

/** Everything that a list shows and how, from its address and its view. */
export interface ListState {
  readonly search: string | undefined
  readonly group: WireGroup | undefined
  /** Parameters of the list that are no conditions on fields. */
  readonly rest: Readonly<Record<string, string>>
  /** The fields that the list is sorted by, the first one decides. */
  readonly sorts: readonly Sort[]
  readonly columns: readonly ListColumn[]
  /** The function of each column in the row of totals, by field. */
  readonly sums: Readonly<Record<string, string>>
  readonly layout: Layout
  /** Undefined for the density that the person chose. */
  readonly density: Density | undefined
  readonly by: string | undefined
  readonly page: number
  readonly pageSize: number
}

/** The parts of a saved view that decide what a list shows. */
export interface View {
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly sortBy: string | null
  readonly sortOrder: 'asc' | 'desc' | null
  readonly view: 'LIST' | 'KANBAN' | 'CALENDAR'
  readonly density: Density | null
  readonly columns: readonly string[]
  readonly columnWidths: Readonly<Record<string, number>>
  readonly groupBy: string | null
  readonly dateField: string | null
  readonly measures: readonly string[]
}

/** What a view keeps of a list, as the API takes it. */
export interface ViewBody {
  readonly query: Readonly<Record<string, string>>
  readonly sortBy: string
  readonly sortOrder: 'asc' | 'desc'
  readonly view: View['view']
  readonly density: Density | null
  readonly columns: string[]
  readonly columnWidths: Readonly<Record<string, number>>
  readonly groupBy: string | null
  readonly dateField: string | null
  readonly measures: string[]
}

/** Returns the usual list of a kind that every workspace has. */
const listOf = (entityType: string): KindOfRecord['list'] | undefined => kindOf(entityType)?.list

/** Returns how a list of a kind is shown unless a view or a person says otherwise. */
export function usualLayoutOf(entityType: string): Layout {
  return listOf(entityType)?.layout ?? 'table'
}

const ofViews: Readonly<Record<View['view'], Layout>> = { LIST: 'table', KANBAN: 'board', CALENDAR: 'calendar' }
const customColumnsMax = 4

/** Returns the columns that a list has unless a view or a person says otherwise. */
export function usualColumnsOf(entityType: string, kind: Kind | undefined): readonly ListColumn[] {
  const custom = kind?.fields.filter(({ group }) => group === 'CUSTOM').slice(0, customColumnsMax) ?? []
  const keys = listOf(entityType)?.columns ?? ['title', ...custom.map(({ key }) => key), 'ownerId', 'createdAt']
  return keys.map((key) => ({ key }))
}

function usualSums(entityType: string): Readonly<Record<string, string>> {
  return Object.fromEntries((listOf(entityType)?.sums ?? []).map((name) => [name, 'sum']))
}

/** The person's own records, as a view that everybody has; of tasks the ones that are to be done. */
function mineOf(entityType: string): WireGroup {
  if (entityType !== 'TASK') return { and: [{ field: 'ownerId', op: 'is', value: 'me' }] }
  return {
    and: [
      { field: 'assigneeId', op: 'is', value: 'me' },
      { field: 'status', op: 'in', value: ['TODO', 'IN_PROGRESS', 'IN_REVIEW'] },
    ],
  }
}

/** Whether the lists of a kind add up figures and keep views. */
export function isSummarized(entityType: string): boolean {
  return factsOf(entityType).isSummarized
}

/** Returns what a list shows: the parts of its address, and for all others those of its view. */
export function stateOf(
  entityType: string,
  address: ListAddress,
  view: View | undefined,
  kind: Kind | undefined,
): ListState {
  const { page = 1, pageSize = usualPageSize } = address
  const saved = view && conditionsFrom(entityType, view.query)
  const { rest } = conditionsFrom(entityType, address)
  const ofView = viewIdOf(entityType, address) === 'mine' ? mineOf(entityType) : saved?.group
  const ofViewSort = view?.sortBy ? sortsOfView(view) : undefined
  const sort = address.sort ?? ofViewSort ?? listOf(entityType)?.sort ?? '-createdAt'
  const columns = address.cols === undefined ? columnsOf(view) : readColumns(address.cols)
  return {
    search: address.search ?? view?.query['search'],
    group: address.f === undefined ? ofView : groupIn(address.f),
    rest: { ...saved?.rest, ...rest },
    sorts: knownSorts(entityType, kind, [sort, listOf(entityType)?.sort, '-createdAt']),
    columns: columns ?? usualColumnsOf(entityType, kind),
    sums: readSums(address.sums) ?? readSums(view?.measures.join(',')) ?? usualSums(entityType),
    density: address.density ?? view?.density ?? undefined,
    layout: address.layout ?? (view ? ofViews[view.view] : usualLayoutOf(entityType)),
    by: address.by ?? (view?.view === 'CALENDAR' ? view.dateField : view?.groupBy) ?? undefined,
    page,
    pageSize,
  }
}

function sortsOfView({ sortBy, sortOrder, query }: View): string {
  const further = query['thenBy']
  return `${sortOrder === 'asc' ? '' : '-'}${sortBy}${further ? `,${further}` : ''}`
}

/** The most fields that a list is sorted by. */
const sortsMax = furtherSortsMax + 1

function readSorts(text: string): readonly Sort[] {
  const keys = text.split(',').flatMap((part) => part.trim() || [])
  const sorts = keys.map((part) => ({
    key: part.replace(/^-/, ''),
    order: part.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }))
  return sorts.slice(0, sortsMax)
}

/** Returns the first order that names a field by which the list can be sorted; fields that are gone are left out. */
function knownSorts(
  entityType: string,
  kind: Kind | undefined,
  orders: readonly (string | undefined)[],
): readonly Sort[] {
  const { sorts: declared, sortsByCustomFields } = factsOf(entityType)
  const isDeclared = (key: string) => declared.includes(key) || (sortsByCustomFields && key.startsWith('cf_'))
  const isKnown = ({ key }: Sort) =>
    isDeclared(key) && (kind === undefined || !key.startsWith('cf_') || kind.fields.some((field) => field.key === key))
  const known = orders.map((order) => readSorts(order ?? '').filter(isKnown))
  return known.find((sorts) => sorts.length > 0) ?? []
}

/** Writes the order of a list for an address. */
export function writeSorts(sorts: readonly Sort[]): string {
  return sorts.map(({ key, order }) => `${order === 'desc' ? '-' : ''}${key}`).join(',')
}

/**
 * Returns the order after a click on a heading: sorted by it alone, or by it as well. A field that is in the order already turns
 * around; `first` is the direction that its first click gives.
 */
export function sortedBy(
  sorts: readonly Sort[],
  key: string,
  first: Sort['order'],
  isFurther: boolean,
): readonly Sort[] {
  const known = sorts.find((sort) => sort.key === key)
  const next: Sort = { key, order: known === undefined ? first : known.order === 'asc' ? 'desc' : 'asc' }
  if (!isFurther) return [next]
  return known === undefined
    ? [...sorts.slice(0, sortsMax - 1), next]
    : sorts.map((sort) => (sort === known ? next : sort))
}

function columnsOf(view: View | undefined): readonly ListColumn[] | undefined {
  if (!view || view.columns.length === 0) return undefined
  return view.columns.map((key) => withWidth(key, view.columnWidths[key]))
}

function withWidth(key: string, width: number | undefined): ListColumn {
  return width === undefined ? { key } : { key, width }
}

const widths = { min: 60, max: 800 } as const

/** Returns a width that a column can have. */
export function widthWithin(width: number): number {
  return Math.round(Math.min(Math.max(width, widths.min), widths.max))
}

function readColumns(text: string): readonly ListColumn[] {
  return text.split(',').flatMap((part) => {
    const [key = '', width = ''] = part.split(':')
    if (key === '') return []
    return [withWidth(key, /^\d{1,4}$/.test(width) ? widthWithin(Number(width)) : undefined)]
  })
}

/** Writes columns for an address. */
export function writeColumns(columns: readonly ListColumn[]): string {
  return columns.map(({ key, width }) => (width === undefined ? key : `${key}:${width}`)).join(',')
}

function readSums(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined || text === '') return undefined
  return Object.fromEntries(
    text.split(',').flatMap((part) => {
      const [fn = '', key = ''] = part.split(':')
      return key === '' ? [] : [[key, fn] as const]
    }),
  )
}

/** Writes the functions of the totals, as an address and a view keep them. */
export function writeSums(sums: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(sums).map(([key, fn]) => `${fn}:${key}`)
}

/** Returns the parameters that choose the records of a list. */
export function narrowingOf({ search, group, rest }: ListState): Readonly<Record<string, string>> {
  return {
    ...rest,
    ...(search === undefined ? {} : { search }),
    ...(group === undefined ? {} : { filter: JSON.stringify(group) }),
  }
}

/** Whether anything narrows a list. */
export function isNarrowed(state: ListState): boolean {
  return Object.keys(narrowingOf(state)).length > 0
}

const newestFirst: Sort = { key: 'createdAt', order: 'desc' }

/** Returns the request of one page of a list. */
export function pageQueryOf(entityType: string, state: ListState): Readonly<Record<string, string | number>> {
  const { sorts, page, pageSize } = state
  const [first = newestFirst, ...further] = sorts
  return {
    ...narrowingOf(state),
    ...firstOf(entityType, pageSize, first),
    ...(further.length === 0 ? {} : { thenBy: writeSorts(further) }),
    page,
    ...expansionOf(
      entityType,
      state.columns.map(({ key }) => key),
    ),
  }
}

/** Returns the parameters for the first records of a list in an order; some lists have other names for them. */
export function firstOf(entityType: string, count: number, order?: Sort): Readonly<Record<string, string | number>> {
  if (factsOf(entityType).isLimited) return { limit: count, ...(order ? { sort: `${order.key}:${order.order}` } : {}) }
  return { pageSize: count, ...(order ? { sortBy: order.key, sortOrder: order.order } : {}) }
}

/** Returns the parameter by which a list names what its columns refer to. */
export function expansionOf(entityType: string, columns: readonly string[]): { readonly expand?: string } {
  const expand = Object.entries(factsOf(entityType).expandable)
    .filter(([, field]) => columns.includes(field))
    .map(([name]) => name)
  return expand.length === 0 ? {} : { expand: expand.join(',') }
}

/** The fields by which the names of records are sorted, where a name has several parts. */
export const sortedNames: Readonly<Record<string, string>> = { LEAD: 'lastName', CONTACT: 'lastName' }

/** Adds a condition to the address of a list. */
export function addressWith(
  address: ListAddress,
  state: ListState,
  condition: Parameters<typeof withCondition>[1],
): ListAddress {
  return { ...address, page: undefined, f: JSON.stringify(withCondition(state.group, condition)) }
}
