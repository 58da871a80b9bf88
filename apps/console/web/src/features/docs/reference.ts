/** A JSON schema of the document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

interface RawResponse {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface RawOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  }
  readonly responses?: Readonly<Record<string, RawResponse>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-required-permissions'?: readonly string[]
  readonly 'x-permission-rule'?: string
}

/** The part of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string; readonly version: string }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, RawResponse>>
  }
}

/** One operation, with all of its details in one place. */
export interface DocumentedOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | null
  readonly replies: readonly { readonly status: string; readonly description: string; readonly schema: Schema | null }[]
  readonly refusals: readonly {
    readonly status: string
    readonly codes: readonly { readonly code: string; readonly text: string }[]
  }[]
  readonly permissions: readonly string[]
  /** Whether all of the permissions are needed, any of them, or the one for the record's kind. */
  readonly permissionRule: 'all' | 'any' | 'record'
  /** The credential for it: an API key, nothing, or the secret of a webhook. */
  readonly opensWith: 'key' | 'nothing' | 'secret'
}

export interface OperationGroup {
  readonly tag: string
  readonly operations: readonly DocumentedOperation[]
}

/** Reads the operations of a document, in its order, by group. */
export function readOperations(document: ApiDocument): readonly OperationGroup[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => readOperation(document, path, method, raw)),
  )
  return [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, ofTag]) => ({ tag, operations: ofTag }))
}

function readOperation(document: ApiDocument, path: string, method: string, raw: RawOperation): DocumentedOperation {
  const responses = Object.entries(raw.responses ?? {}).map(([status, response]) => ({
    status,
    response: resolveResponse(document, response),
  }))
  const isReply = ({ status }: { status: string }) => status.startsWith('2')
  const rule = raw['x-permission-rule']
  return {
    id: raw.operationId,
    tag: raw.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? raw.operationId,
    description: raw.description ?? '',
    parameters: raw.parameters ?? [],
    body: schemaOf(raw.requestBody?.content),
    replies: responses.filter(isReply).map(({ status, response }) => ({
      status,
      description: response.description ?? '',
      schema: schemaOf(response.content),
    })),
    refusals: responses
      .filter((response) => !isReply(response))
      .map(({ status, response }) => ({ status, codes: codesIn(response.description ?? '') })),
    permissions: raw['x-required-permissions'] ?? [],
    permissionRule: rule === 'any' || rule === 'record' ? rule : 'all',
    opensWith: opensWith(raw.security ?? document.security ?? []),
  }
}

function resolveResponse({ components }: ApiDocument, response: RawResponse): RawResponse {
  const name = nameIn(response.$ref, 'responses')
  return (name === undefined ? undefined : components?.responses?.[name]) ?? response
}

function schemaOf(content: RawResponse['content']): Schema | null {
  return content?.['application/json']?.schema ?? null
}

/** Parses the refusals in a description, which has a line `CODE: text` for each. */
function codesIn(description: string): readonly { readonly code: string; readonly text: string }[] {
  return description
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, code, text] = /^([A-Z][A-Z_]*): (.*)$/.exec(line) ?? []
      return { code: code ?? '', text: text ?? line }
    })
}

function opensWith(security: readonly Readonly<Record<string, unknown>>[]): DocumentedOperation['opensWith'] {
  if (security.some((scheme) => 'apiKey' in scheme)) return 'key'
  return security.some((scheme) => 'webhookSecret' in scheme) ? 'secret' : 'nothing'
}

function nameIn(reference: string | undefined, kind: 'schemas' | 'responses'): string | undefined {
  const prefix = `#/components/${kind}/`
  return reference?.startsWith(prefix)
    ? reference.slice(prefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
    : undefined
}

/** Returns a schema itself in place of a reference to it. */
export function resolveSchema({ components }: ApiDocument, schema: Schema): Schema {
  const name = nameIn(schema.$ref, 'schemas')
  return (name === undefined ? undefined : components?.schemas?.[name]) ?? schema
}

/** Returns the groups with the operations that match every word of a text. */
export function findOperations(groups: readonly OperationGroup[], text: string): readonly OperationGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ id, method, path, summary, tag }: DocumentedOperation) => {
    const haystack = `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  }
  return groups
    .map(({ tag, operations }) => ({ tag, operations: operations.filter(matches) }))
    .filter(({ operations }) => operations.length > 0)
}

/** Returns the name of a group as a heading: `crm.comments` becomes Comments. */
export function groupName(tag: string): string {
  const words = tag
    .replace(/^crm\./, '')
    .replaceAll(/[.-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
