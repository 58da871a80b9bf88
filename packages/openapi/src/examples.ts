import { isPersonFilter, textForms, type Operation, type Summarized, type TextForm } from '@crm/contract'
import { z } from 'zod'
import { requiredNames, type JsonSchema } from './json-schema.ts'

/** The id of nothing (RFC 9562 5.9): as a filter it is valid and finds nothing. */
const nilId = '00000000-0000-0000-0000-000000000000'

/** Kinds of record are told by patterns, as in permissions. */
const kindOfRecord = 'LEAD'

/** Examples of members whose schema says too little, by name. */
const named: Readonly<Record<string, unknown>> = {
  types: 'lead',
  filter: '{"and":[{"field":"createdAt","op":"gte","value":"-30d"}]}',
  thenBy: '-updatedAt',
  currency: 'EUR',
  convertTo: 'EUR',
  domain: 'example.com',
  timezone: 'Europe/Berlin',
  filterTimezone: 'Europe/Berlin',
  price: '10',
  minQuantity: '1',
  key: 'example',
  code: 'BOB',
  rate: '19',
  quantity: '1',
  operation: 'leads.create',
}

/**
 * Returns an example of a query parameter. The examples of all parameters of an operation are valid together, because collections that are
 * made from a document send all of them.
 */
export function parameterExample(operation: Operation, name: string, schema: JsonSchema): unknown {
  const { query, shaped, summarized } = operation
  if (name === 'expand') return Object.keys(shaped?.expandable ?? {})[0]
  if (name === 'groupBy') return firstDimension(summarized)
  if (name === 'measures') return 'count'
  if (name === 'sort') return summarized ? 'count:desc' : 'createdAt:desc'
  const param = innermost(query?.shape[name] as z.ZodType | undefined)
  if (param && isPersonFilter(param)) return 'me'
  const form = param && textForms.get(param)
  return form ? exampleOfForm(form) : (named[name] ?? exampleOf(schema) ?? exampleOfMoment(name))
}

function firstDimension(summarized: Summarized | undefined): string | undefined {
  const [name, dimension] = Object.entries(summarized?.dimensions ?? {})[0] ?? []
  return dimension?.type === 'instant' || dimension?.type === 'day' ? `${name}:month` : name
}

function innermost(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? innermost(schema.unwrap() as z.ZodType)
    : schema
}

function exampleOfForm(form: TextForm): string | undefined {
  if (form.form === 'words') return form.values[0]
  return { ids: nilId, names: 'id', decimal: '100', entityType: 'LEAD', entityTypes: 'LEAD' }[form.form]
}

/** The bounds of ranges are days, dates in words or moments; a day is valid for each. */
function exampleOfMoment(name: string): string | undefined {
  if (/(?:From|Since)$/.test(name)) return '2026-01-01'
  return name.endsWith('To') ? '2026-12-31' : undefined
}

/** Returns an example of a body: the members that it must have, or one text where it needs none. */
export function bodyExample(schema: JsonSchema): unknown {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = requiredNames(schema)
  const members = (required.length > 0 ? required : firstText(properties)).map(
    (name) => [name, named[name] ?? exampleOf(properties[name] ?? {})] as const,
  )
  return members.every(([, value]) => value !== undefined) ? Object.fromEntries(members) : undefined
}

function firstText(properties: Readonly<Record<string, JsonSchema>>): readonly string[] {
  const text = Object.entries(properties).find(([, schema]) => isPlainText(schema))
  return text ? [text[0]] : []
}

function isPlainText({ type, format, pattern, enum: values }: JsonSchema): boolean {
  return (type === 'string' || String(type) === 'string,null') && !format && !pattern && !values
}

/** Returns a value of a schema; undefined where its text says too little about it. */
function exampleOf(schema: JsonSchema): unknown {
  const {
    examples,
    default: usual,
    enum: values,
    const: only,
    type,
    format,
    pattern,
    minimum,
    minItems,
    anyOf,
  } = schema
  const told =
    (examples as readonly unknown[] | undefined)?.[0] ?? usual ?? only ?? (values as unknown[] | undefined)?.[0]
  if (told !== undefined) return told
  if (anyOf) return (anyOf as readonly JsonSchema[]).map(exampleOf).find((one) => one !== undefined)
  if (format === 'uuid') return nilId
  if (format === 'email') return 'ada@example.com'
  if (format === 'date') return '2026-01-31'
  if (format === 'date-time') return '2026-01-31T09:00:00.000Z'
  if (isPlainText(schema)) return 'Example'
  if (pattern && new RegExp(pattern as string, 'u').test(kindOfRecord)) return kindOfRecord
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'array') return minItems ? undefined : []
  return type === 'object' ? bodyExample(schema) : undefined
}
