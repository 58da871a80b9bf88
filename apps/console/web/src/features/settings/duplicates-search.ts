import { likenessFields } from '../../base/contract.built.ts'
import { readPage } from '../../records/address-parts.ts'
import { isMergeable } from '../../records/merge-plan.ts'
import type { AnyRecord } from '../../records/record-calls.ts'
import type { Kind } from '../../records/record-kinds.ts'

/** What the page of duplicates shows: a kind, and the field in which its records are alike. */
export interface DuplicatesSearch {
  readonly kind?: string | undefined
  readonly by?: string | undefined
  readonly page?: number
}

/** Reads what the page shows from its address. */
export function readDuplicatesSearch({ kind, by, page }: Record<string, unknown>): DuplicatesSearch {
  return {
    ...(typeof kind === 'string' && { kind }),
    ...(typeof by === 'string' && { by }),
    ...readPage({ page }),
  }
}

/** Returns the kinds whose records a person may merge. */
export function mergeableKinds(known: readonly Kind[], may: (permission: string) => boolean): readonly Kind[] {
  return known.filter(({ key }) => isMergeable(key) && may(`UPDATE_${key}`) && may(`DELETE_${key}`))
}

/** Returns the fields by which the API finds records of a kind that are alike, its usual one first. */
export function waysOf(entityType: string): readonly string[] {
  return likenessFields[entityType] ?? []
}

/** Records that are alike in a value. */
export interface LikeGroup {
  readonly value: string
  readonly count: number
  readonly records: readonly AnyRecord[]
}

/** Returns a group with its records, which the API names by their kind. */
export function groupOf({ value, count, ...named }: Readonly<Record<string, unknown>>): LikeGroup {
  const records = Object.values(named).find((one) => Array.isArray(one)) as readonly AnyRecord[] | undefined
  return { value: String(value), count: Number(count), records: records ?? [] }
}
