import type { Operation } from '@crm/contract'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'

interface Schema {
  readonly [keyword: string]: unknown
}

/** The arguments for an operation, by their place in the request. */
export interface Sample {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The body; undefined when the operation has none. */
  readonly body: unknown
}

/** Makes arguments from the declaration alone: the required ones, and free texts; `text` keeps the calls apart. */
export function sampleOf({ params, query, body }: Operation, text: string): Sample {
  return {
    params: params ? (valueOf(schemaOf(params), text) as Sample['params']) : {},
    query: query ? (valueOf({ ...schemaOf(query), freeTexts: false }, text) as Sample['query']) : {},
    body: body ? valueOf(schemaOf(body), text) : undefined,
  }
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function valueOf(schema: Schema, text: string): unknown {
  const variants = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (variants?.[0]) return valueOf(variants[0], text)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return membersOf(schema, text)
    case 'array':
      return [valueOf((schema['items'] ?? {}) as Schema, text)]
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1))
    case 'boolean':
      return true
    default:
      return textOf(schema, text)
  }
}

function membersOf(
  { properties = {}, required = [], freeTexts = true }: Schema,
  text: string,
): Readonly<Record<string, unknown>> {
  const isGiven = (name: string, schema: Schema): boolean =>
    (required as readonly string[]).includes(name) ||
    name === 'ids' ||
    name === 'addTags' ||
    (freeTexts === true && isFreeText(schema))
  const given = Object.entries(properties as Readonly<Record<string, Schema>>).filter(([name, schema]) =>
    isGiven(name, schema),
  )
  return Object.fromEntries(given.map(([name, schema]) => [name, namedValue(name, text) ?? valueOf(schema, text)]))
}

/** The name of a text tells its format when the schema cannot. */
function namedValue(name: string, text: string): string | undefined {
  if (name === 'email') return `${text}@sample.example`
  if (name === 'contentBase64') return Buffer.from(text).toString('base64')
  return name === 'contentType' ? 'text/plain' : undefined
}

function isFreeText(schema: Schema): boolean {
  const [first = schema] = (schema['anyOf'] ?? []) as readonly Schema[]
  return (
    first['type'] === 'string' &&
    !('format' in first) &&
    !('pattern' in first) &&
    !('enum' in first) &&
    Number(first['maxLength'] ?? 100) >= 100
  )
}

function textOf({ format, pattern, maxLength }: Schema, text: string): string {
  if (format === 'uuid' || format === 'guid' || String(pattern).includes('[0-9a-fA-F]{8}')) return randomUUID()
  if (format === 'date-time') return '2026-06-01T08:00:00.000Z'
  if (format === 'date') return '2026-06-01'
  if (format === 'email') return `${text}@sample.example`
  if (String(pattern).startsWith('^[a-z]+:')) return `lead:${randomUUID()}`
  if (pattern === '^[A-Z]{3}$') return 'EUR'
  if (pattern === '^[A-Z][A-Z0-9_]*$') return 'LEAD'
  if (String(pattern).includes('\\d')) return '12'
  return text.slice(0, Number(maxLength ?? 100))
}
