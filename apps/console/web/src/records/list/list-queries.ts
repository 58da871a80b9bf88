import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { summedInOwnDays } from '../../base/moments.ts'
import { callsOf } from '../record-calls.ts'
import { collectionOf } from '../record-place.ts'

/** Reads one page of a list of any kind; the last page stays until the next one comes. */
export function listQuery(entityType: string, query: Readonly<Record<string, string | number>>) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'list', query],
    queryFn: ({ signal }) => callsOf(entityType).list(query, signal),
    placeholderData: keepPreviousData,
  })
}

/** A figure of a summary: a number, or money by currency. */
export type Figure = string | Readonly<Record<string, string>> | null

/** One group of a summary. */
export interface SummaryCell {
  readonly count: number
  readonly sum?: Readonly<Record<string, Figure>>
  readonly avg?: Readonly<Record<string, Figure>>
  readonly min?: Readonly<Record<string, Figure>>
  readonly max?: Readonly<Record<string, Figure>>
  readonly weighted?: Readonly<Record<string, Figure>>
}

interface SummaryAnswer {
  readonly groups: readonly (SummaryCell & { readonly by: readonly { readonly value: string | boolean | null }[] })[]
  readonly totals: SummaryCell
}

interface SummaryCalls {
  summary(args: object): Promise<SummaryAnswer>
}

/** Reads figures about the records that a list finds, by a client of the API. */
export function summaryQuery(
  entityType: string,
  query: Readonly<Record<string, string | number>>,
  client: typeof crm = crm,
) {
  const all = client as unknown as Readonly<Record<string, SummaryCalls>>
  const isOwn = collectionOf(entityType) in all
  const calls = (isOwn ? all[collectionOf(entityType)] : all['customRecords']) as SummaryCalls
  return queryOptions({
    queryKey: [collectionOf(entityType), 'summary', query],
    queryFn: ({ signal }) =>
      calls.summary({ params: isOwn ? {} : { key: entityType.toLowerCase() }, query: summedInOwnDays(query), signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads the views of a kind that the person may use. */
export const viewsQuery = (entityType: string) =>
  queryOptions({
    queryKey: ['saved-filters', entityType],
    queryFn: ({ signal }) =>
      allItems((page) => crm.savedFilters.list({ query: { entityType, page, pageSize: 100 }, signal })),
    staleTime: 60_000,
  })

export type SavedView = Awaited<ReturnType<typeof crm.savedFilters.list>>['items'][number]
