import { z } from 'zod'

/** A JSON Schema (draft 2020-12), as a tool shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>

interface Node {
  [keyword: string]: unknown
}

/**
 * The JSON Schema of what may be sent for a zod schema, cut to what a model needs to fill it in.
 *
 * Limits are left out, because the API states them when they are broken and a list of tools has no room. So is `null` where
 * nothing can be cleared: in a new record it says no more than leaving the field out.
 */
export function compactSchema(schema: z.ZodType, { withNull }: { withNull: boolean }): JsonSchema {
  const { $schema: _, ...compact } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Called for what is inside before what is around it.
    override: ({ zodSchema, jsonSchema }) => simplify(jsonSchema as Node, { withNull, fallback: z.globalRegistry.get(zodSchema)?.['default'] }),
  })
  return compact
}

const limits = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern', 'propertyNames', 'additionalProperties']

function simplify(node: Node, { withNull, fallback }: { withNull: boolean; fallback: unknown }): void {
  for (const limit of limits) delete node[limit]
  nameType(node, fallback)
  joinVariants(node, withNull)
  if (node['format'] === 'uuid') delete node['format']
  if (node['description'] === 'UUID') delete node['description']
}

/** A parameter is text on the wire; a model is told the type that it stands for. */
function nameType(node: Node, fallback: unknown): void {
  if (node['integer']) node['type'] = 'integer'
  delete node['integer']
  if (fallback !== undefined) node['default'] = fallback
  if (String(node['enum']) !== 'true,false') return
  node['type'] = 'boolean'
  delete node['enum']
}

/** Says `X or null` with one schema, and text in one of several formats with the first. */
function joinVariants(node: Node, withNull: boolean): void {
  const variants = (node['anyOf'] ?? []) as readonly Node[]
  const [first, second] = variants
  if (!first) return
  if (second?.['type'] === 'null' && variants.length === 2 && typeof first['type'] === 'string') {
    replaceVariants(node, first)
    if (!withNull) return
    node['type'] = [first['type'], 'null']
    if (Array.isArray(first['enum'])) node['enum'] = [...(first['enum'] as unknown[]), null]
  } else if (variants.every((variant) => 'format' in variant)) {
    replaceVariants(node, first)
  }
}

function replaceVariants(node: Node, by: Node): void {
  const own = { ...node }
  for (const keyword of Object.keys(node)) delete node[keyword]
  const { anyOf: _, ...rest } = own
  Object.assign(node, by, rest)
}
