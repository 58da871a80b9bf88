import type { Operation } from '@crm/contract'
import { canClear, compactSchema, rawSchema, type JsonSchema, type SchemaStyle } from './compact-schema.ts'
import { withShortInside } from './inner-schema.ts'
import type { ToolRoute } from './tool.ts'

/** The arguments of an operation, and the destination of each. */
export interface FlatInput {
  readonly schema: JsonSchema
  readonly route: ToolRoute
}

/** The name of the argument that carries the Idempotency-Key header. */
export const idempotencyArgument = 'idempotencyKey'

/** The argument that names fields to empty. */
export const clearArgument = 'clear'

/** The arguments that are ours, and not parameters of the operation. */
export const standardArguments: readonly string[] = [idempotencyArgument, clearArgument]

interface Group {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/** Flattens path, query and body into one object; where two share a name, the body keeps it and the path's is called `id`. */
export function flatInput(operation: Operation, style: SchemaStyle = 'brief'): FlatInput {
  return flattened(operation, style === 'brief' ? brief : (schema) => compactSchema(schema, style))
}

/** Returns the same with everything that is known of each argument, for the reading of arguments. */
export function rawInput(operation: Operation): JsonSchema {
  return flattened(operation, rawSchema).schema
}

const brief: Describe = (schema) => {
  const { properties, ...rest } = compactSchema(schema)
  if (!properties) return withShortInside(rest)
  const arguments_ = Object.entries(properties as Group['properties'])
  return {
    ...rest,
    properties: Object.fromEntries(arguments_.map(([name, argument]) => [name, withShortInside(argument)])),
  }
}

/** Makes the JSON Schema of a part of the input. */
type Describe = (schema: NonNullable<Operation['body']>) => JsonSchema

function flattened(operation: Operation, describe: Describe): FlatInput {
  const path = (operation.params && membersOf(describe(operation.params))) ?? nothing
  const query = (operation.query && membersOf(describe(operation.query))) ?? nothing
  const { place, ...body } = bodyOf(operation, describe)
  refuseCollision(operation, body, query)
  const takesClear =
    operation.method === 'PATCH' && place === 'members' && operation.body !== undefined && canClear(operation.body)
  const pathArguments = nameApart(Object.keys(path.properties), { ...body.properties, ...query.properties })
  return {
    schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(Object.entries(path.properties).map(([name, schema]) => [pathArguments[name], schema])),
        ...query.properties,
        ...body.properties,
        ...(operation.idempotent
          ? { [idempotencyArgument]: { type: 'string', description: 'The same key does the work once' } }
          : {}),
        ...(takesClear
          ? { [clearArgument]: { type: 'array', items: { type: 'string' }, description: 'Fields to empty' } }
          : {}),
      },
      ...requiredOnes([...Object.values(pathArguments), ...query.required, ...body.required]),
      ...(operation.customFields
        ? { additionalProperties: { type: 'string', description: 'cf_<name>: a custom field' } }
        : {}),
    },
    route: {
      method: operation.method,
      path: operation.path,
      pathArguments,
      queryArguments: Object.fromEntries(Object.keys(query.properties).map((name) => [name, name])),
      body: place,
      takesIdempotencyKey: operation.idempotent === true,
      takesClear,
    },
  }
}

const nothing: Group = { properties: {}, required: [] }

/** Returns the members of an object schema; null when the schema is no object with members of its own. */
function membersOf(schema: JsonSchema): Group | null {
  const { properties, required = [] } = schema as Partial<Group>
  return properties ? { properties, required } : null
}

function bodyOf({ body }: Operation, describe: Describe): Group & { readonly place: ToolRoute['body'] } {
  if (!body) return { place: 'none', ...nothing }
  const schema = describe(body)
  const members = membersOf(schema)
  if (members) return { place: 'members', ...members }
  return { place: 'whole', properties: { body: schema }, required: ['body'] }
}

function nameApart(parameters: readonly string[], taken: Group['properties']): Readonly<Record<string, string>> {
  return Object.fromEntries(parameters.map((name) => [name, name in taken ? 'id' : name]))
}

function refuseCollision({ method, path }: Operation, body: Group, query: Group): void {
  const both = Object.keys(query.properties).find((name) => name in body.properties)
  if (both) throw new Error(`${method} ${path} has ${both} in its query and in its body, so it cannot be one argument`)
}

function requiredOnes(names: readonly string[]): { readonly required?: readonly string[] } {
  return names.length > 0 ? { required: names } : {}
}
