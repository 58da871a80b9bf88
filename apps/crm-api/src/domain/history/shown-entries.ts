import type { changeSources, ShownTimelineEntry, timelineKinds } from '@crm/contract'
import type { Executor } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import type { EntryRow } from '../../records/history.ts'
import { quoteOf, readNamesOf, type Names } from './entry-names.ts'

/** Shows an entry of a history with its names. */
export function showEntry(row: EntryRow, names: Names): ShownTimelineEntry {
  const { actorType, actorId, actorName, changes, viaType, viaId, viaName, ...rest } = row
  return {
    ...rest,
    title: names.title,
    links: [...names.links],
    quote: quoteOf(names),
    kind: row.kind as (typeof timelineKinds)[number],
    source: row.source as (typeof changeSources)[number],
    changes: changes.map(({ field, from, to }) => ({ field, from, to })),
    actor: { type: actorType, id: actorId, name: actorName },
    via: viaType === null ? null : { type: viaType, id: viaId, name: viaName },
  }
}

/** A page of a history before its entries have names. */
interface HistoryPage {
  readonly items: readonly EntryRow[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** Shows a page of a history with the names that the caller may see; entries of records that are gone meanwhile are left out. */
export async function showHistory(db: Executor, context: CrmContext, { items, ...page }: HistoryPage) {
  const names = await readNamesOf(db, context, items)
  return {
    ...page,
    items: items.flatMap((row) => {
      const known = names.of(row)
      return known ? [showEntry(row, known)] : []
    }),
  }
}
