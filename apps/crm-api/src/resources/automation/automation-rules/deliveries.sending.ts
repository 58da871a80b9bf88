import { createEgress, type Delivered, type Egress, type OutboundRequest } from '@crm/egress'
import { openHeaders, SecretUnreadableError, unreadableHeaders, type SecretPlace } from '@crm/secrets'
import { hideHeaders } from '../automation/header-secrets.ts'
import type { CrmContext } from '../../../platform/context.ts'
import { finishDelivery, type DeliveryRow } from './deliveries.repository.ts'

/**
 * Sends a request whose delivery is already in the log, and returns the delivery with its result.
 * @param place where the values of its headers were sealed
 */
export async function sendDelivery(
  context: CrmContext,
  id: string,
  request: DeliveryRow['request'],
  place: SecretPlace,
): Promise<DeliveryRow> {
  const { deps, workspace } = context
  const egress = createEgress({
    allowCidrs: deps.outboundAllowCidrs,
    ...(deps.outboundResolver ? { resolver: deps.outboundResolver } : {}),
  })
  try {
    return await finishDelivery(deps.db, workspace.id, id, await sendOpened(context, egress, request, place))
  } finally {
    await egress.close()
  }
}

async function sendOpened(
  { deps }: CrmContext,
  egress: Egress,
  request: DeliveryRow['request'],
  place: SecretPlace,
): Promise<Delivered> {
  try {
    return await egress.send((await openHeaders(deps.secrets, deps.db, place, request)) as OutboundRequest)
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    deps.logger.error({ err: error }, 'the headers of a request cannot be opened')
    return { ok: false, status: null, durationMs: 0, responseBody: '', truncated: false, error: unreadableHeaders }
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
  responseTruncated,
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
    truncated: responseTruncated,
    error,
    attemptedAt,
    redeliveryOf,
    isTest,
    isHidden: false,
  }
}
