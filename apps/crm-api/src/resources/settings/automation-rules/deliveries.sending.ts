import { createEgress, type OutboundRequest } from '@crm/egress'
import { hideHeaders } from '../automation/header-secrets.ts'
import type { CrmContext } from '../../../platform/context.ts'
import { finishDelivery, type DeliveryRow } from './deliveries.repository.ts'

/** Sends a request whose delivery is already in the log, and returns the delivery with its result. */
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

/** Returns a delivery in the form of the settings. */
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
  // Every other request of a rule belongs to a run of it, or repeats an earlier request.
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
