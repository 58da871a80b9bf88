import { suggestionsFor, type Issue } from '@crm/errors'
import { isUnavailable } from '@crm/db/unavailable'
import type { Tool } from '@crm/tools'
import type { ApiAnswer } from './crm-api.ts'
import { RpcError, rpcErrors } from './protocol.ts'

/** A refusal that also decides the HTTP status of the answer. */
export class HttpRefusal extends RpcError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: number,
    message: string,
    { data, headers = {} }: { data?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
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

/** Reads the body of a refusal; a body that is not JSON becomes its `error` text. */
export function readRefusal(answer: ApiAnswer): ApiRefusal {
  const text = answer.body.toString()
  try {
    const body: unknown = JSON.parse(text)
    return body !== null && typeof body === 'object' ? (body as ApiRefusal) : { error: text }
  } catch {
    return { error: text || `The API answered ${answer.status}` }
  }
}

/** Adds the nearest known word for each value of a body that is none. */
export function withNearWords(body: ApiRefusal, sent: unknown): ApiRefusal {
  const issues = (Array.isArray(body['issues']) ? body['issues'] : []) as readonly Issue[]
  const found = issues.flatMap(({ path, values = [] }) => {
    const value = path.reduce((at, part) => (at as Readonly<Record<string, unknown>> | undefined)?.[part], sent)
    const near = typeof value === 'string' ? suggestionsFor([value], values.map(String)) : undefined
    return Object.entries(near ?? {})
  })
  return found.length === 0 ? body : { ...body, details: { suggestions: Object.fromEntries(found) } }
}

/** Returns the refusal of a parameter in the words of a tool whose argument has another name. */
export function inArguments(body: ApiRefusal, { queryArguments }: Tool['route']): ApiRefusal {
  const details = body['details'] as { readonly param?: unknown } | undefined
  const { param } = details ?? {}
  const [argument] = Object.entries(queryArguments).find(([, parameter]) => parameter === param) ?? []
  if (argument === undefined || argument === param) return body
  const error = String(body.error).replace(`${String(param)}:`, `${argument}:`)
  return { ...body, error, details: { ...details, param: argument } }
}

/**
 * The refusal of a missing or invalid credential. The answer says which of the two it is (RFC 6750), and points to
 * where a client can get one (RFC 9728).
 */
export function unauthorized(metadataUrl: string, { wasShown }: { readonly wasShown: boolean }): HttpRefusal {
  return new HttpRefusal(401, rpcErrors.unauthorized, 'A valid credential is required', {
    data: { status: 401, code: 'AUTHENTICATION_ERROR' },
    headers: {
      'www-authenticate': `Bearer resource_metadata="${metadataUrl}"${wasShown ? ', error="invalid_token"' : ''}`,
    },
  })
}

/**
 * The refusal of a person or credential without access; `challenge` names the scope to ask for when only the credential
 * lacks it.
 */
export function forbidden(
  body: ApiRefusal,
  { permission, challenge }: { readonly permission?: string; readonly challenge?: string } = {},
): HttpRefusal {
  return new HttpRefusal(403, rpcErrors.forbidden, String(body.error), {
    data: { ...body, status: 403, ...(permission === undefined ? {} : { permission }) },
    headers: challenge === undefined ? {} : { 'www-authenticate': challenge },
  })
}

/**
 * Returns the API's request for a wider scope, with the place where a client learns how to ask for it. The API makes
 * one only when the person holds the right and the connection does not; undefined when it makes none.
 */
export function scopeChallenge(wwwAuthenticate: string | null, metadataUrl: string): string | undefined {
  return wwwAuthenticate?.includes('insufficient_scope')
    ? `${wwwAuthenticate}, resource_metadata="${metadataUrl}"`
    : undefined
}

/** The refusal of a request that cannot be answered now, as the API words it. */
export const unavailable = {
  status: 503,
  retryAfter: '5',
  body: { error: 'The service cannot answer now; please try again', code: 'SERVICE_UNAVAILABLE' },
} as const

/** Returns any other refusal of a request that is no tool call, with the status of the API. */
export function passedOn(answer: Pick<ApiAnswer, 'status' | 'retryAfter'>, body: ApiRefusal): HttpRefusal {
  const code = answer.status === 429 ? rpcErrors.rateLimited : rpcErrors.unavailable
  return new HttpRefusal(answer.status, code, String(body.error), {
    data: { ...body, status: answer.status },
    headers: answer.retryAfter === null ? {} : { 'retry-after': answer.retryAfter },
  })
}

/** Returns the same refusal for a service that itself cannot answer now. */
export function outOfService(): HttpRefusal {
  return passedOn(unavailable, unavailable.body)
}

/** Returns the refusal that an error stands for, with its own HTTP status; undefined for every other error. */
export function httpRefusalOf(error: unknown): HttpRefusal | undefined {
  if (error instanceof HttpRefusal) return error
  return isUnavailable(error) ? outOfService() : undefined
}
