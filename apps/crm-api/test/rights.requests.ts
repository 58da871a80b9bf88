import {
  declaredOperations,
  namedPermissions,
  publicContract,
  settingsContract,
  type DeclaredOperation,
} from '@crm/contract'
import { accessLevels, entityTypes, permissionNames } from '@crm/permissions'
import { testPassword } from '@crm/testkit'
import fc from 'fast-check'
import type { z } from 'zod'

/** The objects that ids name; a request names them by number, so that a walk can be made before its world exists. */
const things = [
  'role',
  'user',
  'department',
  'key',
  'client',
  'workflow',
  'run',
  'rule',
  'delivery',
  'import',
  'export',
  'address',
  'record',
] as const
export type Thing = (typeof things)[number]

/** The index of an id in the pool; a negative index counts from the newest. */
export class Ref {
  readonly thing: Thing
  readonly n: number

  constructor(thing: Thing, n: number) {
    this.thing = thing
    this.n = n
  }

  /** Makes a counterexample readable. */
  [fc.toStringMethod](): string {
    return `<${this.thing} ${this.n}>`
  }
}

/** One request of a walk, to an operation: by the credential with an index, or by the person with the most rights. */
export interface WalkRequest {
  readonly by: number | 'boss'
  /** For example `settings.roles.update`. */
  readonly operation: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const thingOfResource: Readonly<Record<string, Thing>> = {
  'settings.users': 'user',
  'settings.users.sessions': 'user',
  'settings.users.signIn': 'user',
  employees: 'user',
  'settings.roles': 'role',
  departments: 'department',
  'settings.apiKeys': 'key',
  'settings.workflows': 'workflow',
  'settings.workflowRuns': 'run',
  'settings.automationRules': 'rule',
  'settings.deliveries': 'delivery',
  'settings.imports': 'import',
  'settings.exports': 'export',
}

/** Returns the object that an id of a resource names. */
export function thingOf({ resource }: DeclaredOperation): Thing {
  return thingOfResource[resource.name] ?? 'record'
}

const ref = (thing: Thing): fc.Arbitrary<unknown> => fc.nat(30).map((n) => new Ref(thing, n))
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 })
const level = fc.constantFrom(...accessLevels)

/** Fields with a meaning that their schema does not express. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  roleIds: few(ref('role')),
  departmentId: fc.option(ref('department')),
  parentId: fc.option(ref('department')),
  ownerId: fc.option(ref('user')),
  managerId: ref('user'),
  headId: ref('user'),
  employeeId: ref('user'),
  assigneeId: ref('user'),
  organizerId: ref('user'),
  clientId: ref('client'),
  workflowId: ref('workflow'),
  ruleId: ref('rule'),
  runId: ref('run'),
  entityId: ref('record'),
  ids: few(ref('record')),
  sourceIds: few(ref('record')),
  permissions: fc.oneof(
    fc.subarray([...permissionNames], { maxLength: 6 }),
    fc.constant([...permissionNames]),
    fc.constant(['VIEW_LEAD', 'VIEW_TASK']),
  ),
  scopes: fc.oneof(fc.subarray([...permissionNames], { maxLength: 4 }), fc.constant(['VIEW_LEAD', 'VIEW_TASK'])),
  access: fc.oneof(
    fc.constant([]),
    fc
      .tuple(level, fc.subarray([...entityTypes]))
      .map(([at, types]) => types.map((entityType) => ({ entityType, VIEW: at, UPDATE: at, DELETE: at }))),
  ),
  password: fc.constant(testPassword),
  next: fc.constant(testPassword),
  current: fc.constant(testPassword),
  email: fc.nat(1_000_000).map((n) => `walker${n}@walk.example`),
  entityType: fc.constantFrom('LEAD', 'CONTACT', 'COMPANY', 'DEAL', 'TASK'),
  url: ref('address'),
  event: fc.constantFrom('lead.created', 'lead.updated'),
  timezone: fc.constant('Europe/Berlin'),
  pageSize: fc.constant('100'),
  page: fc.constant('1'),
}

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly values?: readonly unknown[]
}

const nestingMax = 4

/** Returns values that a schema may accept, ids and rights among them. */
function valuesOf(schema: z.ZodType, name = '', nesting = 0): fc.Arbitrary<unknown> {
  const known = byName[name]
  if (known) return known
  const {
    type,
    innerType,
    in: input,
    out,
    shape,
    element,
    options,
    entries,
    values,
  } = schema.def as unknown as Definition
  if (type === 'nullable' && innerType) return fc.option(valuesOf(innerType, name, nesting))
  if (innerType) return valuesOf(innerType, name, nesting)
  if (input && out) return valuesOf((input.def as { type: string }).type === 'transform' ? out : input, name, nesting)
  if (nesting > nestingMax) return fc.constant(null)
  if (type === 'object' && shape) return objectsOf(shape, nesting)
  if (type === 'array' && element) return fc.array(valuesOf(element, name, nesting + 1), { maxLength: 2 })
  if (type === 'union' && options) return fc.oneof(...options.map((option) => valuesOf(option, name, nesting)))
  if (type === 'enum' && entries) return fc.constantFrom(...Object.values(entries))
  if (type === 'literal' && values) return fc.constantFrom(...values)
  if (type === 'boolean') return fc.boolean()
  if (type === 'number') return fc.integer({ min: 0, max: 60 })
  if (type === 'string')
    return schema.safeParse('not an id').success
      ? fc.constantFrom('walk', 'a')
      : fc.oneof(ref('record'), fc.constantFrom('walk', '2026-03-04', '2026-03-04T05:06:07Z', '1'))
  return fc.constant({})
}

function objectsOf(shape: Readonly<Record<string, z.ZodType>>, nesting: number): fc.Arbitrary<object> {
  const parts = Object.entries(shape).map(([key, part]) => [key, valuesOf(part, key, nesting + 1)] as const)
  const required = Object.entries(shape)
    .filter(([, part]) => !part.safeParse(undefined).success)
    .map(([key]) => key)
  return fc.record(Object.fromEntries(parts), { requiredKeys: required })
}

function requestsTo(operation: DeclaredOperation): fc.Arbitrary<WalkRequest> {
  const { params, query, body } = operation.operation
  const named = Object.keys(params?.shape ?? {}).map(
    (key) =>
      [
        key,
        key === 'id' ? ref(thingOf(operation)) : (byName[key] ?? fc.constantFrom('SALES', 'CATALOG', 'walk')),
      ] as const,
  )
  return fc.record({
    by: fc.nat(5),
    operation: fc.constant(operation.id),
    params: fc.record(Object.fromEntries(named)),
    query: query ? (objectsOf(query.shape, 0) as fc.Arbitrary<Record<string, unknown>>) : fc.constant({}),
    body: body ? valuesOf(body) : fc.constant(undefined),
  })
}

/** Returns requests to an operation that are alike in every run: so many at random, and of a change each field by itself as often. */
export function someRequests(operation: DeclaredOperation, count: number): readonly WalkRequest[] {
  const drawn = fc.sample(requestsTo(operation), { numRuns: count * 10, seed: 1 })
  if (operation.operation.method !== 'PATCH') return drawn.slice(0, count)
  const alone = drawn.flatMap((request) =>
    Object.entries(request.body ?? {}).map(([key, value]) => ({
      key,
      request: { ...request, body: { [key]: value } },
    })),
  )
  const byField = Map.groupBy(alone, ({ key }) => key)
  return [
    ...drawn.slice(0, count),
    ...[...byField.values()].flatMap((some) => some.slice(0, count).map(({ request }) => request)),
  ]
}

/** Operations that only end the walk, such as the end of one's own session or a change of one's own password. */
const skipped = new Set([
  'auth.login',
  'auth.logout',
  'auth.password',
  'auth.delete',
  'auth.deleteOthers',
  'settings.users.sessions.deleteAll',
  'settings.modules.update',
])

function weightOf({ operation: { reach, method }, resource }: DeclaredOperation): number {
  if (reach !== undefined && reach !== 'none') return reach.gives ? 40 : 8
  if (resource.surface === 'settings') return 2
  return method === 'GET' ? 1 : 2
}

const operations = declaredOperations({ ...settingsContract, ...publicContract }).filter(
  ({ id, operation }) => operation.access !== 'open' && !operation.upload && !skipped.has(id),
)

const byId = new Map(operations.map((one) => [one.id, one]))

/** Returns the operation of a request. */
export function operationOf({ operation }: WalkRequest): DeclaredOperation {
  const found = byId.get(operation)
  if (!found) throw new Error(`There is no operation ${operation}`)
  return found
}

const arbitraries = operations.map((operation) => ({
  operation,
  weight: weightOf(operation),
  arbitrary: requestsTo(operation),
}))

/**
 * Returns any request that these permissions allow, more often a request that affects the reach of people; occasionally
 * another request.
 */
export function anyRequest(permissions: readonly string[]): fc.Arbitrary<WalkRequest> {
  const mayAsk = ({ operation: { access } }: DeclaredOperation): boolean => {
    const named = namedPermissions(access)
    return named.length === 0 || named.some((name) => permissions.includes(name))
  }
  return fc.oneof(
    ...arbitraries.map(({ operation, weight, arbitrary }) => ({
      weight: mayAsk(operation) ? weight * 20 : 1,
      arbitrary,
    })),
  )
}
