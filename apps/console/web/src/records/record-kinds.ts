import type { RecordField, RecordKindSchema } from '@crm/contract'
import { plainKinds } from '@crm/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../base/api.ts'
import { capitalized, inDigits } from '../base/texts.ts'
import { rememberCustomPaths } from './custom-paths.ts'
import { countOfKnown, kindInWords } from './kind-words.ts'

export type Kind = RecordKindSchema
export type Field = RecordField

/** The types of fields that hold a number. */
export const numberTypes: readonly Field['type'][] = ['NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING']

/** The kinds of records that the person sees, with their fields. */
export const kindsQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: async ({ signal }) => {
    const kinds = (await crm.recordSchema.get({ signal })).kinds.map(kindInWords)
    rememberCustomPaths(kinds)
    return kinds
  },
  staleTime: 30_000,
})

const none: readonly Kind[] = []

/** Returns the record kinds that the person sees; none while they are loading. */
export function useKinds(): readonly Kind[] {
  return useQuery(kindsQuery).data ?? none
}

/** Returns one record kind; undefined while it is loading, and for a person who may not see it. */
export function useKind(entityType: string): Kind | undefined {
  return useKinds().find(({ key }) => key === entityType)
}

/** Whether the navigation has no place of its own for a kind: custom entities, and kinds of which nothing is special. */
export function isFurther({ key, isCustom }: Pick<Kind, 'key' | 'isCustom'>): boolean {
  return isCustom || Object.hasOwn(plainKinds, key)
}

/** Returns the heading of a kind, such as “Leads”; the names that people gave stay. */
export function headingOf({ plural, isCustom }: Pick<Kind, 'plural' | 'isCustom'>): string {
  return isCustom ? plural : capitalized(plural)
}

/** Returns a number of records with their noun, such as “1,204 leads”. */
export function countOf({ key, noun, plural }: Pick<Kind, 'key' | 'noun' | 'plural'>, count: number): string {
  return countOfKnown(key, count) ?? `${inDigits(count)} ${count === 1 ? noun : plural}`
}
