import { errorCodes, type ErrorCode } from './codes.ts'

/** One problem of a request body: where it is and what is wrong (docs/guide/errors.md). */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly code?: string
  readonly values?: readonly unknown[]
}

/** What an error may carry beside its code. */
export interface ErrorExtras {
  /** Replaces the usual text of the code. */
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly issues?: readonly Issue[]
  readonly requiredPermission?: string
  /** The module of MODULE_DISABLED. */
  readonly key?: string
  readonly reason?: string
  /** Seconds until a retry makes sense, sent as `Retry-After`. */
  readonly retryAfterS?: number
  /** The methods that a path has, sent as `Allow`. */
  readonly allow?: readonly string[]
  /** Another HTTP status than the code usually has. */
  readonly status?: number
}

/** A deliberate refusal with a stable code. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, extras: ErrorExtras = {}) {
    super(extras.message ?? errorCodes[code].text)
    this.name = 'ApiError'
    this.code = code
    this.status = extras.status ?? errorCodes[code].status
    this.extras = extras
  }
}

/** A body that is not JSON: 400 with a fixed text and no code (docs/guide/errors.md). */
export class InvalidJsonError extends Error {
  readonly status = 400

  constructor() {
    super('Invalid JSON body')
    this.name = 'InvalidJsonError'
  }
}

/** A VALIDATION_ERROR about one field. */
export function invalidField(path: string | readonly (string | number)[], message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { issues: [{ path: typeof path === 'string' ? [path] : path, message }] })
}

/** An INVALID_REFERENCE that names the field holding the unknown id. */
export function invalidReference(field: string): ApiError {
  return new ApiError('INVALID_REFERENCE', {
    message: `${field} refers to a record that is not in the workspace`,
    details: { field },
  })
}

/** An INVALID_QUERY_PARAM that names the parameter and, where one of its words is near a known one, that. */
export function invalidQueryParam(
  param: string,
  message: string,
  suggestions?: Readonly<Record<string, string>>,
): ApiError {
  return new ApiError('INVALID_QUERY_PARAM', {
    message: `${param}: ${message}`,
    details: { param, message, suggestions },
  })
}
