/** What a list is asked for, as a saved filter keeps it. */
export interface ListWish {
  readonly query: Readonly<Record<string, string>>
  readonly sortBy: string | null
  readonly sortOrder: 'asc' | 'desc' | null
}

/** What applying a filter needs of it. */
export interface AppliedFilter extends ListWish {
  readonly id: string
  readonly view: 'LIST' | 'KANBAN' | 'CALENDAR'
}

const notFilters: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder', 'savedFilterId']

const notNarrowing: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder']

/** The parameters that say which records a list is for, a saved filter too. */
export function narrowingOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const narrowing = Object.entries(query).filter(([name, value]) => value !== undefined && !notNarrowing.includes(name))
  return Object.fromEntries(narrowing.map(([name, value]) => [name, String(value)]))
}

/** What the parameters of a list say, without its pages. */
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
 * The address that shows what a filter asks for. What the page can show of it stands there by itself, to be changed like
 * anything else; a filter that asks for more is named by its id, and the API applies it.
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

/** Whether an address shows just what a filter asks for, on whatever page. */
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
