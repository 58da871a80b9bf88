/** The parameters of a list, as a saved filter keeps them. */
export interface ListWish {
  readonly query: Readonly<Record<string, string>>
  readonly sortBy: string | null
  readonly sortOrder: 'asc' | 'desc' | null
}

/** The part of a saved filter that is needed to apply it. */
export interface AppliedFilter extends ListWish {
  readonly id: string
  readonly view: 'LIST' | 'KANBAN' | 'CALENDAR'
}

const notFilters: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder', 'savedFilterId']

const notNarrowing: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder']

/** Returns the parameters that select the records of a list, including a saved filter. */
export function narrowingOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const narrowing = Object.entries(query).filter(([name, value]) => value !== undefined && !notNarrowing.includes(name))
  return Object.fromEntries(narrowing.map(([name, value]) => [name, String(value)]))
}

/** Returns the parameters of a list without its pages. */
export function wishOf(
  query: Readonly<Record<string, unknown>> & { readonly sortBy: string; readonly sortOrder: 'asc' | 'desc' },
): ListWish {
  const narrowing = Object.entries(query).filter(([name, value]) => value !== undefined && !notFilters.includes(name))
  return {
    query: Object.fromEntries(narrowing.map(([name, value]) => [name, String(value)])),
    sortBy: query.sortBy,
    sortOrder: query.sortOrder,
  }
}

/**
 * Returns the address that shows the result of a filter. Parameters that the page can show are in the address directly,
 * and can be changed there; a filter with further parameters is named by its id, and the API applies it.
 */
export function addressOfFilter<Address extends object>(
  { id, query, sortBy, sortOrder, view }: AppliedFilter,
  read: (raw: Readonly<Record<string, unknown>>) => Address,
): Address {
  const isUsual = sortBy === null || (sortBy === 'createdAt' && sortOrder !== 'asc')
  const order = isUsual ? {} : { sortBy, sortOrder: sortOrder ?? 'desc', sort: `${sortBy}:${sortOrder ?? 'desc'}` }
  const plain = read({ ...query, ...order, ...(view === 'KANBAN' ? {} : { view: 'list' }) })
  const isShown = Object.entries(query).every(
    ([name, value]) => String((plain as Readonly<Record<string, unknown>>)[name]) === value,
  )
  return isShown ? plain : read({ savedFilterId: id, ...order, view: 'list' })
}

/** Whether an address shows exactly the result of a filter, on any page. */
export function isApplied<Address extends object>(
  filter: AppliedFilter,
  search: Address,
  read: (raw: Readonly<Record<string, unknown>>) => Address,
): boolean {
  return (
    JSON.stringify(addressOfFilter(filter, read)) ===
    JSON.stringify(read({ ...search, page: undefined, pageSize: undefined }))
  )
}
