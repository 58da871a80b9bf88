import type { CrmContext } from '../../platform/context.ts'
import { findMatches, type Asked, type SearchedRows } from './search.matches.ts'
import { findAlike, type Guess } from './search.near.ts'

/** Something that was found. */
export interface Hit {
  readonly id: string
  readonly title: string
  readonly snippet: string
}

/** What was found of one kind. */
export interface Found {
  readonly hits: readonly Hit[]
  readonly isPartial: boolean
}

/** One kind of record as search finds and reads it, as far as the caller sees it. */
export interface Searchable {
  /** Where the console shows one, below the address of the workspace. */
  readonly path: string
  find(asked: Asked): Promise<Found>
  /** What may be meant by a text that is misspelled, whether it is near enough or not; null when it takes too long to find. */
  guess(asked: Asked, guess: Guess): Promise<readonly Hit[] | null>
  read(context: CrmContext, id: string): Promise<(Hit & { readonly record: object }) | null>
}

interface SearchedTable extends Pick<Searchable, 'path' | 'read'> {
  /** Null when the caller may see none. */
  rows(context: CrmContext): SearchedRows | null
  hits(context: CrmContext, ids: readonly string[]): Promise<readonly Hit[]>
}

/** Search over a table with an index of its texts. */
export function searchTable({ path, rows: rowsFor, hits, read }: SearchedTable): Searchable {
  const hitsOf = async (context: CrmContext, ids: readonly string[]) => (ids.length === 0 ? [] : hits(context, ids))
  return {
    path,
    read,
    find: async (asked) => {
      const rows = rowsFor(asked.context)
      const { ids, isPartial } = rows ? await findMatches(rows, asked) : { ids: [], isPartial: false }
      return { hits: await hitsOf(asked.context, ids), isPartial }
    },
    guess: async (asked, guess) => {
      const rows = rowsFor(asked.context)
      const ids = rows ? await findAlike(rows, guess, asked) : []
      return ids && hitsOf(asked.context, ids)
    },
  }
}
