import {
  declaredOperations,
  namedPermissions,
  takesIfMatch,
  type DeclaredOperation,
  type Operation,
  type Resource,
  type Upload,
} from '@crm/contract'
import { bodyExample, parameterExample } from './examples.ts'
import { jsonSchemaOf, parameterSchemas, requiredNames, type JsonSchema } from './json-schema.ts'
import { recordSchemas, withReferences } from './records.ts'
import { apiError, bookingError, responsesOf, sharedRefusals } from './responses.ts'
import { securitySchemes, type SecurityName } from './security.ts'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly description: string
    readonly version: string
    readonly license: JsonSchema
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly JsonSchema[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, JsonSchema>>
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
}

export interface DocumentOptions {
  readonly contract: Readonly<Record<string, Resource>>
  readonly title: string
  readonly description: string
  /** Any one of these schemes allows an operation; with none the API is open. */
  readonly security: readonly SecurityName[]
  /** Paths outside every contract. */
  readonly extraPaths?: Readonly<Record<string, JsonSchema>>
  /** Security schemes that only the extra paths use. */
  readonly extraSecurity?: readonly SecurityName[]
  /** The address of the workspace; `/` means the origin of the document. */
  readonly baseUrl?: string
}

const apiVersion = '1.0.0'

/** Computes the OpenAPI document of a contract; the same contract always gives the same document, key by key. */
export function openapiDocument(options: DocumentOptions): OpenApiDocument {
  const { contract, title, description, security, extraPaths = {}, extraSecurity = [], baseUrl = '/' } = options
  const operations = declaredOperations(contract)
  const records = recordSchemas(contract)
  const isBooking = operations[0]?.resource.surface === 'booking'
  const paths = { ...pathsOf(operations), ...extraPaths }
  return {
    openapi: '3.1.0',
    info: { title, description, version: apiVersion, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    security: security.map((name) => ({ [name]: [] })),
    tags: tagsOf(paths),
    paths: withReferences(paths, records),
    components: {
      securitySchemes: Object.fromEntries([...security, ...extraSecurity].map((name) => [name, securitySchemes[name]])),
      schemas: { Error: isBooking ? bookingError : apiError, ...records },
      responses: sharedRefusals(operations),
    },
  }
}

function pathsOf(operations: readonly DeclaredOperation[]): Readonly<Record<string, JsonSchema>> {
  const byPath = Map.groupBy(operations, ({ operation }) => operation.path)
  return Object.fromEntries(
    [...byPath].map(([path, onPath]) => [
      path,
      Object.fromEntries(
        onPath.map((declared) => [declared.operation.method.toLowerCase(), operationObject(declared)]),
      ),
    ]),
  )
}

function operationObject(declared: DeclaredOperation): JsonSchema {
  const { id, resource, operation } = declared
  return {
    operationId: id,
    tags: [resource.name],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...permissionsOf(operation),
    ...(operation.access === 'open' ? { security: [] } : {}),
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(declared)],
    ...requestBodyOf(operation),
    responses: responsesOf(declared),
  }
}

/**
 * All named permissions are required, unless `x-permission-rule` is `any`, or `record`: that of the record's kind; `custom`: that of
 * the path's type.
 */
function permissionsOf({ access }: Operation): JsonSchema {
  if (typeof access === 'string') return {}
  if ('custom' in access) return { 'x-required-permissions': [`${access.custom}_<KEY>`], 'x-permission-rule': 'custom' }
  const rule = Object.keys(access)[0]
  return {
    'x-required-permissions': namedPermissions(access),
    ...(rule === 'all' ? {} : { 'x-permission-rule': rule }),
  }
}

function pathParameters({ params }: Operation): readonly JsonSchema[] {
  if (!params) return []
  return Object.entries(parameterSchemas(params)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }))
}

function queryParameters(operation: Operation): readonly JsonSchema[] {
  const { query, customFields } = operation
  const required = query ? requiredNames(jsonSchemaOf(query)) : []
  const declaredOnes = Object.entries(query ? parameterSchemas(query) : {}).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
      ...example(parameterExample(operation, name, schema)),
    }),
  )
  return customFields ? [...declaredOnes, customFieldFilters] : declaredOnes
}

function example(value: unknown): JsonSchema {
  return value === undefined ? {} : { example: value }
}

/** Most generators send an object as `deepObject`, whatever the document says; the service takes the plain names too. */
const customFieldFilters: JsonSchema = {
  name: 'cf',
  in: 'query',
  style: 'deepObject',
  explode: true,
  description:
    'Filters by custom fields, each member a parameter of its own, by its plain name or in brackets, cf[cf_<name>]: cf_<name>=value for text, select and boolean; cf_<name>=a,b for multi-select; ' +
    'cf_<name>Min and cf_<name>Max for numbers; cf_<name>From and cf_<name>To for dates.',
  schema: { type: 'object', propertyNames: { pattern: '^cf_' }, additionalProperties: { type: 'string' } },
  example: {},
}

function headerParameters(declared: DeclaredOperation): readonly JsonSchema[] {
  return [...(takesIfMatch(declared) ? [ifMatch] : []), ...idempotencyKey(declared)]
}

const ifMatch: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the record as it was read: its version in quotes. Another version is refused with 412 PRECONDITION_FAILED.',
  schema: { type: 'string' },
  example: '*',
}

function idempotencyKey({ id, operation: { idempotent } }: DeclaredOperation): readonly JsonSchema[] {
  if (!idempotent) return []
  const description =
    'Sent again with the same body, the first answer comes back and nothing is done twice; kept for 24 hours. A UUID is a good key.'
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: `${id}-1`,
    },
  ]
}

function requestBodyOf({ body, upload }: Operation): JsonSchema {
  if (!body && !upload) return {}
  const schema = body && jsonSchemaOf(body)
  const json = schema ? { 'application/json': { schema, ...example(bodyExample(schema)) } } : {}
  const required = upload !== undefined || (schema !== undefined && requiredNames(schema).length > 0)
  return { requestBody: { required, content: { ...json, ...(upload ? { 'multipart/form-data': form(upload) } : {}) } } }
}

function form({ field, fields, files }: Upload): JsonSchema {
  const file = { type: 'string', format: 'binary' }
  const name = files?.field ?? 'file'
  const schema = {
    type: 'object',
    required: [name],
    properties: {
      [name]: files ? { type: 'array', items: file, minItems: 1, maxItems: files.max } : file,
      [field]: jsonSchemaOf(fields),
    },
    additionalProperties: false,
  }
  return { schema, encoding: { [field]: { contentType: 'application/json' } } }
}

function tagsOf(paths: Readonly<Record<string, JsonSchema>>): readonly { readonly name: string }[] {
  const operations = Object.values(paths).flatMap(
    (path) => Object.values(path) as { readonly tags: readonly string[] }[],
  )
  return [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => ({ name }))
}
