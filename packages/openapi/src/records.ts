import { declaredOperations, type Resource, type Shaped } from '@crm/contract'
import { jsonSchemaOf, mapSchema, type JsonSchema } from './json-schema.ts'

/** Returns the record of each resource, as its `get` shows it, by component name such as `LeadsRecord`. */
export function recordSchemas(contract: Readonly<Record<string, Resource>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    declaredOperations(contract)
      .filter(({ key }) => key === 'get')
      .flatMap(({ resource, operation }) => {
        const { properties } = jsonSchemaOf(operation.reply.body) as {
          readonly properties?: { readonly data?: JsonSchema }
        }
        if (properties?.data?.['type'] !== 'object') return []
        const name = `${pascalCase(resource.name)}Record`
        return [
          [name, properties.data] as const,
          ...(operation.shaped ? [[`${name}Part`, partOf(properties.data)] as const] : []),
        ]
      }),
  )
}

/** Returns the schema of a record as the parameters `fields` and `compact` shape it: only its id is certain. */
function partOf(record: JsonSchema): JsonSchema {
  return { ...record, required: ['id'] }
}

/** Says of an answer that its records may be shaped: whole without the parameters for it, parts with them. */
export function withParts(schema: JsonSchema, shaped: Shaped): JsonSchema {
  const record = jsonSchemaOf(shaped.record)
  const text = JSON.stringify(record)
  return mapSchema(schema, (inner) => (JSON.stringify(inner) === text ? { anyOf: [record, partOf(record)] } : inner))
}

/** Replaces every part of a document that equals one of the schemas by a reference. */
export function withReferences<T>(document: T, schemas: Readonly<Record<string, JsonSchema>>): T {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  const replace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(replace)
    if (node === null || typeof node !== 'object') return node
    const name = 'properties' in node ? names.get(JSON.stringify(node)) : undefined
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replace(value)]))
  }
  return replace(document) as T
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
