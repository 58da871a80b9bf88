import type { documentRecordStatuses } from '@crm/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import type { RecordPlace } from '../../records/record-place.ts'

/** One template. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ['documents', 'one', id],
    queryFn: async ({ signal }) => (await crm.documents.get({ params: { id }, signal })).data,
  })
}

/** All templates by name. */
export const allTemplatesQuery = queryOptions({
  queryKey: ['documents', 'all'],
  queryFn: ({ signal }) =>
    allItems((page) =>
      crm.documents.list({ query: { page, pageSize: 100, sortBy: 'name', sortOrder: 'asc' }, signal }),
    ),
})

/** The first key of all queries about created documents. */
export const madeKey = 'documentRecords'

/** The narrowing of the list of created documents, as it is in the address. */
export interface MadeSearch {
  readonly status?: (typeof documentRecordStatuses)[number]
  /** The template that the documents were made from. */
  readonly documentId?: string
  readonly page?: number
}

/** Reads one page of the created documents; the last page stays until the next one comes. */
export function madeQuery({ page = 1, ...narrowing }: MadeSearch) {
  return queryOptions({
    queryKey: [madeKey, 'list', narrowing, page],
    queryFn: ({ signal }) => crm.documentRecords.list({ query: { ...narrowing, page, pageSize: 50 }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads the documents of a record, page by page, newest first. */
export function madeForQuery({ entityType, entityId }: RecordPlace) {
  return infiniteQueryOptions({
    queryKey: [madeKey, 'of', entityType, entityId],
    queryFn: ({ signal, pageParam }) =>
      crm.documentRecords.list({ query: { entityType, entityId, page: pageParam, pageSize: 20 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })
}
