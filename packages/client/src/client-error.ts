import type { ErrorCode } from '@crm/errors'

/** A code that this version knows, which editors suggest, or one of a newer service. */
export type AnyErrorCode = ErrorCode | (string & Record<never, never>)

/** The API refused a call, could not be reached, or answered with something else than the operation declares. */
export class ClientError extends Error {
  /** HTTP status; 0 without an answer, and below 300 where the answer is not what the operation declares. */
  readonly status: number
  /** The stable code as received, of a newer service too; null when the answer has none. */
  readonly code: AnyErrorCode | null
  /** The body as received: parsed when it is JSON, else text; undefined without an answer. */
  readonly body: unknown

  constructor(status: number, body: unknown, options?: ErrorOptions) {
    super(textOf(body) ?? usualText(status), options)
    this.name = 'ClientError'
    this.status = status
    this.code = codeOf(body)
    this.body = body
  }
}

/** Reads the code beside `error`, or within it in the nested format of the booking API. */
function codeOf(body: unknown): AnyErrorCode | null {
  const code = member(body, 'code') ?? member(member(body, 'error'), 'code')
  return typeof code === 'string' ? code : null
}

function usualText(status: number): string {
  if (status === 0) return 'The service cannot be reached'
  return status < 300 ? `The answer ${status} is not what the service sends` : `The service answered ${status}`
}

function textOf(body: unknown): string | undefined {
  const error = member(body, 'error')
  const text = typeof error === 'string' ? error : member(error, 'message')
  return typeof text === 'string' ? text : undefined
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
