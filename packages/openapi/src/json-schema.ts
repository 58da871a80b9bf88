import { z } from 'zod'

/** A JSON Schema (draft 2020-12), as used in a document. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the JSON Schema of a zod schema's input, without parts that only zod needs. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return mapSchema(body, (inner) => withoutNoise(nullableAsType(inner)))
}

/** Returns the schemas of query or path parameters by name, with the types that callers see. */
export function parameterSchemas(group: z.ZodObject): Readonly<Record<string, JsonSchema>> {
  const { properties } = jsonSchemaOf(group) as { readonly properties: Readonly<Record<string, JsonSchema>> }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      parameterSchema(schema, group.shape[name]?.meta()?.['default']),
    ]),
  )
}

/** Returns the names of required members. */
export function requiredNames(schema: JsonSchema): readonly string[] {
  return (schema['required'] as readonly string[] | undefined) ?? []
}

/** Returns the schema of a parameter, which is sent as text; `integer` is the contract's hint that the text is a whole number. */
function parameterSchema({ integer, ...schema }: JsonSchema, fallback: unknown): JsonSchema {
  const withDefault = fallback === undefined ? {} : { default: fallback }
  if (integer) {
    const { min, max } = integer as { readonly min: number; readonly max?: number }
    const { pattern: _, type: __, ...rest } = schema
    return definedOnly({ type: 'integer', minimum: min, maximum: max, ...rest, ...withDefault })
  }
  if (isTrueOrFalse(schema)) {
    const { enum: _, ...rest } = schema
    return { ...rest, type: 'boolean', ...withDefault }
  }
  return { ...schema, ...withDefault }
}

function isTrueOrFalse({ enum: values }: JsonSchema): boolean {
  return Array.isArray(values) && values.length === 2 && values.includes('true') && values.includes('false')
}

const mapsOfSchemas = new Set(['properties', 'patternProperties', '$defs'])
const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const innerSchemas = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

/** Changes every schema inside a schema, then the schema itself; names of properties are not treated as keywords. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = (inner: unknown): unknown => (isObject(inner) ? mapSchema(inner, change) : inner)
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (mapsOfSchemas.has(keyword) && isObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner)]))]
    if (listsOfSchemas.has(keyword) && Array.isArray(value)) return [keyword, value.map(mapped)]
    return [keyword, innerSchemas.has(keyword) ? mapped(value) : value]
  })
  return change(Object.fromEntries(entries) as JsonSchema)
}

function isObject(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Writes `anyOf: [X, null]` as one schema with two types. */
function nullableAsType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [inner, nothing] = anyOf as [JsonSchema, JsonSchema]
  if (nothing['type'] !== 'null' || typeof inner['type'] !== 'string') return schema
  const values = Array.isArray(inner['enum']) ? { enum: [...inner['enum'], null] } : {}
  return { ...inner, ...rest, type: [inner['type'], 'null'], ...values }
}

/** Removes redundant parts: a pattern or text that repeats a format, the bounds of every safe integer, keys that are strings. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const { pattern, format, description, minimum, maximum, propertyNames, ...rest } = schema
  return definedOnly({
    ...rest,
    format: rest['anyOf'] ? undefined : format,
    description: String(description).toLowerCase() === format ? undefined : description,
    pattern: typeof format === 'string' ? undefined : pattern,
    minimum: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    propertyNames: isAnyKey(propertyNames) ? undefined : propertyNames,
  })
}

function isAnyKey(propertyNames: unknown): boolean {
  return JSON.stringify(propertyNames) === '{"type":"string"}'
}

function definedOnly(schema: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}
