import {
  declared,
  declaredOperations,
  isDestructive,
  isWrite,
  namedPermissions,
  pagingParams,
  shapeParams,
  sharedFilters,
  summaryParams,
  type Access,
  type DeclaredOperation,
  type Operation,
  type Resource,
} from '@crm/contract'
import type { JsonSchema } from './compact-schema.ts'
import { bareSchema } from './inner-schema.ts'
import { flatInput, rawInput, standardArguments } from './input-schema.ts'
import { lazily } from './lazily.ts'
import { saidOnce, withoutRepetition } from './repetition.ts'
import { holdsForSomeType } from './runnable.ts'
import { searchShape } from './search-tools.ts'
import { shortAnswerOf } from './short-answers.ts'
import type { Tool, ToolAnnotations } from './tool.ts'

/** The tools of a contract. */
export interface ToolCatalogue {
  /** Every tool, in the order in which clients see them. */
  readonly tools: readonly Tool[]
  find(name: string): Tool | undefined
  /** Returns the tools offered to a credential with these permissions; each call still checks the exact permission. */
  offeredTo(effective: ReadonlySet<string>): readonly Tool[]
}

/** Makes a tool of every operation that needs a credential and may be one (docs/guide/tools.md). */
export function toolCatalogue(contract: Readonly<Record<string, Resource>>): ToolCatalogue {
  const operations = declaredOperations(contract)
  const enforcedOn = permissionsByPath(operations)
  const entityAt = new Map(
    operations.flatMap(({ operation: { path }, resource: { entity } }) => (entity === null ? [] : [[path, entity]])),
  )
  const tools = operations
    .filter(({ operation }) => operation.access !== 'open' && operation.tool !== false)
    .map((declared) =>
      toTool(declared, { onPath: enforcedOn.get(declared.operation.path) ?? [], entityAt, example: contract['leads'] }),
    )
    .toSorted((a, b) => rank(a) - rank(b))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    tools,
    find: (name) => byName.get(name),
    offeredTo: (effective) => tools.filter((tool) => isOffered(tool, effective)),
  }
}

function isOffered({ offeredBy }: Tool, effective: ReadonlySet<string>): boolean {
  return offeredBy.length === 0
    ? effective.size > 0
    : offeredBy.some((name) =>
        name.endsWith(ofAnyType) ? holdsForSomeType(name.slice(0, -ofAnyType.length), effective) : effective.has(name),
      )
}

/** Stands in a permission's name for the key of any custom entity. */
const ofAnyType = '_<KEY>'

/** Returns the permissions of which any one lets a credential try an operation. */
function enforced(access: Access): readonly string[] {
  if (typeof access === 'string') return []
  if ('custom' in access) return [`${access.custom}${ofAnyType}`]
  return 'record' in access ? [...access.record, `VIEW${ofAnyType}`] : namedPermissions(access)
}

/** Returns the permissions that a path enforces over all of its methods. */
function permissionsByPath(operations: readonly DeclaredOperation[]): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(operations, ({ operation }) => operation.path)
  return new Map(
    [...byPath].map(([path, onPath]) => [
      path,
      [...new Set(onPath.flatMap(({ operation }) => enforced(operation.access)))],
    ]),
  )
}

/** The tool that describes arguments which other tools accept too, and its arguments. */
interface Telling {
  readonly tool: string
  readonly schema: JsonSchema
  readonly description: string | undefined
}

/** Returns the tool that describes the same arguments: create for an update, and the example's operation for a list of another resource. */
function toldBy({ resource, key, tool }: DeclaredOperation, example: Resource | undefined): Telling | undefined {
  const create = key === 'update' ? resource.operations['create'] : undefined
  if (create)
    return {
      tool: tool.replace(/update$/, 'create'),
      schema: flatInput(create).schema,
      description: create.description,
    }
  const same = resource === example ? undefined : example?.operations[key]
  return (
    same &&
    example && {
      tool: declared(example, key, same).tool,
      schema: flatInput(same).schema,
      description: same.description,
    }
  )
}

/** What the other operations say about one. */
interface Beside {
  /** The permissions that its path enforces. */
  readonly onPath: readonly string[]
  /** The entity type of the records at each path. */
  readonly entityAt: ReadonlyMap<string, string>
  readonly example: Resource | undefined
}

function toTool(one: DeclaredOperation, { onPath, entityAt, example }: Beside): Tool {
  const { operation, resource, key, tool } = one
  const { schema, route } = flatInput(operation)
  const shape = searchShape(one)
  const whole = argumentsOf(
    one,
    withFilters(one, schema, (name) => sharedFilters.includes(name)),
    example,
  )
  const told = toldBy(one, example)
  const unlike = told ? withoutRepetition(whole, told.schema) : whole
  const inputSchema = key === 'list' ? saidOnce(unlike, told?.schema ?? {}) : unlike
  const isShortened = told !== undefined && JSON.stringify(inputSchema) !== JSON.stringify(whole)
  const fullSchema = lazily(() => shape?.inputSchema ?? fullInput(one))
  const raw = lazily(() => rawInput(operation))
  return {
    name: shape?.name ?? tool,
    title: shape?.title ?? operation.summary,
    description: describe(one, isShortened ? told : undefined, shape?.summary),
    fullDescription: describe(one, undefined, shape?.summary),
    inputSchema: shape?.inputSchema ?? inputSchema,
    get fullSchema() {
      return fullSchema()
    },
    reading: {
      get schema() {
        return raw()
      },
      noun: nounOf(one, entityAt),
      own: resource.entity?.toLowerCase() ?? null,
    },
    outputSchema: shape?.outputSchema,
    annotations: annotationsOf(operation),
    toolset: resource.name.split('.')[0] ?? resource.name,
    access: operation.access,
    permissions: namedPermissions(operation.access),
    offeredBy: operation.access === 'credential' ? [] : onPath,
    route: { ...route, ...shape?.route },
    isSummary: operation.summarized !== undefined,
    answersFile: operation.reply.mediaType !== undefined,
    short: shortAnswerOf(one),
    reshape: shape?.reshape,
  }
}

/** Returns all arguments, including the ones that another tool describes. */
function fullInput(one: DeclaredOperation): JsonSchema {
  return withFilters(one, flatInput(one.operation, 'full').schema)
}

/** Names the filters of the list in the argument that selects records by them. */
function withFilters(
  { operation, resource }: DeclaredOperation,
  schema: JsonSchema,
  isTold = (_name: string): boolean => false,
): JsonSchema {
  const list = resource.operations['list']?.query
  const { filter, ...others } = schema['properties'] as Readonly<Record<string, JsonSchema>>
  if (!list || !filter || operation.method === 'GET') return schema
  const names = Object.keys(list.shape).filter((name) => !notFilters.includes(name) && !isTold(name))
  const text = { type: 'string' } as const
  const properties = Object.fromEntries(names.map((name) => [name, text]))
  const { description } = filter
  const named = { type: 'object', description, properties }
  return { ...schema, properties: { ...others, filter: named } }
}

const notFilters: readonly string[] = [...pagingParams, ...shapeParams, 'savedFilterId']

/** Returns the kind of the record that `id` names: the records of the collection before it in the path. */
function nounOf(
  { operation: { path }, resource }: DeclaredOperation,
  entityAt: ReadonlyMap<string, string>,
): string | null {
  const [collection = '', rest] = path.split('/{id}')
  const entity = rest === undefined ? resource.entity : (entityAt.get(collection) ?? resource.entity)
  return entity?.toLowerCase() ?? null
}

/** Returns the arguments that a tool names; it also accepts the arguments that another tool describes for all. */
function argumentsOf(one: DeclaredOperation, all: JsonSchema, example: Resource | undefined): JsonSchema {
  // The example says what the arguments of all are for.
  const schema = example === undefined || one.resource === example ? all : withBare(all, standardArguments)
  const { operation, resource, key } = one
  if (operation.summarized) return withFiltersOf(schema, one, example)
  const tellsForAll = example === undefined || (resource === example && key === 'list')
  if (!operation.shaped || tellsForAll) return schema
  // A model that reads one record looks at this tool alone.
  if (key === 'get') return withBare(schema, shapeParams)
  const toldOf = takesSharedFilters(one) ? [...shapeParams, ...sharedFilters] : shapeParams
  return { ...schema, properties: without(schema['properties'] as object, toldOf) }
}

function withBare(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>)
  const shown = properties.map(([name, argument]) => [name, names.includes(name) ? bareSchema(argument) : argument])
  return { ...schema, properties: Object.fromEntries(shown) as Readonly<Record<string, JsonSchema>> }
}

function without(properties: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)))
}

/** Returns the arguments of a summary: its questions, which one summary describes for all. Its filters are the list's, which names them. */
function withFiltersOf(
  schema: JsonSchema,
  { operation, tool, resource }: DeclaredOperation,
  example: Resource | undefined,
): JsonSchema {
  const isExample = resource === example || example === undefined
  const named = [...Object.keys(operation.params?.shape ?? {}), ...(isExample ? summaryParams : [])]
  const properties = Object.entries(schema['properties'] as object).filter(([name]) => named.includes(name))
  const filters = `filters of ${tool.replace(/summary$/, 'list')}`
  const told = isExample ? filters : `As in ${example.name}_summary; ${filters}`
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    additionalProperties: { type: 'string', description: told },
  }
}

function takesSharedFilters({ operation, key }: DeclaredOperation): boolean {
  return key === 'list' && operation.shaped !== undefined
}

/** The keys of the usual operations, whose name and title need no further description. */
const usualKeys: readonly string[] = ['list', 'summary', 'get', 'create', 'update', 'delete']

function describe(one: DeclaredOperation, told?: Telling, instead?: string): string {
  const { operation, key } = one
  const { method, path, summary } = operation
  // The description of the other tool applies to this one.
  const description = told?.description === operation.description ? undefined : operation.description
  const sentences = [
    (told && `As in ${told.tool}${takesSharedFilters(one) ? ', whose shared filters it takes too' : ''}.`) ??
      instead ??
      (usualKeys.includes(key) ? undefined : `${summary}.`),
    description,
  ].filter((sentence) => sentence !== undefined)
  const line = `${method} ${path}. Needs ${needs(operation)}.`
  return sentences.length === 0 ? line : `${line}\n${sentences.join(' ')}`
}

const namedMax = 3

function needs({ access }: Operation): string {
  if (typeof access === 'string') return 'any credential'
  if ('all' in access) return listed(access.all, 'and')
  if ('any' in access) return listed(access.any, 'or')
  if ('custom' in access) return `${access.custom}${ofAnyType}`
  return access.record.length > namedMax ? 'VIEW_<TYPE> of the record' : `${listed(access.record, 'or')}, as the record`
}

function listed(names: readonly string[], word: string): string {
  return new Intl.ListFormat('en', { type: word === 'and' ? 'conjunction' : 'disjunction', style: 'long' }).format(
    names,
  )
}

function annotationsOf(operation: Operation): ToolAnnotations {
  const readOnlyHint = !isWrite(operation)
  // Some clients take a hint that is absent for its worst value.
  if (readOnlyHint) return { readOnlyHint, destructiveHint: false, idempotentHint: true }
  return { readOnlyHint, destructiveHint: isDestructive(operation), idempotentHint: operation.method !== 'POST' }
}

/** Clients cut long lists silently, so the most used tools come first and reference data last. */
const firstToolsets = [
  'search',
  'leads',
  'deals',
  'contacts',
  'companies',
  'tasks',
  'activities',
  'projects',
  'invoices',
  'quotes',
  'products',
]

function rank({ toolset, offeredBy }: Tool): number {
  const place = firstToolsets.indexOf(toolset)
  if (place !== -1) return place
  const isReference = offeredBy.length > 0 && offeredBy.every((name) => name.endsWith('_REFERENCE_DATA'))
  return firstToolsets.length + (isReference ? 1 : 0)
}
