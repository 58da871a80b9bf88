import type { Operation } from '@crm/contract'
import { jsonSchemaOf, mapSchema, parameterSchemas, requiredNames, type JsonSchema } from '@crm/openapi'
import type { ToolRoute } from './tool.ts'

/** The arguments of an operation, and where each of them goes. */
export interface FlatInput {
  readonly schema: JsonSchema
  readonly route: ToolRoute
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The name of the argument that carries the Idempotency-Key header. */
export const idempotencyArgument = 'idempotencyKey'

/** Flattens path, query and body into one object; where two share a name, the body keeps it and the path's is called `id`. */
export function flatInput(operation: Operation): FlatInput {
  const body = bodyOf(operation)
  const query = operation.query ? parameterSchemas(operation.query) : {}
  const taken = { ...body.properties, ...query }
  const pathArguments = nameApart(Object.keys(operation.params?.shape ?? {}), taken)
  const path = operation.params ? parameterSchemas(operation.params) : {}
  refuseCollision(operation, body.properties, query)
  return {
    schema: objectSchema(operation, {
      properties: {
        ...Object.fromEntries(Object.entries(pathArguments).map(([parameter, argument]) => [argument, path[parameter] ?? {}])),
        ...query,
        ...body.properties,
        ...(operation.idempotent ? { [idempotencyArgument]: { type: 'string', description: 'The same key does the work once' } } : {}),
      },
      required: [...Object.values(pathArguments), ...(operation.query ? requiredNames(jsonSchemaOf(operation.query)) : []), ...body.required],
    }),
    route: {
      method: operation.method,
      path: operation.path,
      pathArguments,
      queryArguments: Object.fromEntries(Object.keys(query).map((name) => [name, name])),
      body: body.place,
      takesIdempotencyKey: operation.idempotent === true,
    },
  }
}

function bodyOf({ body }: Operation): { place: ToolRoute['body']; properties: Properties; required: readonly string[] } {
  if (!body) return { place: 'none', properties: {}, required: [] }
  const schema = jsonSchemaOf(body)
  if (schema['type'] !== 'object' || !schema['properties']) return { place: 'whole', properties: { body: schema }, required: ['body'] }
  return { place: 'members', properties: schema['properties'] as Properties, required: requiredNames(schema) }
}

function nameApart(parameters: readonly string[], taken: Properties): Readonly<Record<string, string>> {
  return Object.fromEntries(parameters.map((name) => [name, name in taken ? 'id' : name]))
}

function refuseCollision({ method, path }: Operation, body: Properties, query: Properties): void {
  const both = Object.keys(query).find((name) => name in body)
  if (both) throw new Error(`${method} ${path} has ${both} in its query and in its body, so it cannot be one argument`)
}

function objectSchema(operation: Operation, { properties, required }: { properties: Properties; required: readonly string[] }): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, compact(schema, { withNull: operation.method !== 'POST' })])),
    ...(required.length > 0 ? { required } : {}),
    ...(operation.customFields ? { additionalProperties: { type: 'string', description: 'cf_<name> filters by a custom field' } } : {}),
  }
}

/** Limits that the API states itself when they are broken; in a list of tools they only cost room. */
const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'maximum', 'minimum', 'pattern', 'propertyNames', 'additionalProperties'])

/** Leaves of a schema what a model needs to fill it in; in a new record `null` says no more than leaving the field out. */
function compact(schema: JsonSchema, { withNull }: { withNull: boolean }): JsonSchema {
  return mapSchema(schema, (inner) => {
    const kept = Object.fromEntries(Object.entries(inner).filter(([keyword, value]) => !limits.has(keyword) && value !== 'uuid'))
    return oneFormat(withNull ? kept : withoutNull(kept))
  })
}

function withoutNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...(type === undefined ? {} : { type: Array.isArray(type) ? onlyOne(type.filter((name) => name !== 'null')) : type }),
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
    ...rest,
  }
}

function onlyOne<T>(values: readonly T[]): T | readonly T[] {
  return values.length === 1 ? (values[0] as T) : values
}

/** A text in one of several formats is described by the first. */
function oneFormat(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const variants = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : []
  return variants.length > 0 && variants.every((variant) => 'format' in variant) ? { ...variants[0], ...rest } : schema
}
