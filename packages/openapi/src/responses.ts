import { possibleCodes, showsVersion, statusOf, type DeclaredOperation, type Reply, type Surface } from '@crm/contract'
import { errorCodes, type ErrorCode } from '@crm/errors'
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts'
import { withParts } from './records.ts'

const retryAfter = {
  'Retry-After': { description: 'Seconds until a retry makes sense', schema: { type: 'integer', minimum: 0 } },
}

/** The body of every refusal of the public and the settings API (docs/guide/errors.md). */
export const apiError: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Text for people; act on code instead' },
    code: { type: 'string', description: 'Stable; absent when the body is not JSON' },
    details: { type: 'object', additionalProperties: true },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          message: { type: 'string' },
          code: { type: 'string' },
          values: { type: 'array', items: {} },
        },
      },
    },
    requiredPermission: { type: 'string' },
    key: { type: 'string', description: 'The module that is off' },
    reason: { type: 'string', enum: ['plan', 'self'] },
    errorId: { type: 'string', description: 'On 500 only; also in the log of the server' },
  },
}

/** The body of every refusal of the booking API (docs/guide/booking.md). */
export const bookingError: JsonSchema = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}

/** Returns the answers of an operation: its reply, then a reference for each status of its refusals. */
export function responsesOf(declared: DeclaredOperation): Readonly<Record<string, JsonSchema>> {
  const { reply } = declared.operation
  const replies = [reply, ...(reply.also ? [reply.also] : [])]
  return {
    ...Object.fromEntries(
      replies.map((one) => [
        one.status,
        { description: describeStatus(one.status), ...headersOf(declared), content: contentOf(one, declared) },
      ]),
    ),
    ...(declared.operation.revalidated ? { 304: { description: 'Unchanged since the ETag in If-None-Match' } } : {}),
    ...Object.fromEntries(
      refusalsOf(declared).map((refusal) => [refusal.status, { $ref: `#/components/responses/${refusal.name}` }]),
    ),
  }
}

function headersOf(declared: DeclaredOperation): JsonSchema {
  return showsVersion(declared)
    ? {
        headers: {
          ETag: { description: 'The version of the record in quotes, for If-Match', schema: { type: 'string' } },
        },
      }
    : {}
}

/** Returns the refusals that operations share, by name. */
export function sharedRefusals(operations: readonly DeclaredOperation[]): Readonly<Record<string, JsonSchema>> {
  const all = operations.flatMap((declared) =>
    refusalsOf(declared).map((refusal) => [refusal.name, refusalResponse(refusal, declared.resource.surface)] as const),
  )
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

interface Refusal {
  readonly name: string
  readonly status: number
  readonly codes: readonly ErrorCode[]
}

function refusalsOf(declared: DeclaredOperation): readonly Refusal[] {
  const codesByStatus = Map.groupBy(possibleCodes(declared), (code) => statusOf(code, declared))
  return [...codesByStatus].map(([status, codes]) => ({ name: [status, ...codes].join('.'), status, codes }))
}

function refusalResponse({ status, codes }: Refusal, surface: Surface): JsonSchema {
  const enumeration = { properties: { code: { enum: codes } } }
  const schema =
    surface === 'booking'
      ? { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: enumeration } }] }
      : { allOf: [{ $ref: '#/components/schemas/Error' }, enumeration] }
  const description = codes.map((code) => `${code}: ${errorCodes[code].text}`).join('\n')
  return { description, ...(status === 429 || status === 503 ? { headers: retryAfter } : {}), content: json(schema) }
}

function contentOf({ body, mediaType }: Reply, { operation: { shaped } }: DeclaredOperation): JsonSchema {
  if (mediaType) return { [mediaType]: { schema: { type: 'string', format: 'binary' } } }
  const schema = jsonSchemaOf(body)
  return json(shaped ? withParts(schema, shaped) : schema)
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}

function describeStatus(status: number): string {
  if (status === 201) return 'Created'
  return status === 202 ? 'Accepted' : 'Done'
}
