import type { SortedBy } from '@crm/contract'
import type { CrmContext } from '../../platform/context.ts'
import { listRecords } from '../../records/owned/list.ts'
import { presentByIds, readHandlers, type Present } from '../../records/owned/handlers.ts'
import { momentOf } from '../../records/moment.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { inSlices } from '../../records/slices.ts'
import { prepareToRender } from '../../pdf/render-pdf.ts'

/** The query of a list by `limit`; its filters stand beside. */
export interface LimitQuery {
  readonly page: number
  readonly limit: number
  readonly sort?: SortedBy<string>
  readonly thenBy?: readonly SortedBy<string>[]
}

/** Returns a page of a list by `limit`, which has no count of pages (docs/guide/lists.md). */
export async function listByLimit<Row extends OwnedRow, Shown>(
  kind: RecordKind<Row>,
  context: CrmContext,
  { limit, sort, ...query }: LimitQuery,
  present: Present<Row, Shown>,
) {
  const asked = { ...query, pageSize: limit, sortOrder: 'desc' as const, ...sort }
  const scope = context.scope(kind.entityType)
  const { items, total, later } = await listRecords(context.db, kind, {
    scope,
    query: asked,
    customFieldFilters: new Map(),
    customFields: [],
    moment: momentOf(context),
  })
  return inSlices(
    { items: await present(context.db, context, items), total, page: query.page, pageSize: limit },
    later,
    (ids) => presentByIds(kind, context, present, scope, ids),
  )
}

/** Returns the handler that shows one document. The reader may ask for the PDF next, so the PDF process is started meanwhile. */
export function showHandler<Row extends OwnedRow, Shown>(kind: RecordKind<Row>, present: Present<Row, Shown>) {
  const { get } = readHandlers(kind, present)
  return (...asked: Parameters<typeof get>): ReturnType<typeof get> => {
    prepareToRender()
    return get(...asked)
  }
}
