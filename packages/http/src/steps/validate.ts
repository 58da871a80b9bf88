import { id, plainCalendar, type DeclaredOperation, type Operation, type WrongValue } from '@crm/contract'
import { ApiError, InvalidJsonError, invalidQueryParam, suggestionsFor } from '@crm/errors'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { withWordsOf, type Asker } from '../query-words.ts'
import type { Exchange, Step } from '../exchange.ts'
import { toIssues } from '../issues.ts'
import { hasNul, unstorable } from '../storable.ts'
import { incomingUpload } from '../uploads/incoming-upload.ts'

/** Validates path, query and body against their schemas (docs/guide/errors.md). */
export const validate: Step = (exchange, ports) => {
  const { request, input, declared } = exchange
  const { upload } = declared.operation
  Object.assign(
    input,
    checkedValues(
      declared,
      { ...input, params: request.params, ...(upload ? {} : bodyOf(request)) },
      askerOf(exchange),
    ),
  )
  if (upload) input.upload = incomingUpload(exchange, upload, ports.fileBytesMax)
}

/** The values of a request, parsed and not yet checked. */
export interface SentValues {
  readonly params?: unknown
  readonly query?: unknown
  readonly customFieldFilters?: ReadonlyMap<string, string>
  /** Undefined when there is none. */
  readonly body?: unknown
  /** Whether a body is announced as JSON. */
  readonly isJson?: boolean
}

/** Returns the values of a request as their schemas read them, or throws the refusal of the first that is wrong. */
export function checkedValues(
  { operation, resource }: DeclaredOperation,
  sent: SentValues,
  asker: Asker,
): { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown } {
  const wrapped = resource.surface === 'booking'
  refuseUnstorable(sent, wrapped)
  const checked: { params?: unknown; query?: unknown; body?: unknown } = {}
  if (operation.params) checked.params = parsed(operation.params, sent.params, invalidPath)
  if (operation.query)
    checked.query = parsed(
      operation.query,
      withWordsOf(operation.query, sent.query ?? {}, asker),
      wrapped ? invalidBody : invalidQuery,
    )
  if (operation.upload || !operation.body) return checked
  if (isEmptyJson(operation, sent)) throw new InvalidJsonError()
  return { ...checked, body: parsed(operation.body, sent.body ?? {}, invalidBody) }
}

function bodyOf({ body, headers }: FastifyRequest): SentValues {
  return { body, isJson: /\bjson\b/i.test(headers['content-type'] ?? '') }
}

function askerOf({ recognition: { workspace, caller } }: Exchange): Asker {
  return { calendar: workspace ?? plainCalendar, employeeId: caller?.employee.id }
}

/** Whether a body announced as JSON is missing. A verb of one record needs none where its schema requires nothing. */
function isEmptyJson(operation: Operation, { body, isJson }: SentValues): boolean {
  if (body !== undefined || !isJson) return false
  const isVerb = operation.method === 'POST' && operation.path.includes('{')
  return !(isVerb && operation.body?.safeParse({}).success)
}

/** Refuses values in query and body that the database cannot store; the schema or the handler checks the path. */
function refuseUnstorable({ query, customFieldFilters = new Map(), body }: SentValues, wrapped: boolean): void {
  for (const [param, value] of [...Object.entries(query ?? {}), ...customFieldFilters]) {
    if (hasNul(value)) throw nulInQuery(param, wrapped)
  }
  const issue = unstorable(body)
  if (issue) throw new ApiError('VALIDATION_ERROR', { issues: [issue] })
}

function nulInQuery(param: string, wrapped: boolean): ApiError {
  const message = 'NUL characters cannot be searched for'
  if (wrapped) return new ApiError('VALIDATION_ERROR', { issues: [{ path: [param], message }] })
  return invalidQueryParam(param, message)
}

type Refusal = (error: z.ZodError, value: unknown) => ApiError

function parsed(schema: z.ZodType, value: unknown, refusal: Refusal): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refusal(result.error, value)
}

const invalidPath: Refusal = (error) => {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? 'id')
  if (name === 'id' || name.endsWith('Id')) return new ApiError('INVALID_ID', { message: `${name} is not a valid id` })
  return new ApiError('NOT_FOUND')
}

const invalidQuery: Refusal = (error, value) => {
  const issue = error.issues[0]
  const param = String(issue?.path[0] ?? '')
  const sent = (value as Record<string, unknown>)[param]
  const wrongId = param === 'id' || param.endsWith('Id') ? wrongIdIn(sent, issue) : undefined
  if (wrongId !== undefined) return new ApiError('INVALID_ID', { message: `${wrongId} is not a valid id` })
  const message = issue?.message ?? 'The value is not usable'
  return invalidQueryParam(param, message, suggestionsFor(wrongPartsOf(sent, issue), wordsOf(issue)))
}

/** Returns the part of a parameter that is no id, or the parameter where it has no parts. */
function wrongIdIn(sent: unknown, issue: z.core.$ZodIssue | undefined): string | undefined {
  const param = String(issue?.path[0])
  if (sent === undefined || id.safeParse(sent).success) return undefined
  if (typeof sent !== 'string' || !sent.includes(',')) return param
  const part = wrongValueIn(issue)
  return part && `${param}: ${part.wrong}`
}

/** Returns the reason for which one of several values is refused (`WrongValue`), where the issue has one. */
function wrongValueIn(issue: z.core.$ZodIssue | undefined): WrongValue | undefined {
  return issue?.code === 'custom' && issue.params && 'wrong' in issue.params
    ? (issue.params as unknown as WrongValue)
    : undefined
}

/** Returns the part of a parameter that an issue concerns, or all of it. */
function wrongPartsOf(sent: unknown, issue: z.core.$ZodIssue | undefined): readonly string[] {
  const part = wrongValueIn(issue)?.wrong ?? sent
  return typeof part === 'string' ? [part] : []
}

/** Returns the words that would have been accepted. */
function wordsOf(issue: z.core.$ZodIssue | undefined): readonly string[] {
  if (issue?.code === 'invalid_value') return issue.values.map(String)
  if (issue?.code === 'invalid_union') return issue.errors.flat().flatMap(wordsOf)
  return wrongValueIn(issue)?.known ?? []
}

const invalidBody: Refusal = (error) => new ApiError('VALIDATION_ERROR', { issues: toIssues(error) })
