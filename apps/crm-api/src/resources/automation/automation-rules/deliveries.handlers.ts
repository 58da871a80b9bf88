import { deliveries, success } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { ruleHeaders, workflowHeaders, type SecretPlace } from '@crm/secrets'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  findDelivery,
  findWorkflowOfRun,
  insertRedelivery,
  listDeliveries,
  type DeliveryRow,
} from './deliveries.repository.ts'
import { seenInAutomation } from '../automation/seen.ts'
import { deliveryRecord, sendDelivery } from './deliveries.sending.ts'

export const implementedDeliveries = implement(deliveries, {
  list: async ({ query }, context) => {
    const { items, total } = await listDeliveries(
      context.db,
      context.workspace.id,
      query,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf({ items: items.map(deliveryRecord), total }, query)
  },

  get: async ({ params }, context) => success(deliveryRecord(await requireDelivery(context, params.id))),

  redeliver: async ({ params }, context) => {
    const earlier = await requireDelivery(context, params.id)
    if (!(await seenInAutomation.delivery(context, [earlier.id])).has(earlier.id))
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
    return success(deliveryRecord(await sendDelivery(context, id, earlier.request, await headersOf(context, earlier))))
  },
})

/** Returns where the values of the headers of a delivery were sealed: for its rule, or for the workflow of its run. */
async function headersOf({ db, workspace }: CrmContext, { ruleId, runId }: DeliveryRow): Promise<SecretPlace> {
  if (ruleId !== null) return ruleHeaders(workspace.id, ruleId)
  return workflowHeaders(workspace.id, (runId !== null && (await findWorkflowOfRun(db, workspace.id, runId))) || '')
}

async function requireDelivery({ db, workspace }: CrmContext, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(db, workspace.id, id)
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such delivery' })
  return row
}
