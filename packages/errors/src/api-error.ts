import { errorCodes, type ErrorCode } from './codes.ts'

/** A problem of a request body: its place and its cause (docs/guide/errors.md). */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly code?: string
  readonly values?: readonly unknown[]
}

/** The optional details of an error besides its code. */
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
  /** The methods of a path, sent as `Allow`. */
  readonly allow?: readonly string[]
  /** An HTTP status other than the code's usual one. */
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

/** Makes a VALIDATION_ERROR about one field. */
export function invalidField(path: string | readonly (string | number)[], message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { issues: [{ path: typeof path === 'string' ? [path] : path, message }] })
}

/** Makes an ACCESS_DENIED that names the permission that the caller lacks. */
export function permissionRequired(permission: string): ApiError {
  return new ApiError('ACCESS_DENIED', {
    message: `The permission ${permission} is required`,
    requiredPermission: permission,
  })
}

/** Makes an INVALID_REFERENCE that names the field with the unknown id. */
export function invalidReference(field: string): ApiError {
  return new ApiError('INVALID_REFERENCE', {
    message: `${field} refers to a record that is not in the workspace`,
    details: { field },
  })
}

/** Makes an INVALID_QUERY_PARAM that names the parameter and, where one of its words is similar to a known one, the known word. */
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
