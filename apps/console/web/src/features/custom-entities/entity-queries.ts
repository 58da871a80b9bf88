import type { CustomEntityRecord } from '@crm/contract'
import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { collectionOf } from '../../records/record-place.ts'

export type EntityField = CustomEntityRecord['fields'][number]

/** One record of a type. */
export function customRecordQuery({ key, entityType }: CustomEntityRecord, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'one', id],
    queryFn: async ({ signal }) => (await crm.customRecords.get({ params: { key, id }, signal })).data,
  })
}
