import { densities, readConditions, structuredLimits, type FilterOperator } from '@crm/contract'
import { idIn, wholeNumber } from '../address-parts.ts'
import { factsOf } from '../record-facts.ts'

/** A comparison of one field, as the API takes it. */
export interface WireCondition {
  readonly field: string
  readonly op: FilterOperator
  readonly value?: unknown
}

/** Conditions and groups of them, as the API takes them. */
export type WireGroup =
  | { readonly and: readonly (WireCondition | WireGroup)[] }
  | { readonly or: readonly (WireCondition | WireGroup)[] }

const layouts = ['table', 'board', 'calendar'] as const
export type Layout = (typeof layouts)[number]

/** The address of a list of any kind. Absent parts are those of the chosen view. */
export interface ListAddress {
  readonly search?: string
  /** A saved view, `mine` or `all`; absent for the view with which the list opens. */
  readonly view?: string
  /** Conditions, as JSON. */
  readonly f?: string
  /** Fields by commas, each with a minus for descending order: `-amount,name`. */
  readonly sort?: string
  /** Fields by commas, each with its width: `name:240,amount`. */
  readonly cols?: string
  /** Functions of the columns in the row of totals: `sum:amount`. */
  readonly sums?: string
  readonly layout?: Layout
  readonly density?: Density
  /** The field that makes the columns of a board or places records in a calendar. */
  readonly by?: string
  /** The record that is shown beside the list. */
  readonly peek?: string
  readonly page?: number
  readonly pageSize?: number
  /** Further parameters of the list. */
  readonly [param: string]: string | number | undefined
}

/** The height of the rows of a table. */
export type Density = (typeof densities)[number]

const pageSizes = [20, 50, 100] as const
export const usualPageSize = 50

/** The views that every list has. */
const standingViews = ['all', 'mine'] as const
export type StandingView = (typeof standingViews)[number]

const usualViews: Readonly<Record<string, StandingView>> = { TASK: 'mine' }

/** Returns the view with which the list of a kind opens. */
export function usualViewOf(entityType: string): StandingView {
  return usualViews[entityType] ?? 'all'
}

/** Returns an address with the view that the workspace has made the default of a kind, where the address names none. */
export function withDefaultView(
  address: ListAddress,
  views: readonly { readonly id: string; readonly isDefault: boolean }[] | undefined,
): ListAddress {
  const usual = views?.find(({ isDefault }) => isDefault)
  return address.view === undefined && usual ? { ...address, view: usual.id } : address
}

/** Returns the id of the chosen view: `all`, `mine`, or a saved one. */
export function viewIdOf(entityType: string, { view }: Pick<ListAddress, 'view'>): string {
  return view ?? usualViewOf(entityType)
}

/** Whether a view is one that every list has. */
export function isStanding(view: string): view is StandingView {
  return standingViews.some((one) => one === view)
}

const own: readonly string[] = [
  'search',
  'view',
  'f',
  'filter',
  'sort',
  'sortBy',
  'sortOrder',
  'thenBy',
  'page',
  'pageSize',
  'limit',
  'savedFilterId',
]
const notParams: readonly string[] = [
  ...own,
  'cols',
  'sums',
  'layout',
  'density',
  'by',
  'peek',
  'fields',
  'expand',
  'compact',
]

/** Returns the group of a text; undefined when it is no usable filter. */
export function groupIn(text: unknown): WireGroup | undefined {
  if (typeof text !== 'string' || text.length > structuredLimits.characters) return undefined
  try {
    readConditions(text)
    return JSON.parse(text) as WireGroup
  } catch {
    return undefined
  }
}

/** Returns the members of a group. */
export function membersOf(group: WireGroup): readonly (WireCondition | WireGroup)[] {
  return 'and' in group ? group.and : group.or
}

/** Returns a group with other members; undefined without any. */
export function withMembers(group: WireGroup, members: readonly (WireCondition | WireGroup)[]): WireGroup | undefined {
  if (members.length === 0) return undefined
  return 'and' in group ? { and: members } : { or: members }
}

/** Returns all conditions of a group. */
export function conditionsOf(group: WireGroup): readonly WireCondition[] {
  return membersOf(group).flatMap((member) => ('field' in member ? [member] : conditionsOf(member)))
}

/** Adds a condition that must hold as well. */
export function withCondition(group: WireGroup | undefined, condition: WireCondition): WireGroup {
  if (group === undefined) return { and: [condition] }
  return 'and' in group ? { and: [...group.and, condition] } : { and: [group, condition] }
}

/** Returns a group without the conditions on some fields; undefined when nothing is left. */
export function withoutFields(group: WireGroup, fields: readonly string[]): WireGroup | undefined {
  const left = membersOf(group).flatMap((member): readonly (WireCondition | WireGroup)[] => {
    if ('field' in member) return fields.includes(member.field) ? [] : [member]
    const inner = withoutFields(member, fields)
    return inner ? [inner] : []
  })
  return withMembers(group, left)
}

/** An id in the place of the word for the caller, which only the API knows. */
const anyId = '00000000-0000-7000-8000-000000000000'

/**
 * Splits the parameters of a list into conditions and the others: a parameter that is named after a field is a condition on it, so that
 * people can see and change it.
 */
export function conditionsFrom(
  entityType: string,
  params: Readonly<Record<string, unknown>>,
): { readonly group: WireGroup | undefined; readonly rest: Readonly<Record<string, string>> } {
  const { params: known } = factsOf(entityType)
  let group = groupIn(params['filter'])
  const add = (condition: WireCondition): void => {
    // The router keeps a parameter that was read beside the condition that it became.
    const isKnown = group && membersOf(group).some((member) => JSON.stringify(member) === JSON.stringify(condition))
    if (!isKnown) group = withCondition(group, condition)
  }
  const rest: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    const taken = Object.hasOwn(known, name) ? known[name] : undefined
    if (text === '' || notParams.includes(name)) continue
    if (name === 'tag') add({ field: 'tags', op: 'is', value: text })
    else if (typeof taken === 'string') {
      // An address may be old or wrong; a value that the list would refuse is left out.
      const values = text.replaceAll(/\bme\b/g, anyId).split(',')
      const asked = values.map((one) => one.trim()).join(',')
      if (new RegExp(taken).test(asked)) add(conditionFrom(name, text))
    } else if (taken === null || name.startsWith('cf_')) rest[name] = text
  }
  return { group, rest }
}

function conditionFrom(field: string, text: string): WireCondition {
  if (text === 'true' || text === 'false') return { field, op: 'is', value: text === 'true' }
  return text.includes(',')
    ? { field, op: 'in', value: text.split(',').map((part) => part.trim()) }
    : { field, op: 'is', value: text }
}

/** Returns the function that reads an address of a kind; invalid parts are ignored. */
export function addressReader(entityType: string): (raw: Readonly<Record<string, unknown>>) => ListAddress {
  return (raw) => {
    const { group, rest } = conditionsFrom(entityType, { ...raw, filter: raw['f'] })
    const page = wholeNumber(raw['page'])
    const pageSize = pageSizes.find((size) => size === wholeNumber(raw['pageSize']))
    const layout = layouts.find((one) => one === raw['layout']) ?? (raw['view'] === 'list' ? 'table' : undefined)
    return definedOnly({
      ...rest,
      search: textIn(raw['search'], 200),
      view: viewIn(raw),
      // An empty text means that a view's conditions are taken off.
      f: group ? JSON.stringify(group) : raw['f'] === '' ? '' : undefined,
      sort: sortIn(raw),
      cols: textIn(raw['cols'], 2_000),
      sums: textIn(raw['sums'], 400),
      layout,
      density: densities.find((one) => one === raw['density']),
      by: textIn(raw['by'], 80),
      peek: idIn(raw['peek']),
      page: page === 1 ? undefined : page,
      pageSize: pageSize === usualPageSize ? undefined : pageSize,
    })
  }
}

function viewIn(raw: Readonly<Record<string, unknown>>): string | undefined {
  const standing = standingViews.find((one) => one === raw['view'])
  return standing ?? idIn(raw['view']) ?? idIn(raw['savedFilterId'])
}

function sortIn({ sort, sortBy, sortOrder }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof sortBy === 'string') return sortBy === '' ? undefined : `${sortOrder === 'asc' ? '' : '-'}${sortBy}`
  const text = textIn(sort, 300)
  const [field, direction] = text?.split(':') ?? []
  return direction === undefined ? text : `${direction === 'asc' ? '' : '-'}${field}`
}

function textIn(value: unknown, max: number): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim().slice(0, max) : ''
  return trimmed === '' ? undefined : trimmed
}

function definedOnly(address: Readonly<Record<string, unknown>>): ListAddress {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)) as ListAddress
}
