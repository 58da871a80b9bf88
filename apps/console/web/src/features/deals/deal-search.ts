import { dealStatuses, type dealSortFields } from '@crm/contract'
import { idIn } from '../../records/list-search.ts'

/** The address of the deals; absent parts have their defaults. */
export interface DealSearch {
  readonly view?: 'list'
  readonly pipelineId?: string
  readonly search?: string
  readonly status?: (typeof dealStatuses)[number]
  readonly sort?: DealSort
  readonly page?: number
  readonly savedFilterId?: string
}

type DealSort = `${(typeof dealSortFields)[number]}:${'asc' | 'desc'}`

/** The sort orders of the list, the default one first. */
export const dealSorts = {
  'createdAt:desc': 'Newest first',
  'amount:desc': 'Largest first',
  'expectedCloseDate:asc': 'Closing soonest',
  'name:asc': 'By name',
  'updatedAt:desc': 'Changed last',
} as const satisfies Partial<Record<DealSort, string>>

const dealPageSize = 50

/** Reads the address; invalid parts are ignored. */
export function readDealSearch(raw: Readonly<Record<string, unknown>>): DealSearch {
  const page = Number(raw['page'])
  const sort = (Object.keys(dealSorts) as DealSort[]).find((known) => known === raw['sort'])
  const read = {
    view: raw['view'] === 'list' ? ('list' as const) : undefined,
    pipelineId: text(raw['pipelineId']),
    search: text(raw['search']),
    status: dealStatuses.find((known) => known === raw['status']),
    sort: sort === 'createdAt:desc' ? undefined : sort,
    page: Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? page : undefined,
    savedFilterId: idIn(raw['savedFilterId']),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** Returns the parameters of the list for an address. */
export function dealQueryOf({
  page = 1,
  sort = 'createdAt:desc',
  search,
  status,
  pipelineId,
  savedFilterId,
}: DealSearch) {
  const [sortBy, sortOrder] = sort.split(':') as [(typeof dealSortFields)[number], 'asc' | 'desc']
  return { search, status, pipelineId, savedFilterId, sortBy, sortOrder, page, pageSize: dealPageSize }
}

function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim().slice(0, 200) : ''
  return trimmed === '' ? undefined : trimmed
}
