import { isErrorCode, type ErrorCode } from '@crm/errors'

/** The API refused a call, or could not be reached. */
export class ClientError extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** The stable code; null when the answer has none. */
  readonly code: ErrorCode | null
  /** The body as received: parsed when it is JSON, else text; undefined without an answer. */
  readonly body: unknown

  constructor(status: number, body: unknown, options?: ErrorOptions) {
    super(textOf(body) ?? (status === 0 ? 'The service cannot be reached' : `The service answered ${status}`), options)
    this.name = 'ClientError'
    this.status = status
    this.code = codeOf(body)
    this.body = body
  }
}

/** Reads the code beside `error`, or within it in the nested format of the booking API. */
function codeOf(body: unknown): ErrorCode | null {
  const code = member(body, 'code') ?? member(member(body, 'error'), 'code')
  return typeof code === 'string' && isErrorCode(code) ? code : null
}

function textOf(body: unknown): string | undefined {
  const error = member(body, 'error')
  const text = typeof error === 'string' ? error : member(error, 'message')
  return typeof text === 'string' ? text : undefined
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
