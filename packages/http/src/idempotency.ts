import { ApiError } from '@crm/errors'
import type { Answer, AnyPorts, Exchange, IdempotencyClaim } from './exchange.ts'
import { requestDigest } from './request-digest.ts'

const keyCharactersMax = 255

/** Does the work once for a request's `Idempotency-Key`, or simply does it without a key (docs/guide/idempotency.md). */
export function oncePerKey(
  exchange: Exchange,
  ports: AnyPorts,
  work: (running?: unknown) => Promise<Answer>,
): Promise<Answer> {
  const claim = claimOf(exchange)
  return claim && ports.once ? ports.once(claim, work) : work()
}

function claimOf({ declared, request, recognition }: Exchange): IdempotencyClaim | null {
  const key = request.headers['idempotency-key']
  if (!declared.operation.idempotent || key === undefined || !recognition.workspace || !recognition.caller) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > keyCharactersMax)
    throw new ApiError('IDEMPOTENCY_KEY_INVALID')
  const path = request.url.split('?', 1)[0] ?? ''
  const fingerprint = requestDigest({ method: request.method, path, body: request.body }).toString('base64url')
  return { workspaceId: recognition.workspace.id, employeeId: recognition.caller.employee.id, key, fingerprint }
}
