import { textForms, type TextForm } from '@crm/contract'
import { entityTypes } from '@crm/permissions'
import { z } from 'zod'

/** A JSON Schema (draft 2020-12), as a tool shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>

interface Node {
  [keyword: string]: unknown
}

/**
 * The amount of detail in a schema. `brief`: the part that fits into a list of all tools, without limits and formats, because the API
 * states them in its refusals. `full`: known words, formats and every description, for a few tools at a time.
 */
export type SchemaStyle = 'brief' | 'full'

/**
 * Returns the JSON Schema of the input of a zod schema, cut to the part that a model needs.
 *
 * `null` is left out: many clients cannot read a list of types, and strict models would have to send null for all that they leave alone. A tool that can
 * clear fields has an argument for it.
 */
export function compactSchema(schema: z.ZodType, style: SchemaStyle = 'brief'): JsonSchema {
  const compact = rawSchema(schema) as Node
  simplifyDeep(compact, style)
  return compact
}

/** Returns the JSON Schema of the input of a zod schema; `form` says what a text stands for (`TextForm`). */
export function rawSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const fallback = z.globalRegistry.get(zodSchema)?.['default']
      if (typeof fallback === 'number' || typeof fallback === 'string') jsonSchema.default = fallback
      const form = textForms.get(zodSchema)
      if (form) jsonSchema['form'] = form
    },
  })
  // A copy without shared parts, because a cut in one place must not affect another.
  return JSON.parse(JSON.stringify(whole)) as JsonSchema
}

/** Simplifies inner parts before outer ones. */
function simplifyDeep(node: Node, style: SchemaStyle): void {
  const inner = [
    node['items'],
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) => node[keyword] ?? []),
    ...Object.values(node['properties'] ?? {}),
  ]
  for (const part of inner) if (part !== null && typeof part === 'object') simplifyDeep(part as Node, style)
  simplify(node, style)
}

const limits = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'propertyNames',
  'additionalProperties',
]

/** Ids are UUIDs, times and dates ISO 8601 everywhere; one statement covers all tools. */
const saidOnce: Readonly<Record<SchemaStyle, readonly unknown[]>> = {
  brief: ['uuid', 'date-time', 'date'],
  full: ['uuid'],
}

function simplify(node: Node, style: SchemaStyle): void {
  for (const limit of limits) delete node[limit]
  nameType(node)
  joinVariants(node)
  nameForm(node, style)
  if (saidOnce[style].includes(node['format'])) delete node['format']
  if (node['description'] === 'UUID') delete node['description']
  if (style === 'brief') shortenWords(node)
  // A default matters only where it limits the answer; elsewhere it is the usual behaviour.
  if (typeof node['default'] !== 'number' || node['default'] === 1) delete node['default']
}

/** Names the meaning of a text, where there is room for it. */
function nameForm(node: Node, style: SchemaStyle): void {
  const form = node['form'] as TextForm | undefined
  delete node['form']
  if (!form) return
  if (style === 'brief') {
    if (form.form === 'words' && form.values.length > wordsMax) node['description'] = firstOf(form.values)
    return
  }
  if (form.form === 'decimal') node['format'] = 'decimal'
  if (form.form === 'entityType') node['description'] ??= firstOf(entityTypes)
  if (form.form !== 'words') return
  node['type'] = 'array'
  node['items'] = { type: 'string', enum: [...form.values] }
  delete node['description']
}

const wordsMax = 16
const wordsShown = 6

/** Shortens a long list of words to the first ones, as examples; the refusal of an unknown word lists all of them. */
function shortenWords(node: Node): void {
  const words = node['enum']
  if (!Array.isArray(words) || words.length <= wordsMax) return
  delete node['enum']
  node['description'] = firstOf(words)
}

function firstOf(words: readonly unknown[]): string {
  return `${words.slice(0, wordsShown).join(', ')}, …`
}

/** A parameter is text on the wire; a model sees the type that it stands for. */
function nameType(node: Node): void {
  if (Array.isArray(node['type'])) node['type'] = (node['type'] as readonly unknown[]).find((type) => type !== 'null')
  if (node['integer']) node['type'] = 'integer'
  delete node['integer']
  if (String(node['enum']) !== 'true,false') return
  node['type'] = 'boolean'
  delete node['enum']
}

/** Writes `X or null` as X, text in one of several forms with the first, and known words or any text as text that names them. */
function joinVariants(node: Node): void {
  const variants = variantsOf(node).filter(({ type }) => type !== 'null')
  const [first, second] = variants
  if (!first) return
  // A text with several formats has no single format.
  if (variants.some(({ format }) => format !== first['format']))
    for (const variant of variants) delete variant['format']
  if (!second || variants.every(({ type, enum: words }) => type === 'string' && words === undefined))
    replaceVariants(node, first)
  else if (
    Array.isArray(first['enum']) &&
    variants.length === 2 &&
    second['type'] === 'string' &&
    !('enum' in second)
  ) {
    replaceVariants(node, { type: 'string', description: `${first['enum'].join(', ')} or cf_<name>` })
  } else if (variants.every(({ type }) => typeof type === 'string' && !['object', 'array'].includes(type))) {
    // Some clients require a single type; the description names the other accepted values, and only the API refuses the rest.
    replaceVariants(node, { type: 'string' })
  }
}

function variantsOf(node: Node): readonly Node[] {
  return ((node['anyOf'] ?? []) as readonly Node[]).flatMap((variant) =>
    variant['anyOf'] ? variantsOf(variant) : [variant],
  )
}

function replaceVariants(node: Node, by: Node): void {
  const own = { ...node }
  for (const keyword of Object.keys(node)) delete node[keyword]
  const { anyOf: _, ...rest } = own
  Object.assign(node, by, rest)
}

/** Whether a JSON Schema takes `null`; one that says nothing of types takes everything. */
export function takesNull(schema: JsonSchema): boolean {
  const variants = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as JsonSchema[]) : [],
  )
  if (variants.length > 0) return variants.some(takesNull)
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  if ('const' in schema) return schema['const'] === null
  return schema['type'] === undefined || [schema['type']].flat().includes('null')
}

/** Whether a schema accepts `null` for any of its members, to clear it. */
export function canClear(schema: z.ZodType): boolean {
  const { properties = {} } = rawSchema(schema) as { readonly properties?: Readonly<Record<string, JsonSchema>> }
  return Object.values(properties).some(takesNull)
}
