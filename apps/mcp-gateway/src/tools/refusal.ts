import type { ApiAnswer } from './crm-api.ts'
import { RpcError, rpcErrors } from './protocol.ts'

/** A refusal that also decides the HTTP status of the answer. */
export class HttpRefusal extends RpcError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: number, message: string, { data, headers = {} }: { data?: unknown; headers?: Readonly<Record<string, string>> } = {}) {
    super(code, message, data)
    this.name = 'HttpRefusal'
    this.status = status
    this.headers = headers
  }
}

/** The body of a refusal of the API. */
export interface ApiRefusal {
  readonly error?: unknown
  readonly code?: unknown
  readonly requiredPermission?: unknown
  readonly [member: string]: unknown
}

/** Reads a refusal's body; one that is not JSON becomes its `error` text. */
export function readRefusal(answer: ApiAnswer): ApiRefusal {
  const text = answer.body.toString()
  try {
    const body: unknown = JSON.parse(text)
    return body !== null && typeof body === 'object' ? (body as ApiRefusal) : { error: text }
  } catch {
    return { error: text || `The API answered ${answer.status}` }
  }
}

/** No credential, or a dead one: the answer points to where a client can get one. */
export function unauthorized(metadataUrl: string): HttpRefusal {
  return new HttpRefusal(401, rpcErrors.unauthorized, 'A valid credential is required', {
    data: { status: 401, code: 'AUTHENTICATION_ERROR' },
    headers: { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"` },
  })
}

/** The person or the credential may not do this. */
export function forbidden(body: ApiRefusal, { permission, wwwAuthenticate }: { permission?: string; wwwAuthenticate: string | null }): HttpRefusal {
  // The API asks for a wider scope only when the person holds the right and the connection does not.
  const asksForScope = wwwAuthenticate?.includes('insufficient_scope') === true
  return new HttpRefusal(403, rpcErrors.forbidden, String(body.error), {
    data: { ...body, status: 403, ...(permission === undefined ? {} : { permission }) },
    headers: asksForScope ? { 'www-authenticate': wwwAuthenticate } : {},
  })
}

/** Any other refusal of a request that is no tool call, with the status of the API. */
export function passedOn(answer: Pick<ApiAnswer, 'status' | 'retryAfter'>, body: ApiRefusal): HttpRefusal {
  const code = answer.status === 429 ? rpcErrors.rateLimited : rpcErrors.unavailable
  return new HttpRefusal(answer.status, code, String(body.error), {
    data: { ...body, status: answer.status },
    headers: answer.retryAfter === null ? {} : { 'retry-after': answer.retryAfter },
  })
}
