import * as z from 'zod'

const hiddenValues = new WeakMap<z.ZodType, unknown>()

/** Declares a field that holds findings of a person's reach, and the value that replaces them for readers who may not see all of it. */
export function found<Schema extends z.ZodType>(schema: Schema, hidden: z.input<Schema>): Schema {
  // A copy, so that other uses of the same schema are unaffected.
  const declared = schema.clone()
  hiddenValues.set(declared, hidden)
  return declared
}

/** Returns the value that replaces a hidden found field; undefined where the schema is no found field. */
export function hiddenValueOf(schema: z.ZodType): { readonly value: unknown } | undefined {
  return hiddenValues.has(schema) ? { value: hiddenValues.get(schema) } : undefined
}

/** Returns the objects of an answer that are shown or hidden as a whole: objects with an id and findings, or with findings of their own. */
export function objectsWithFindings(schema: z.ZodType): readonly z.ZodObject[] {
  if (!(schema instanceof z.ZodObject)) return partsOf(schema).flatMap(objectsWithFindings)
  const parts = Object.values(schema.shape) as z.ZodType[]
  const isOne = parts.some(hiddenValueOf) || ('id' in schema.shape && parts.some(holdsFindings))
  return isOne ? [schema] : parts.flatMap(objectsWithFindings)
}

/** Returns the schemas from which a schema is built. */
export function partsOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[]
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return [schema.unwrap() as z.ZodType]
  return []
}

function holdsFindings(schema: z.ZodType): boolean {
  return hiddenValueOf(schema) !== undefined || partsOf(schema).some(holdsFindings)
}
