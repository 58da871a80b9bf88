import {
  httpRequestOf,
  IdempotencyArgumentError,
  PathArgumentError,
  UnknownArgumentError,
  type Tool,
  type ToolArguments,
  type ToolCatalogue,
  type ToolRequest,
} from '@crm/tools'
import type { GatewayWorkspace } from '../deps.ts'
import { readEffective, type CredentialCheck } from './credential.ts'
import { isUnavailable } from '@crm/db/unavailable'
import { CrmApiUnreachable, type ApiAnswer, type CrmApi } from './crm-api.ts'
import { isLeft, type Narrowing } from './narrowing.ts'
import { RpcError, rpcErrors, type JsonStream } from './protocol.ts'
import { forbidden, readRefusal, scopeChallenge, unauthorized, unavailable, type ApiRefusal } from './refusal.ts'
import { errorResult, successResult } from './result.ts'

export interface CallDeps extends CredentialCheck {
  readonly crmApi: CrmApi
  readonly catalogue: ToolCatalogue
  readonly narrowing: Narrowing
  /** Rejects when the caller's host belongs to none. */
  workspace(): Promise<GatewayWorkspace>
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void
}

/** The codes that say: not this person, or not with this credential. */
const deniedCodes: readonly unknown[] = ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE', 'ACCOUNT_DISABLED']

/**
 * Makes a tool call: exactly one request to the API, with the caller's own credential.
 *
 * @throws {RpcError} for an unknown tool, and HttpRefusal when the credential is not valid or not allowed
 */
export async function callTool(params: ToolCall, deps: CallDeps): Promise<string | JsonStream> {
  try {
    return await makeCall(params, deps)
  } catch (error) {
    if (!(error instanceof CrmApiUnreachable) && !isUnavailable(error)) throw error
    deps.setHeader('retry-after', unavailable.retryAfter)
    return errorResult(unavailable.status, unavailable.body, unavailable.retryAfter)
  }
}

interface ToolCall {
  readonly name: string
  readonly arguments?: ToolArguments
}

async function makeCall({ name, arguments: args = {} }: ToolCall, deps: CallDeps): Promise<string | JsonStream> {
  const tool = deps.catalogue.find(name)
  if (!tool || !isLeft(tool, deps.narrowing)) {
    await readEffective(deps)
    throw new RpcError(rpcErrors.invalidParams, `There is no tool ${name}`)
  }
  const request = plan(tool, args)
  if (request instanceof Error) {
    await readEffective(deps)
    return errorResult(400, refusalOf(request))
  }
  const answer = await deps.crmApi.send(deps.head, request)
  return answer.status < 400
    ? successResult(tool, answer, () => addressOf(request, deps))
    : refusedResult(tool, answer, deps)
}

async function addressOf({ path, query }: ToolRequest, { workspace }: CallDeps): Promise<string> {
  return `${(await workspace()).baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
}

type ArgumentError = PathArgumentError | IdempotencyArgumentError | UnknownArgumentError

function plan(tool: Tool, args: ToolArguments): ToolRequest | ArgumentError {
  try {
    return httpRequestOf(tool, args)
  } catch (error) {
    if (
      error instanceof PathArgumentError ||
      error instanceof IdempotencyArgumentError ||
      error instanceof UnknownArgumentError
    )
      return error
    throw error
  }
}

/** What the API would say, if such a request could be made. */
function refusalOf(error: ArgumentError): ApiRefusal {
  const { message } = error
  if (error instanceof IdempotencyArgumentError) return { error: message, code: 'IDEMPOTENCY_KEY_INVALID' }
  const values = error instanceof UnknownArgumentError ? { values: error.accepted } : {}
  return { error: message, code: 'VALIDATION_ERROR', issues: [{ path: [error.argument], message, ...values }] }
}

async function refusedResult(tool: Tool, answer: ApiAnswer, deps: CallDeps): Promise<string> {
  answer.rest?.destroy()
  const body = readRefusal(answer)
  if (answer.status === 401) throw unauthorized(await deps.metadataUrl(), { wasShown: true })
  if (answer.status === 403 && deniedCodes.includes(body.code)) {
    throw forbidden(body, {
      permission: permissionOf(tool, body),
      challenge: scopeChallenge(answer.wwwAuthenticate, await deps.metadataUrl()),
    })
  }
  // The API answers an unknown host like an unknown record; to the caller it is no matter of the tool.
  if (answer.status === 404) await deps.workspace()
  // The model is told in the result; the header is for whatever stands between it and the server.
  if (answer.retryAfter !== null) deps.setHeader('retry-after', answer.retryAfter)
  return errorResult(answer.status, body, answer.retryAfter)
}

function permissionOf({ permissions }: Tool, { requiredPermission }: ApiRefusal): string {
  return typeof requiredPermission === 'string' ? requiredPermission : permissions.join(' ')
}
