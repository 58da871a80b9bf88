/** What the address of a list says; what it leaves out is as usual. */
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
  /** Sorted from A to Z by the first click. */
  readonly textFields: readonly Sort[]
  /** The parameters that hold the id of another record. */
  readonly filters: readonly Filter[]
  /** The parameters that hold one of a few words. */
  readonly choices?: Readonly<Record<Choice, readonly string[]>>
}

/** How the address of one kind of list is read and changed. */
export function listAddress<
  const Sort extends string,
  const Filter extends string,
  const Choice extends string = never,
>({ sortFields, textFields, filters, choices }: ListAddress<Sort | 'createdAt', Filter, Choice>) {
  type Search = ListSearch<Sort | 'createdAt', Filter | Choice>
  const words: [string, readonly string[]][] = Object.entries(choices ?? {})

  /** Reads the address; what makes no sense is left out, as if it had not been written. */
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

  /** The parameters of the list that an address asks for. */
  const queryOf = ({
    page = 1,
    pageSize = usualPageSize,
    sortBy = 'createdAt',
    sortOrder = 'desc',
    ...narrowing
  }: Search) => ({ ...narrowing, sortBy, sortOrder, page, pageSize })

  /** The address after a change; every change but that of the page begins at the first page. */
  const change = (search: Search, changed: Search): Search => read({ ...search, page: undefined, ...changed })

  return {
    read,
    queryOf,
    change,
    /** The address after a click on a column: by it, then the other way round. */
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

/** An id in an address; anything else is none. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? value : undefined
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 1 && number <= 999_999_999 ? number : undefined
}

/** The page in an address that says nothing else; the first one is left out. */
export function readPage({ page }: Readonly<Record<string, unknown>>): { readonly page?: number } {
  const number = wholeNumber(page)
  return number === undefined || number === 1 ? {} : { page: number }
}

function definedOnly<T extends object>(search: T): Partial<T> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<T>
}
