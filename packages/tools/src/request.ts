import type { Method } from '@crm/contract'
import type { JsonSchema } from './compact-schema.ts'
import { idempotencyArgument } from './input-schema.ts'
import type { Tool } from './tool.ts'

/** The HTTP request that a tool call stands for. */
export interface ToolRequest {
  readonly method: Method
  /** Filled and encoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** An argument that has to fill the path is missing, or cannot stand in a path. */
export class PathArgumentError extends Error {
  readonly argument: string

  constructor(argument: string) {
    super(`The argument ${argument} is required and must be text`)
    this.name = 'PathArgumentError'
    this.argument = argument
  }
}

/** An idempotency key that no header can carry, or that is longer than any may be. */
export class IdempotencyArgumentError extends Error {
  constructor() {
    super(`The argument ${idempotencyArgument} must have ${idempotencyKeyCharactersMax} characters at most, all of them printable Latin ones`)
    this.name = 'IdempotencyArgumentError'
  }
}

const idempotencyKeyCharactersMax = 255

export type ToolArguments = Readonly<Record<string, unknown>>

/**
 * Turns a tool call into its HTTP request; what the arguments are worth is for the API to say.
 *
 * @throws {PathArgumentError} when the path cannot be filled
 * @throws {IdempotencyArgumentError}
 */
export function httpRequestOf({ route, inputSchema }: Tool, args: ToolArguments): ToolRequest {
  const given = repaired(args, inputSchema)
  const pathArguments = Object.values(route.pathArguments)
  const elsewhere = new Set([...pathArguments, ...Object.keys(route.queryArguments), ...(route.takesIdempotencyKey ? [idempotencyArgument] : [])])
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !elsewhere.has(name)))
  return {
    method: route.method,
    path: filledPath(route.path, route.pathArguments, given),
    query: queryOf(route.queryArguments, given, route.body === 'none' ? others : {}),
    body: bodyOf(route.body, others),
    idempotencyKey: route.takesIdempotencyKey ? idempotencyKeyOf(given[idempotencyArgument]) : undefined,
  }
}

/** It becomes a header, so it is judged before it breaks the request. */
function idempotencyKeyOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const key = asText(value)
  if (key.length > idempotencyKeyCharactersMax || !/^[\x20-\x7e\xa0-\xff]*$/.test(key)) throw new IdempotencyArgumentError()
  return key
}

function filledPath(template: string, pathArguments: Tool['route']['pathArguments'], given: ToolArguments): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const argument = pathArguments[parameter] ?? parameter
    const value = given[argument]
    if (typeof value !== 'string' && typeof value !== 'number') throw new PathArgumentError(argument)
    // A segment of dots would lead to another path.
    if (/^\.{0,2}$/.test(String(value))) throw new PathArgumentError(argument)
    return encodeURIComponent(value)
  })
}

function queryOf(named: Tool['route']['queryArguments'], given: ToolArguments, others: ToolArguments): URLSearchParams {
  const declared = Object.entries(named).map(([argument, parameter]) => [parameter, given[argument]] as const)
  const sent = [...declared, ...Object.entries(others)].filter(([, value]) => value !== undefined && value !== null)
  return new URLSearchParams(sent.map(([name, value]) => [name, asText(value)]))
}

function bodyOf(place: Tool['route']['body'], others: ToolArguments): unknown {
  if (place === 'none') return undefined
  return place === 'whole' ? others['body'] : others
}

/** Lists in a query are separated by commas (interface 4.2). */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`
}

/** Some clients send every argument as text; those whose schema wants something else are read as JSON, nothing else is changed. */
function repaired(args: ToolArguments, { properties = {} }: JsonSchema): ToolArguments {
  const schemas = properties as Readonly<Record<string, JsonSchema>>
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, repairedValue(value, schemas[name] ?? {})]))
}

function repairedValue(value: unknown, { type }: JsonSchema): unknown {
  const types = [type].flat()
  if (typeof value !== 'string' || types.includes('string')) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return types.some((wanted) => isOf(wanted, parsed)) ? parsed : value
  } catch {
    return value
  }
}

function isOf(type: unknown, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return (type === 'number' || type === 'boolean') && typeof value === type
}
