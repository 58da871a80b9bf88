import { own, type Method } from '@crm/contract'
import { takesNull, type JsonSchema } from './compact-schema.ts'
import { clearArgument, idempotencyArgument } from './input-schema.ts'
import { readArguments } from './read-arguments.ts'
import { respelled } from './respelled.ts'
import { repairedMembers } from './repaired.ts'
import type { Tool, ToolRoute } from './tool.ts'

/** The HTTP request of a tool call. */
export interface ToolRequest {
  readonly method: Method
  /** Filled and encoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** The error for a path argument that is missing or cannot be part of a path. */
export class PathArgumentError extends Error {
  readonly argument: string

  constructor(argument: string) {
    super(`The argument ${argument} is required and must be text`)
    this.name = 'PathArgumentError'
    this.argument = argument
  }
}

/** The error for arguments that a tool does not have. */
export class UnknownArgumentsError extends Error {
  readonly unknown: readonly string[]
  readonly accepted: readonly string[]

  constructor(unknown: readonly string[], accepted: readonly string[]) {
    const named = unknown.join(', ')
    super(
      accepted.length > 0
        ? `The tool has no argument ${named}; it takes ${accepted.join(', ')}`
        : `The tool takes no arguments, so not ${named}`,
    )
    this.name = 'UnknownArgumentsError'
    this.unknown = unknown
    this.accepted = accepted
  }
}

/** The error for an idempotency key that no header can carry, or that exceeds the maximum length. */
export class IdempotencyArgumentError extends Error {
  constructor() {
    super(
      `The argument ${idempotencyArgument} must have ${idempotencyKeyCharactersMax} characters at most, all of them printable Latin ones`,
    )
    this.name = 'IdempotencyArgumentError'
  }
}

/** The error for fields that cannot be emptied, or that get a value too. */
export class ClearArgumentError extends Error {
  readonly argument = clearArgument

  constructor(message: string) {
    super(message)
    this.name = 'ClearArgumentError'
  }
}

const idempotencyKeyCharactersMax = 255

export type ToolArguments = Readonly<Record<string, unknown>>

/**
 * Turns a tool call into its HTTP request; the API itself checks the values of the arguments.
 *
 * @throws {UnknownArgumentsError} when the tool has no such arguments; a misspelled filter would list everything
 * @throws {PathArgumentError} when the path cannot be filled
 * @throws {WrongKindError} when an id names another kind than the argument takes
 * @throws {IdempotencyArgumentError}
 * @throws {ClearArgumentError}
 */
export function httpRequestOf({ route, inputSchema, fullSchema, reading }: Tool, sent: ToolArguments): ToolRequest {
  const args = respelled(sent, { ...propertiesOf(reading.schema), ...propertiesOf(fullSchema) }, reading)
  refuseUnknown(args, inputSchema, route)
  const given = cleared(
    withoutNulls(readArguments(repairedMembers(args, fullSchema), reading), reading.schema),
    reading.schema,
    route,
  )
  const others = Object.entries(given).filter(([name]) => !hasOwnPlace(name, route))
  return {
    method: route.method,
    path: filledPath(route, given),
    query: queryOf(route.queryArguments, given, route.body === 'none' ? others : []),
    body: bodyOf(route.body, others),
    idempotencyKey: route.takesIdempotencyKey ? idempotencyKeyOf(given[idempotencyArgument]) : undefined,
  }
}

/** Many models write null for whatever they leave alone: where nothing can be null, it is absence. */
function withoutNulls(given: ToolArguments, schema: JsonSchema): ToolArguments {
  const properties = propertiesOf(schema)
  const isGiven = ([name, value]: readonly [string, unknown]): boolean => {
    const property = own(properties, name)
    return value !== null || property === undefined || takesNull(property)
  }
  return Object.fromEntries(Object.entries(given).filter(isGiven))
}

/** Makes the fields null that the argument `clear` names. */
function cleared(given: ToolArguments, schema: JsonSchema, { takesClear }: ToolRoute): ToolArguments {
  if (!takesClear) return given
  const { [clearArgument]: named = [], ...others } = given
  if (!Array.isArray(named)) throw new ClearArgumentError('clear must be a list of names of fields')
  const clearable = Object.entries(propertiesOf(schema)).flatMap(([name, property]) =>
    takesNull(property) ? [name] : [],
  )
  const wrong = named.find((name) => !clearable.includes(name as string))
  if (wrong !== undefined)
    throw new ClearArgumentError(`${String(wrong)} cannot be emptied; fields that can are ${clearable.join(', ')}`)
  const both = named.find((name) => (others[name as string] ?? null) !== null)
  if (both !== undefined) throw new ClearArgumentError(`${both as string} is emptied and gets a value`)
  return { ...others, ...Object.fromEntries(named.map((name) => [String(name), null])) }
}

function propertiesOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}

/** Custom fields belong to the workspace, so the tool does not name them. */
function refuseUnknown(
  args: ToolArguments,
  { properties = {}, additionalProperties }: JsonSchema,
  { queryArguments }: ToolRoute,
): void {
  // A summary accepts the filters of its list without naming them.
  const accepted = [...new Set([...Object.keys(properties as object), ...Object.keys(queryArguments)])]
  const isAccepted = (name: string): boolean =>
    accepted.includes(name) || (additionalProperties !== undefined && name.startsWith('cf_'))
  const unknown = Object.keys(args).filter((name) => !isAccepted(name))
  if (unknown.length > 0)
    throw new UnknownArgumentsError(unknown, additionalProperties === undefined ? accepted : [...accepted, 'cf_<name>'])
}

/** Whether an argument has a destination of its own by its name; all others share one. */
function hasOwnPlace(name: string, { pathArguments, queryArguments, takesIdempotencyKey }: ToolRoute): boolean {
  return (
    Object.hasOwn(queryArguments, name) ||
    Object.values(pathArguments).includes(name) ||
    (takesIdempotencyKey && name === idempotencyArgument)
  )
}

/** The key becomes a header, so it is checked before it could break the request. */
function idempotencyKeyOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const key = asText(value)
  if (key.length > idempotencyKeyCharactersMax || !/^[\x20-\x7e\xa0-\xff]*$/.test(key))
    throw new IdempotencyArgumentError()
  return key
}

function filledPath({ path, pathArguments }: ToolRoute, given: ToolArguments): string {
  return Object.entries(pathArguments).reduce(
    (filled, [parameter, argument]) => filled.replace(`{${parameter}}`, segmentOf(argument, given[argument])),
    path,
  )
}

/** Encodes the value, so that its replacement text has no brace and no special sign for `replace`. */
function segmentOf(argument: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new PathArgumentError(argument)
  const text = String(value)
  // A segment of dots would lead to another path; half of a surrogate pair cannot be encoded.
  if (/^\.{0,2}$/.test(text) || !text.isWellFormed()) throw new PathArgumentError(argument)
  return encodeURIComponent(text)
}

type Argument = readonly [name: string, value: unknown]

function queryOf(
  named: ToolRoute['queryArguments'],
  given: ToolArguments,
  others: readonly Argument[],
): URLSearchParams {
  const declared = Object.entries(named).map(([argument, parameter]): Argument => [parameter, given[argument]])
  const sent = [...declared, ...others].filter(([, value]) => value !== undefined && value !== null)
  return new URLSearchParams(sent.map(([name, value]) => [name, asText(value)]))
}

function bodyOf(place: ToolRoute['body'], others: readonly Argument[]): unknown {
  if (place === 'none') return undefined
  const members = Object.fromEntries(others)
  return place === 'whole' ? members['body'] : members
}

/** Lists in a query are separated by commas (docs/guide/lists.md). */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`
}
