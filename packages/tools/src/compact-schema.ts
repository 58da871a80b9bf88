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
  joinObjects(node)
  joinVariants(node, style)
  // What another tool describes at length is not written out twice in a list of all tools.
  if (style === 'brief' && isAsInAnother(node)) delete node['properties']
  openFree(node)
  nameForm(node, style)
  if (saidOnce[style].includes(node['format'])) delete node['format']
  if (node['description'] === 'UUID') delete node['description']
  if (style === 'brief') shortenWords(node)
  // A default matters only where it limits the answer; elsewhere it is the usual behaviour.
  if (typeof node['default'] !== 'number' || node['default'] === 1) delete node['default']
}

/** Whether the words of an argument name the tool that describes what it holds. */
export function isAsInAnother({ description }: JsonSchema): boolean {
  return typeof description === 'string' && description.startsWith('As in ')
}

/** Names the meaning of a text, where there is room for it. */
function nameForm(node: Node, style: SchemaStyle): void {
  const form = node['form'] as TextForm | undefined
  delete node['form']
  if (!form) return
  if (style === 'brief') {
    if (form.form === 'words' && form.values.length > wordsMax) node['description'] = firstOf(form.values)
    if (form.form === 'entityType' && node['description']) node['description'] = firstOf(entityTypes)
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
const wordsShown = 5

/** Shortens a long list of words to the first ones, as examples; the refusal of an unknown word lists all of them. */
function shortenWords(node: Node): void {
  const words = node['enum']
  if (!Array.isArray(words) || words.length <= wordsMax) return
  delete node['enum']
  node['description'] = firstOf(words)
}

function firstOf(words: readonly unknown[]): string {
  return [...words.slice(0, wordsShown), ...(words.length > wordsShown ? ['…'] : [])].join(', ')
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

/** Returns the alternatives of a schema, however deep they lie; the schema alone where it has none. */
export function variantsOf<Part extends JsonSchema>(schema: Part): readonly Part[] {
  const variants = [schema['anyOf'], schema['oneOf']].flatMap((list) => (list ?? []) as readonly Part[])
  return variants.length === 0 ? [schema] : variants.flatMap(variantsOf)
}

/** Writes several forms of an object as one with the members of all, because many clients cannot read alternatives. */
function joinObjects(node: Node): void {
  const variants = variantsOf(node).filter(({ type }) => type !== 'null')
  const objects = variants.filter(({ properties }) => properties !== undefined)
  if (objects.length < 2) return
  const members = Map.groupBy(
    objects.flatMap(({ properties }) => Object.entries(properties as Readonly<Record<string, Node>>)),
    ([name]) => name,
  )
  const joined = {
    type: 'object',
    properties: Object.fromEntries(
      [...members].map(([name, found]) => [name, joinMember(found.map(([, one]) => one))]),
    ),
    required: requiredOf(objects[0] ?? {}).filter((name) => objects.every((one) => requiredOf(one).includes(name))),
  }
  delete node['oneOf']
  node['anyOf'] = [...variants.filter((one) => !objects.includes(one)), joined]
}

function joinMember(found: readonly Node[]): Node {
  const words = found.flatMap((one) => ('const' in one ? [one['const']] : ((one['enum'] as unknown[]) ?? [])))
  const { const: _, ...first } = found[0] ?? {}
  return words.length > 0 ? { ...first, enum: [...new Set(words)] } : first
}

function requiredOf({ required = [] }: Node): readonly unknown[] {
  return required as readonly unknown[]
}

/** An object whose members nobody knows may come as JSON text: some clients close it, and then nothing else could be said. */
export const freeObject = { anyOf: [{ type: 'object' }, { type: 'string', description: 'JSON' }] } as const

function openFree(node: Node): void {
  if (!isFree(node)) return
  delete node['type']
  Object.assign(node, structuredClone(freeObject))
}

function isFree({ type, properties }: Node): boolean {
  return type === 'object' && properties === undefined
}

/** Writes `X or null` as X, text in one of several forms with the first, and known words or any text as text that names them. */
function joinVariants(node: Node, style: SchemaStyle): void {
  if (!node['anyOf'] && !node['oneOf']) return
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
    const words = style === 'brief' ? firstOf(first['enum']) : first['enum'].join(', ')
    replaceVariants(node, { type: 'string', description: `${words} or cf_<name>` })
  } else if (variants.every(({ type }) => typeof type === 'string' && !['object', 'array'].includes(type))) {
    // Some clients require a single type; the description names the other accepted values, and only the API refuses the rest.
    replaceVariants(node, { type: 'string' })
  } else {
    replaceVariants(node, { anyOf: variants })
  }
}

function replaceVariants(node: Node, by: Node): void {
  const own = { ...node }
  for (const keyword of Object.keys(node)) delete node[keyword]
  const { anyOf: _, oneOf: _one, ...rest } = own
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
