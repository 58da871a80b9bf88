import { deliveries, success } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { findDelivery, insertRedelivery, listDeliveries, type DeliveryRow } from './deliveries.repository.ts'
import { findSeen, mentionsOfRuns, subjectOf } from '../automation/sight.ts'
import { deliveryRecord, hiddenDelivery, sendDelivery, type DeliveryRecord } from './deliveries.sending.ts'

export const implementedDeliveries = implement(deliveries, {
  list: async ({ query }, context) => {
    const { items, total } = await listDeliveries(
      context.db,
      context.workspace.id,
      query,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf({ items: await asSeen(context, items), total }, query)
  },

  get: async ({ params }, context) => {
    const [shown] = await asSeen(context, [await requireDelivery(context, params.id)])
    return success(shown as DeliveryRecord)
  },

  redeliver: async ({ params }, context) => {
    const earlier = await requireDelivery(context, params.id)
    const [shown] = await asSeen(context, [earlier])
    if (shown?.isHidden)
      throw new ApiError('ACCESS_DENIED', { message: 'The request tells of a record that you may not see' })
    if (earlier.state === 'SENDING') throw context.refuse('INVALID_TRANSITION', { message: 'The request is under way' })
    const id = await context.transact(async (tx) => {
      await audit(tx, context, {
        action: 'delivery.repeated',
        subjectType: 'DELIVERY',
        subjectId: earlier.id,
        summary: `A request to ${new URL(earlier.request.url).host}`,
      })
      return insertRedelivery(tx, earlier, context.at)
    })
    return success(deliveryRecord(await sendDelivery(context, id, earlier.request)))
  },
})

/** Deliveries as far as the caller may see, now, the records that they tell of. */
async function asSeen(context: CrmContext, rows: readonly DeliveryRow[]): Promise<DeliveryRecord[]> {
  const ofRuns = await mentionsOfRuns(
    context,
    rows.flatMap(({ runId }) => runId ?? []),
  )
  const mentionsOf = (row: DeliveryRow) => (row.runId === null ? subjectOf(row) : (ofRuns.get(row.runId) ?? []))
  const seesAll = await findSeen(context, rows.flatMap(mentionsOf))
  return rows.map((row) => (seesAll(mentionsOf(row)) ? deliveryRecord(row) : hiddenDelivery(row)))
}

async function requireDelivery({ db, workspace }: CrmContext, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(db, workspace.id, id)
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such delivery' })
  return row
}
