import { createEgress, type OutboundRequest } from '@crm/egress'
import { hideHeaders } from '../automation/header-secrets.ts'
import type { CrmContext } from '../../../platform/context.ts'
import { finishDelivery, type DeliveryRow } from './deliveries.repository.ts'

/** Sends a request whose delivery stands in the log already, and gives the delivery with what came of it. */
export async function sendDelivery(
  { deps, workspace }: CrmContext,
  id: string,
  request: DeliveryRow['request'],
): Promise<DeliveryRow> {
  const egress = createEgress({
    allowCidrs: deps.outboundAllowCidrs,
    ...(deps.outboundResolver ? { resolver: deps.outboundResolver } : {}),
  })
  try {
    return await finishDelivery(deps.db, workspace.id, id, await egress.send(request as OutboundRequest))
  } finally {
    await egress.close()
  }
}

/** A delivery as the settings show it. */
export function deliveryRecord({
  id,
  ruleId,
  ruleRunId,
  runId,
  state,
  request,
  status,
  durationMs,
  responseBody,
  error,
  attemptedAt,
  redeliveryOf,
}: DeliveryRow) {
  const { method, url, headers, body } = request
  // Every other request of a rule belongs to a run of it, or repeats one.
  const isTest = ruleId !== null && ruleRunId === null && redeliveryOf === null
  return {
    id,
    ruleId,
    runId,
    state,
    request: hideHeaders({ method, url, headers: { ...headers }, body }),
    status,
    durationMs,
    responseBody,
    error,
    attemptedAt,
    redeliveryOf,
    isTest,
    isHidden: false,
  }
}
