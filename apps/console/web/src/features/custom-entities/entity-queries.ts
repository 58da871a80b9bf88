import type { CustomEntityRecord } from '@crm/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { collectionOf } from '../../records/record-place.ts'
import type { RecordSearch } from './record-search.ts'

export type EntityField = CustomEntityRecord['fields'][number]

const recordPageSize = 50

/** Reads one page of the records of a type; the last page stays until the next one comes. */
export function customRecordsQuery({ key, entityType }: CustomEntityRecord, { search, page = 1 }: RecordSearch) {
  const query = { search, page, pageSize: recordPageSize }
  return queryOptions({
    queryKey: [collectionOf(entityType), 'list', query],
    queryFn: ({ signal }) => crm.customRecords.list({ params: { key }, query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One record of a type. */
export function customRecordQuery({ key, entityType }: CustomEntityRecord, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'one', id],
    queryFn: async ({ signal }) => (await crm.customRecords.get({ params: { key, id }, signal })).data,
  })
}
