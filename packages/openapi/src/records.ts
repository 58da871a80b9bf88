import { declaredOperations, type Resource } from '@crm/contract'
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts'

/** Returns the record of each resource, as its `get` shows it, by component name such as `LeadsRecord`. */
export function recordSchemas(contract: Readonly<Record<string, Resource>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    declaredOperations(contract)
      .filter(({ key }) => key === 'get')
      .flatMap(({ resource, operation }) => {
        const { properties } = jsonSchemaOf(operation.reply.body) as {
          readonly properties?: { readonly data?: JsonSchema }
        }
        return properties?.data?.['type'] === 'object' ? [[`${pascalCase(resource.name)}Record`, properties.data]] : []
      }),
  )
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
