import { deliveries, success } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { createEgress, type OutboundRequest } from '@crm/egress'
import { implement, type CrmContext } from '../../../context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { findDelivery, finishDelivery, insertRedelivery, listDeliveries, type DeliveryRow } from './deliveries.repository.ts'

export const implementedDeliveries = implement(deliveries, {
  list: async ({ query }, { db, workspace }) => {
    const { items, total } = await listDeliveries(db, workspace.id, query, query.pageSize, offsetOf(query))
    return pageOf({ items: items.map(toRecord), total }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireDelivery(context, params.id))),

  redeliver: async ({ params }, context) => {
    const earlier = await requireDelivery(context, params.id)
    if (earlier.state === 'SENDING') throw context.refuse('INVALID_TRANSITION', { message: 'The request is under way' })
    const { deps, workspace, at } = context
    const id = await context.transact(async (tx) => {
      await audit(tx, context, { action: 'delivery.repeated', subjectType: 'DELIVERY', subjectId: earlier.id, summary: `A request to ${new URL(earlier.request.url).host}` })
      return insertRedelivery(tx, earlier, at)
    })
    const delivered = await createEgress({ allowCidrs: deps.outboundAllowCidrs }).send(earlier.request as OutboundRequest)
    return success(toRecord(await finishDelivery(deps.db, workspace.id, id, delivered)))
  },
})

async function requireDelivery({ db, workspace }: CrmContext, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(db, workspace.id, id)
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such delivery' })
  return row
}

function toRecord({ id, ruleId, runId, state, request, status, durationMs, responseBody, error, attemptedAt, redeliveryOf }: DeliveryRow) {
  const { method, url, headers, body } = request
  return { id, ruleId, runId, state, request: { method, url, headers: { ...headers }, body }, status, durationMs, responseBody, error, attemptedAt, redeliveryOf }
}
