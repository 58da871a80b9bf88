import { textForms, type TextForm } from '@crm/contract'
import { entityTypes } from '@crm/permissions'
import { z } from 'zod'

/** A JSON Schema (draft 2020-12), as a tool shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>

interface Node {
  [keyword: string]: unknown
}

/**
 * How much a schema says. `brief`: what a list of all tools has room for, so limits and formats are left out, because the API states them
 * when they are broken. `full`: known words, formats and every description, for a few tools at a time.
 */
export type SchemaStyle = 'brief' | 'full'

/**
 * The JSON Schema of what may be sent for a zod schema, cut to what a model needs to fill it in.
 *
 * `null` is left out: many clients cannot read a list of types, so a tool that can clear fields says it once in its description.
 */
export function compactSchema(schema: z.ZodType, style: SchemaStyle = 'brief'): JsonSchema {
  const compact = rawSchema(schema) as Node
  simplifyDeep(compact, style)
  return compact
}

/** The JSON Schema of what may be sent for a zod schema; `form` says what a text stands for (`TextForm`). */
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
  // A copy without shared parts: what is cut at one place must not be missing at another.
  return JSON.parse(JSON.stringify(whole)) as JsonSchema
}

/** What is inside before what is around it. */
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

/** Ids are UUIDs, times and dates ISO 8601 everywhere; that is said once for all tools. */
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
  // What happens without an argument matters where it bounds the answer; elsewhere the usual happens.
  if (typeof node['default'] !== 'number' || node['default'] === 1) delete node['default']
}

/** Says of a text what it stands for, where there is room for it. */
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

/** Of a long list of words the first ones show what the others look like; whoever sends another one is told them all. */
function shortenWords(node: Node): void {
  const words = node['enum']
  if (!Array.isArray(words) || words.length <= wordsMax) return
  delete node['enum']
  node['description'] = firstOf(words)
}

function firstOf(words: readonly unknown[]): string {
  return `${words.slice(0, wordsShown).join(', ')}, …`
}

/** A parameter is text on the wire; a model is told the type that it stands for. */
function nameType(node: Node): void {
  if (Array.isArray(node['type'])) node['type'] = (node['type'] as readonly unknown[]).find((type) => type !== 'null')
  if (node['integer']) node['type'] = 'integer'
  delete node['integer']
  if (String(node['enum']) !== 'true,false') return
  node['type'] = 'boolean'
  delete node['enum']
}

/** Says `X or null` as X, text in one of several forms with the first, and known words or any text as text that names them. */
function joinVariants(node: Node): void {
  const variants = variantsOf(node).filter(({ type }) => type !== 'null')
  const [first, second] = variants
  if (!first) return
  // A text in several forms has none that could be named.
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
    // Some clients want one type; the description says what else may stand there, and nothing else than the API refuses it.
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

/** Whether a schema takes `null` for any of its members, to clear it. */
export function canClear(schema: z.ZodType): boolean {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    readonly properties?: Readonly<Record<string, Node>>
  }
  return Object.values(properties).some(
    ({ anyOf }) => Array.isArray(anyOf) && (anyOf as readonly Node[]).some(({ type }) => type === 'null'),
  )
}
