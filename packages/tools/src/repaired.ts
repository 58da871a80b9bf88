import { own } from '@crm/contract'
import { variantsOf, type JsonSchema } from './compact-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns arguments in the types of their schema, at any depth: texts read as JSON, because some clients send every argument as text; one value for a list of it;
 * a list of one for its value; a whole number for its digits. Nothing else changes.
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
  const typed = typeof value === 'string' && !isText ? readAs(types, value) : value
  const items = forms.find((form) => 'items' in form)?.['items'] as JsonSchema | undefined
  const read = isText ? textOf(typed) : types.every((type) => type === 'array') ? listOf(typed, items) : typed
  if (Array.isArray(read)) return items ? read.map((one) => repaired(one, items)) : read
  const named = forms.find((form) => 'properties' in form)
  return named && isFields(read) ? repairedMembers(read, named) : read
}

/** Returns what a text argument surely says: digits, or the only text of a list. Other numbers may have lost digits on their way. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 && typeof value[0] === 'string' ? value[0] : (value as unknown)
  return Number.isSafeInteger(value) ? String(value) : value
}

/** Returns a list of the only value; a text with commas may be several, which the API splits where it can. */
function listOf(value: unknown, items: JsonSchema = {}): unknown {
  const isOne =
    typeof value === 'string' ? !/[,;\n]/.test(value) && value !== '' : isFields(value) && mayBe(value, items)
  return isOne ? [value] : value
}

/** Whether an object may be a value of a schema: where a text is wanted, only one that holds nothing but an id. */
function mayBe(fields: Fields, schema: JsonSchema): boolean {
  return !variantsOf(schema).every(({ type }) => type === 'string') || Object.keys(fields).join() === 'id'
}

function readAs(types: readonly unknown[], text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(/^\s*(?:true|false)\s*$/i.test(text) ? text.toLowerCase() : text)
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
