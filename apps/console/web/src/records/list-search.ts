/** The address of a list; absent parts have their defaults. */
export type ListSearch<Sort extends string = string, Filter extends string = string> = {
  readonly search?: string
  readonly sortBy?: Sort
  readonly sortOrder?: 'asc' | 'desc'
  readonly page?: number
  readonly pageSize?: number
} & { readonly [Name in Filter]?: string }

export const pageSizes = [20, 50, 100] as const
const usualPageSize = pageSizes[0]

interface ListAddress<Sort extends string, Filter extends string, Choice extends string> {
  readonly sortFields: readonly Sort[]
  /** The fields that the first click sorts from A to Z. */
  readonly textFields: readonly Sort[]
  /** The parameters that hold the id of another record. */
  readonly filters: readonly Filter[]
  /** The parameters that hold a word of a small set. */
  readonly choices?: Readonly<Record<Choice, readonly string[]>>
}

/** Returns the functions that read and change the address of a list. */
export function listAddress<
  const Sort extends string,
  const Filter extends string,
  const Choice extends string = never,
>({ sortFields, textFields, filters, choices }: ListAddress<Sort | 'createdAt', Filter, Choice>) {
  type Search = ListSearch<Sort | 'createdAt', Filter | Choice>
  const words: [string, readonly string[]][] = Object.entries(choices ?? {})

  /** Reads the address; invalid parts are ignored. */
  const read = (raw: Readonly<Record<string, unknown>>): Search => {
    const page = wholeNumber(raw['page'])
    const pageSize = pageSizes.find((size) => size === wholeNumber(raw['pageSize']))
    return definedOnly({
      search: text(raw['search']),
      ...Object.fromEntries(filters.map((name) => [name, idIn(raw[name])])),
      ...Object.fromEntries(words.map(([name, known]) => [name, known.find((word) => word === raw[name])])),
      sortBy: sortFields.find((field) => field === raw['sortBy']),
      sortOrder: raw['sortOrder'] === 'asc' ? 'asc' : undefined,
      page: page === 1 ? undefined : page,
      pageSize: pageSize === usualPageSize ? undefined : pageSize,
    }) as Search
  }

  /** Returns the parameters of the list for an address. */
  const queryOf = ({
    page = 1,
    pageSize = usualPageSize,
    sortBy = 'createdAt',
    sortOrder = 'desc',
    ...narrowing
  }: Search) => ({ ...narrowing, sortBy, sortOrder, page, pageSize })

  /** Returns the address after a change; every change except that of the page returns to the first page. */
  const change = (search: Search, changed: Search): Search => read({ ...search, page: undefined, ...changed })

  return {
    read,
    queryOf,
    change,
    /** Returns the address after a click on a column: sorted by it, then in the other direction. */
    sortedBy: (search: Search, field: Sort | 'createdAt'): Search => {
      const { sortBy, sortOrder } = queryOf(search)
      const flipped = sortOrder === 'asc' ? 'desc' : 'asc'
      return change(search, {
        sortBy: field,
        sortOrder: sortBy === field ? flipped : textFields.includes(field) ? 'asc' : 'desc',
      })
    },
    /** Whether the address narrows the list. */
    isNarrowed: (search: Search): boolean =>
      [
        search.search,
        ...[...filters, ...words.map(([name]) => name)].map(
          (name) => (search as Readonly<Record<string, unknown>>)[name],
        ),
      ].some((value) => value !== undefined),
  }
}

function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim().slice(0, 200) : ''
  return trimmed === '' ? undefined : trimmed
}

/** Returns an id in an address; undefined for anything else. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 1 && number <= 999_999_999 ? number : undefined
}

/** Reads the page of an address that has no other parameters; the first page is left out. */
export function readPage({ page }: Readonly<Record<string, unknown>>): { readonly page?: number } {
  const number = wholeNumber(page)
  return number === undefined || number === 1 ? {} : { page: number }
}

function definedOnly<T extends object>(search: T): Partial<T> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<T>
}

const notNarrowing: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder']

/** Returns the parameters that choose the records of a list. */
export function narrowingOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const narrowing = Object.entries(query).filter(([name, value]) => value !== undefined && !notNarrowing.includes(name))
  return Object.fromEntries(narrowing.map(([name, value]) => [name, String(value)]))
}
