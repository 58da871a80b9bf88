import type { ResultContext } from '@crm/contract'
import type { CrmContext } from '../../platform/context.ts'
import { findMatches, type Asked, type SearchedRows } from './search.matches.ts'
import { findAlike, type Guess } from './search.near.ts'

/** What a line says of a hit; its company is named where the results are answered. */
export interface HitContext extends Omit<ResultContext, 'company'> {
  readonly company?: string
  readonly companyId?: string
}

/** A search hit. */
export interface Hit {
  readonly id: string
  readonly title: string
  readonly snippet: string
  readonly context?: HitContext
}

/** The hits of one kind. */
interface Found {
  readonly hits: readonly Hit[]
  readonly isPartial: boolean
}

/** The way in which search finds and reads one kind of record, as far as the caller sees it. */
export interface Searchable {
  /** The path of a record in the console, below the address of the workspace. */
  readonly path: string
  find(asked: Asked): Promise<Found>
  /** Returns possible results for a misspelled text, near enough or not; null when the search takes too long. */
  guess(asked: Asked, guess: Guess): Promise<readonly Hit[] | null>
  read(context: CrmContext, id: string): Promise<(Hit & { readonly record: object }) | null>
}

interface SearchedTable extends Pick<Searchable, 'path' | 'read'> {
  /** Returns the searched rows; null when the caller may see none. */
  rows(context: CrmContext): SearchedRows | null
  hits(context: CrmContext, ids: readonly string[]): Promise<readonly Hit[]>
}

/** Returns the search over a table with an index of its texts. */
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
