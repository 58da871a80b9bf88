import {
  coreOnly,
  foundTools,
  httpRequestOf,
  IdempotencyArgumentError,
  PathArgumentError,
  shortened,
  suggestedNames,
  suggestedTools,
  ClearArgumentError,
  UnknownArgumentsError,
  WrongKindError,
  type CoreMode,
  type Tool,
  type ToolArguments,
  type ToolCatalogue,
  type ToolRequest,
} from '@crm/tools'
import { isLeft, type Narrowing } from './narrowing.ts'
import { RpcError, rpcErrors } from './protocol.ts'
import type { ApiRefusal } from './refusal.ts'

/** A call as a client sends it. */
export interface ToolCall {
  readonly name: string
  readonly arguments?: ToolArguments
}

/** The plan for a call: a request to the API, a search for tools, or a refusal without a request. */
export type PlannedCall =
  | { readonly kind: 'request'; readonly tool: Tool; readonly request: ToolRequest; readonly answer: AnswerStyle }
  | { readonly kind: 'search'; readonly query: string; readonly limit: number }
  | { readonly kind: 'refusal'; readonly refusal: ApiRefusal }
  | { readonly kind: 'unknown'; readonly error: RpcError }

/** The form of an answer: the API's own, or a short one with the names of the sent arguments. */
export type AnswerStyle = { readonly isShort: false } | { readonly isShort: true; readonly sent: readonly string[] }

/** The tools that exist. */
export interface KnownTools {
  readonly catalogue: ToolCatalogue
  readonly core: CoreMode
  readonly narrowing: Narrowing
}

/** Plans a call in the mode that the client asked for. */
export function planCall({ name, arguments: args = {} }: ToolCall, known: KnownTools): PlannedCall {
  const { catalogue, core, narrowing } = known
  if (narrowing.mode === 'full') return planTool(name, catalogue.find(name), args, known)
  if (name === coreOnly.search) return planSearch(args)
  if (name === coreOnly.execute) return planExecution(args, known)
  if (name === coreOnly.workspace)
    return planTool(name, core.find(name)?.tool ?? undefined, args, {
      ...known,
      narrowing: { ...narrowing, toolsets: null },
    })
  return planTool(name, core.find(name)?.tool ?? undefined, args, known)
}

function planTool(
  name: string,
  tool: Tool | undefined,
  args: ToolArguments,
  known: KnownTools,
  isShort = known.narrowing.mode === 'core',
): PlannedCall {
  if (!tool || !isLeft(tool, known.narrowing)) return unknownTool(name, known)
  try {
    const request = httpRequestOf(tool, isShort ? shortened(args, tool.short) : args)
    return { kind: 'request', tool, request, answer: isShort ? { isShort, sent: Object.keys(args) } : { isShort } }
  } catch (error) {
    const refusal = refusalOf(error, tool)
    if (!refusal) throw error
    return { kind: 'refusal', refusal }
  }
}

/** Plans a call of any tool of the full list by its name. */
function planExecution(args: ToolArguments, known: KnownTools): PlannedCall {
  const { name } = args
  const given = args['arguments'] ?? {}
  const inner = typeof given === 'string' ? parsed(given) : given
  const refusal =
    unexpected(args, ['name', 'arguments']) ??
    (typeof name === 'string' ? undefined : invalid('name', 'name must be the name of a tool')) ??
    (isFields(inner) ? undefined : invalid('arguments', 'arguments must be an object'))
  if (refusal) return { kind: 'refusal', refusal }
  const tool = known.catalogue.find(String(name))
  return planTool(
    String(name),
    tool,
    inner as ToolArguments,
    { ...known, narrowing: { ...known.narrowing, mode: 'full' } },
    true,
  )
}

const queryCharactersMax = 200

function planSearch(args: ToolArguments): PlannedCall {
  const { query } = args
  const limit = args['limit'] ?? foundTools.limit
  const count = Number(limit)
  const refusal =
    unexpected(args, ['query', 'limit']) ??
    (typeof query === 'string' && query.trim() !== '' && query.length <= queryCharactersMax
      ? undefined
      : invalid('query', `query must be text of up to ${queryCharactersMax} characters`)) ??
    (Number.isInteger(count) && count >= 1 ? undefined : invalid('limit', 'limit must be a whole number of at least 1'))
  if (refusal) return { kind: 'refusal', refusal }
  return { kind: 'search', query: String(query), limit: Math.min(count, foundTools.limitMax) }
}

function unknownTool(name: string, { catalogue, core, narrowing }: KnownTools): PlannedCall {
  const other = narrowing.mode === 'core' ? catalogue.find(name) : undefined
  if (other && isLeft(other, narrowing)) {
    const data = { suggestions: [coreOnly.execute] }
    const message = `${name} is called by ${coreOnly.execute}, with its name and arguments`
    return { kind: 'unknown', error: new RpcError(rpcErrors.invalidParams, message, data) }
  }
  const there =
    narrowing.mode === 'core'
      ? core.tools.filter(({ tool }) => !tool || isLeft(tool, narrowing))
      : catalogue.tools.filter((tool) => isLeft(tool, narrowing))
  const suggestions = suggestedTools(
    name,
    there.map((tool) => tool.name),
  )
  const data = suggestions.length > 0 ? { suggestions } : undefined
  return { kind: 'unknown', error: new RpcError(rpcErrors.invalidParams, `There is no tool ${name}`, data) }
}

/** Returns the refusal that the API would give if the request could be made; undefined for a fault of ours. */
function refusalOf(error: unknown, { route, reading }: Tool): ApiRefusal | undefined {
  if (error instanceof UnknownArgumentsError)
    return route.body === 'none' ? unknownParams(error, reading) : unknownMembers(error, reading)
  if (error instanceof IdempotencyArgumentError) return { error: error.message, code: 'IDEMPOTENCY_KEY_INVALID' }
  if (error instanceof WrongKindError) return { error: error.message, code: 'INVALID_ID' }
  const isOfArgument = error instanceof PathArgumentError || error instanceof ClearArgumentError
  return isOfArgument ? invalid(error.argument, error.message) : undefined
}

function unexpected(args: ToolArguments, accepted: readonly string[]): ApiRefusal | undefined {
  const unknown = Object.keys(args).filter((name) => !accepted.includes(name))
  return unknown.length === 0 ? undefined : unknownMembers(new UnknownArgumentsError(unknown, accepted))
}

function unknownParams({ message, unknown, accepted }: UnknownArgumentsError, reading: Tool['reading']): ApiRefusal {
  const suggestions = suggestedNames(unknown, accepted, reading)
  return {
    error: message,
    code: 'UNKNOWN_QUERY_PARAM',
    details: { unknownParams: unknown, acceptedParams: accepted, ...(suggestions ? { suggestions } : {}) },
  }
}

function unknownMembers(
  { message, unknown, accepted }: UnknownArgumentsError,
  reading: Pick<Tool['reading'], 'own'> = { own: null },
): ApiRefusal {
  const issues = unknown.map((name) => ({ path: [name], message: `There is no ${name}`, values: accepted }))
  const suggestions = suggestedNames(unknown, accepted, reading)
  return { error: message, code: 'VALIDATION_ERROR', issues, ...(suggestions ? { details: { suggestions } } : {}) }
}

function invalid(argument: string, message: string): ApiRefusal {
  return { error: message, code: 'VALIDATION_ERROR', issues: [{ path: [argument], message }] }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isFields(value: unknown): value is ToolArguments {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
