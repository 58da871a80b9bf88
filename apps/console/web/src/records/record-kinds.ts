import type { RecordField, RecordKindSchema } from '@crm/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../base/api.ts'

export type Kind = RecordKindSchema
export type Field = RecordField

/** The kinds of records that the person sees, with their fields. */
export const kindsQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: async ({ signal }) => (await crm.recordSchema.get({ signal })).kinds,
  staleTime: 30_000,
})

const none: readonly Kind[] = []

/** The kinds of records that the person sees; none as long as they are on their way. */
export function useKinds(): readonly Kind[] {
  return useQuery(kindsQuery).data ?? none
}

/** One kind of record; undefined for who may not see it, and as long as it is on its way. */
export function useKind(entityType: string): Kind | undefined {
  return useKinds().find(({ key }) => key === entityType)
}

/** The noun with a capital letter, to begin a line. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
