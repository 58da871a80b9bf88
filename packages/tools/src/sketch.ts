import type { JsonSchema } from './compact-schema.ts'

/**
 * Describes the inside of an argument as a sketch, `{name, amount?: number, kind: A|B}`, which takes half as many tokens
 * as a nested schema; plain text has no type beside its name.
 */
export function withSketch(argument: JsonSchema): JsonSchema {
  if (isDeep(argument)) return { type: 'object', description: described(argument, sketchOf(argument)) }
  const items = argument['items'] as JsonSchema | undefined
  if (!items || !isDeep(items)) return argument
  return { ...argument, items: { type: 'object', description: described(items, sketchOf(items)) } }
}

function described({ description }: JsonSchema, sketch: string): string {
  return typeof description === 'string' ? `${description}: ${sketch}` : sketch
}

function isDeep(schema: JsonSchema): boolean {
  return 'properties' in schema || variantsOf(schema).some((variant) => 'properties' in variant)
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]
}

function sketchOf(schema: JsonSchema): string {
  const variants = variantsOf(schema)
  if (variants.length > 0) return variants.map(sketchOf).join(' | ')
  if ('const' in schema) return String(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].join('|')
  if (schema['type'] === 'array') return `${sketchOf((schema['items'] ?? {}) as JsonSchema)}[]`
  if ('properties' in schema) return sketchOfMembers(schema)
  const kind = schema['format'] ?? schema['type']
  return typeof kind === 'string' ? kind : 'any'
}

function sketchOfMembers({ properties, required = [] }: JsonSchema): string {
  const members = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => {
    const isRequired = (required as readonly string[]).includes(name)
    const value = isLarge(schema) ? 'object' : sketchOf(schema)
    return `${name}${isRequired ? '' : '?'}${value === 'string' ? '' : `: ${value}`}`
  })
  return `{${members.join(', ')}}`
}

const innerMembersMax = 8

/** Whether a part has so many members that it is a record of its own, which the tool that makes such records describes. */
function isLarge({ properties }: JsonSchema): boolean {
  return properties !== undefined && Object.keys(properties as object).length > innerMembersMax
}
