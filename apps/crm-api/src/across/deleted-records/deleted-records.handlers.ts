import { deletedRecords, success } from '@crm/contract'
import { invalidField } from '@crm/errors'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { resolveKind } from '../../kinds/kinds.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { listDeleted, restoreRecord, type RestoreRules, type RestoringReach } from '../../records/owned/restore.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { priceListWriter } from '../../resources/catalogue/price-lists/price-lists.commands.ts'
import { productWriter } from '../../resources/catalogue/products/products.commands.ts'

/** The kinds whose restore has rules of its own; each rule gets rows of its own kind. */
const rules: Readonly<Record<string, RestoreRules<never>>> = { PRODUCT: productWriter, PRICE_LIST: priceListWriter }

export const implementedDeletedRecords = implement(deletedRecords, {
  list: async ({ query }, context) => {
    const kind = await resolveKind(context.db, context, query.entityType)
    if (!kind)
      throw context.refuse('INVALID_QUERY_PARAM', {
        details: { param: 'entityType', message: 'There is no such kind of record' },
      })
    const { items, total } = await listDeleted(context.db, kind, reachOf(context, kind), {
      search: query.search,
      limit: query.pageSize,
      offset: offsetOf(query),
    })
    return pageOf({ items: items.map((item) => ({ entityType: kind.entityType, ...item })), total }, query)
  },

  restore: async ({ params, body }, context) => {
    const kind = await resolveKind(context.db, context, body.entityType)
    if (!kind) throw invalidField('entityType', 'There is no such kind of record')
    const reach = reachOf(context, kind)
    const row = await context.transact(async (tx) => {
      const restored = await restoreRecord(tx, context, kind, reach, params.id, rules[kind.entityType])
      await audit(tx, context, {
        action: 'record.restored',
        subjectType: kind.entityType,
        subjectId: restored.id,
        summary: `Restored the ${kind.noun} ${kind.title(restored)}`,
      })
      return restored
    })
    return success({ entityType: kind.entityType, id: row.id, title: kind.title(row) })
  },
})

function reachOf(context: CrmContext, { entityType }: RecordKind): RestoringReach {
  return { view: context.scope(entityType), remove: context.scope(entityType, 'DELETE'), at: context.at }
}
