import { ApiError, InvalidJsonError } from './api-error.ts'
import type { ErrorCode } from './codes.ts'

/** The answer to a refused request, as sent. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterS?: number
}

/** Whether an error is a refusal and not an unexpected fault; only faults get an errorId. */
export function isRefusal(error: unknown): error is ApiError | InvalidJsonError {
  return error instanceof ApiError || error instanceof InvalidJsonError
}

/** Returns an error in the public API's format: `{ error, code?, details?, … }` (docs/guide/errors.md). */
export function toApiAnswer(error: unknown, errorId: string): ErrorAnswer {
  if (error instanceof InvalidJsonError) return { status: 400, body: { error: error.message } }
  if (!(error instanceof ApiError)) {
    return { status: 500, body: { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId } }
  }
  const { details, issues, requiredPermission, key, reason, retryAfterS } = error.extras
  const body = definedOnly({ error: error.message, code: error.code, details, issues, requiredPermission, key, reason })
  return { status: error.status, body, retryAfterS }
}

/** Returns an error in the booking API's format: `{ success: false, error: { code, message } }` (docs/guide/booking.md). */
export function toBookingAnswer(error: unknown, errorId: string): ErrorAnswer {
  if (error instanceof InvalidJsonError) return wrapped(400, 'VALIDATION_ERROR', error.message)
  // No body within the field limits is this long (docs/guide/limits.md), and the code table (docs/guide/booking.md) has no other code
  // for it.
  if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE')
    return wrapped(400, 'VALIDATION_ERROR', error.message)
  if (!(error instanceof ApiError)) return wrapped(500, 'INTERNAL_ERROR', `Unexpected error (${errorId})`)
  return wrapped(error.status, error.code, withIssues(error), error.extras.retryAfterS)
}

const scimError = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The kinds of error that RFC 7644 has names for; `reason` of a refusal names another one. */
const scimTypes: Partial<Record<ErrorCode, string>> = {
  NAME_TAKEN: 'uniqueness',
  VALIDATION_ERROR: 'invalidValue',
  INVALID_REFERENCE: 'invalidValue',
  INVALID_QUERY_PARAM: 'invalidValue',
}

/** Returns an error in the format of the provisioning API, RFC 7644, section 3.12. */
export function toScimAnswer(error: unknown, errorId: string): ErrorAnswer {
  if (error instanceof InvalidJsonError) return inScim(400, error.message, 'invalidSyntax')
  if (!(error instanceof ApiError)) return inScim(500, `Internal server error (${errorId})`)
  const { reason, retryAfterS } = error.extras
  return { ...inScim(error.status, withIssues(error), reason ?? scimTypes[error.code]), retryAfterS }
}

function inScim(status: number, detail: string, scimType?: string): ErrorAnswer {
  return { status, body: definedOnly({ schemas: [scimError], status: String(status), scimType, detail }) }
}

/** Returns an error in the inbound webhook's format: only `{ error }` (docs/guide/webhooks.md). */
export function toHookAnswer(status: number, text: string, retryAfterS?: number): ErrorAnswer {
  return { status, body: { error: text }, retryAfterS }
}

function wrapped(status: number, code: string, message: string, retryAfterS?: number): ErrorAnswer {
  return { status, body: { success: false, error: { code, message } }, retryAfterS }
}

function withIssues(error: ApiError): string {
  const issues = error.extras.issues ?? []
  if (issues.length === 0) return error.message
  return issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ')
}

function definedOnly(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}
