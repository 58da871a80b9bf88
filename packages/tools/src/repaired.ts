import { own } from '@crm/contract'
import { variantsOf, type JsonSchema } from './compact-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns arguments with texts read as JSON where the schema wants something else, at any depth: some clients send every argument as text, and
 * some can send objects with unknown members in no other way. Nothing else changes.
 */
export function repairedMembers(fields: Fields, { properties = {}, additionalProperties }: JsonSchema): Fields {
  const schemas = properties as Readonly<Record<string, JsonSchema>>
  const schemaOf = (name: string) => own(schemas, name) ?? (additionalProperties as JsonSchema | undefined)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, repaired(value, schemaOf(name) ?? {})]),
  )
}

function repaired(value: unknown, schema: JsonSchema): unknown {
  const forms = variantsOf(schema)
  const types = forms.map(({ type }) => type)
  const isText = types.includes('string') && !types.includes('object')
  const read = typeof value === 'string' && !isText ? readAs(types, value) : value
  if (Array.isArray(read)) {
    const items = forms.find((form) => 'items' in form)?.['items']
    return items ? read.map((one) => repaired(one, items as JsonSchema)) : read
  }
  const named = forms.find((form) => 'properties' in form)
  return named && isFields(read) ? repairedMembers(read, named) : read
}

function readAs(types: readonly unknown[], text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return types.some((wanted) => isOf(wanted, parsed)) ? parsed : text
  } catch {
    return text
  }
}

function isOf(type: unknown, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isFields(value)
  if (type === 'integer') return Number.isInteger(value)
  return (type === 'number' || type === 'boolean') && typeof value === type
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
