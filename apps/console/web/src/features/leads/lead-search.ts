import { leadSortFields, leadStatuses, temperatures } from '@crm/contract'
import { idIn } from '../../records/list-search.ts'

/** What the address of the lead list says; what it leaves out is as usual. */
export interface LeadSearch {
  readonly search?: string
  readonly status?: (typeof leadStatuses)[number]
  readonly temperature?: (typeof temperatures)[number]
  readonly savedFilterId?: string
  readonly sortBy?: (typeof leadSortFields)[number]
  readonly sortOrder?: 'asc' | 'desc'
  readonly page?: number
  readonly pageSize?: number
}

export const pageSizes = [20, 50, 100] as const
const usualPageSize = pageSizes[0]

/** Reads the address; what makes no sense is left out, as if it had not been written. */
export function readLeadSearch(raw: Readonly<Record<string, unknown>>): LeadSearch {
  const page = wholeNumber(raw['page'])
  const pageSize = pageSizes.find((size) => size === wholeNumber(raw['pageSize']))
  return definedOnly({
    search: text(raw['search']),
    status: oneOf(leadStatuses, raw['status']),
    temperature: oneOf(temperatures, raw['temperature']),
    sortBy: oneOf(leadSortFields, raw['sortBy']),
    sortOrder: raw['sortOrder'] === 'asc' ? 'asc' : undefined,
    page: page === 1 ? undefined : page,
    pageSize: pageSize === usualPageSize ? undefined : pageSize,
    savedFilterId: idIn(raw['savedFilterId']),
  })
}

/** The parameters of the list that an address asks for. */
export function leadQueryOf({ page = 1, pageSize = usualPageSize, sortBy = 'createdAt', sortOrder = 'desc', ...filters }: LeadSearch) {
  return { ...filters, sortBy, sortOrder, page, pageSize }
}

/** The address after a change; every change but that of the page begins at the first page. */
export function changeSearch(search: LeadSearch, change: LeadSearch): LeadSearch {
  return readLeadSearch({ ...search, page: undefined, ...change })
}

/** The address after a click on a column: by it, then the other way round. */
export function sortedBy(search: LeadSearch, field: NonNullable<LeadSearch['sortBy']>): LeadSearch {
  const { sortBy, sortOrder } = leadQueryOf(search)
  const textFirst = field === 'lastName' || field === 'companyName' ? 'asc' : 'desc'
  const flipped = sortOrder === 'asc' ? 'desc' : 'asc'
  return changeSearch(search, { sortBy: field, sortOrder: sortBy === field ? flipped : textFirst })
}

/** Whether the address narrows the list. */
export function isNarrowed({ search, status, temperature, savedFilterId }: LeadSearch): boolean {
  return savedFilterId !== undefined || search !== undefined || status !== undefined || temperature !== undefined
}

function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim().slice(0, 200) : ''
  return trimmed === '' ? undefined : trimmed
}

function oneOf<const Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value)
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 1 && number <= 999_999_999 ? number : undefined
}

function definedOnly<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T
}
