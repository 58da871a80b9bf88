import type { Scope } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import type { CountsByType } from './search.counts.ts'
import type { Sought } from './search.matches.ts'

/** Something that was found. */
export interface Hit {
  readonly id: string
  readonly title: string
  readonly snippet: string
}

/** An entity type with what the caller sees of it. */
export type ScopedType = readonly [entityType: string, scope: Scope]

/** One kind of record as search finds and reads it, as far as the caller sees it. */
export interface Searchable {
  /** Where the console shows one, below the address of the workspace. */
  readonly path: string
  /** What it must know the counts of to find something: entity types, as far as the caller sees them. */
  counted?(context: CrmContext): readonly ScopedType[]
  find(context: CrmContext, sought: Sought, limit: number, counts: CountsByType): Promise<readonly Hit[]>
  read(context: CrmContext, id: string): Promise<(Hit & { readonly record: object }) | null>
}
