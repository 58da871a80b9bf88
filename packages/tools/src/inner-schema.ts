import { isAsInAnother, type JsonSchema } from './compact-schema.ts'

/**
 * Cuts the inside of an argument to names, types and known words; its members stay named, because some clients close an object to all members
 * that its schema does not name.
 */
export function withShortInside(argument: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = argument
  return {
    ...argument,
    ...(properties ? { properties: eachOf(properties, namesAndTypes) } : {}),
    ...(items ? { items: namesAndTypes(items as JsonSchema, isDeep(items as JsonSchema)) } : {}),
    ...(anyOf ? { anyOf: (anyOf as readonly JsonSchema[]).map((variant) => namesAndTypes(variant)) } : {}),
  }
}

/** Returns the same argument without words: its types, and the names within. */
export function bareSchema(schema: JsonSchema): JsonSchema {
  return namesAndTypes(schema, false, false)
}

function namesAndTypes(
  { type, enum: words, properties, items, anyOf, description }: JsonSchema,
  isDescribed = false,
  hasWords = true,
): JsonSchema {
  const inner = (schema: JsonSchema): JsonSchema => namesAndTypes(schema, false, hasWords)
  return {
    ...(type ? { type } : {}),
    ...(words && hasWords ? { enum: words } : {}),
    ...(properties ? { properties: eachOf(properties, inner) } : {}),
    ...(items ? { items: inner(items as JsonSchema) } : {}),
    ...(anyOf ? { anyOf: (anyOf as readonly JsonSchema[]).map(inner) } : {}),
    ...(description && (isDescribed || isAsInAnother({ description })) ? { description } : {}),
  }
}

function isDeep(schema: JsonSchema): boolean {
  return 'properties' in schema
}

function eachOf(properties: unknown, change: (schema: JsonSchema) => JsonSchema): Readonly<Record<string, JsonSchema>> {
  const members = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
  return Object.fromEntries(members.map(([name, schema]) => [name, change(schema)]))
}
