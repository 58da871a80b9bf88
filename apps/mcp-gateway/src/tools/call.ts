import { isUnavailable } from '@crm/db/unavailable'
import type { Tool, ToolRequest } from '@crm/tools'
import type { GatewayWorkspace } from '../discovery/deps.ts'
import { readEffective } from './credential.ts'
import { askPerson, isUnconfirmed, readAnswer, type Confirming } from './confirming.ts'
import { CrmApiUnreachable, type ApiAnswer } from './crm-api.ts'
import { isLeftTo } from './narrowing.ts'
import { planCall, type KnownTools, type PlannedCall, type ToolCall } from './planned-call.ts'
import { handshakeVersion, statelessVersion, type JsonStream, type Question } from './protocol.ts'
import {
  forbidden,
  inArguments,
  readRefusal,
  scopeChallenge,
  unauthorized,
  unavailable,
  withNearWords,
  type ApiRefusal,
} from './refusal.ts'
import { errorResult, successResult, textResult } from './result.ts'

export interface CallDeps extends Confirming, KnownTools {
  /** Rejects when the caller's host belongs to no workspace. */
  workspace(): Promise<GatewayWorkspace>
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void
  /** Counts a call by its outcome. */
  count(outcome: 'done' | 'refused' | 'failed'): void
}

/** The codes that deny access to this person, or with this credential. */
const deniedCodes: readonly unknown[] = ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE', 'ACCOUNT_DISABLED']

/**
 * Makes a tool call: exactly one request to the API, with the caller's own credential; or asks the person first.
 *
 * @throws {RpcError} for an unknown tool, and HttpRefusal when the credential is not valid or not allowed
 */
export async function callTool(params: ToolCall, deps: CallDeps): Promise<string | JsonStream | Question> {
  try {
    return await makeCall(params, deps)
  } catch (error) {
    deps.count(error instanceof CrmApiUnreachable || isUnavailable(error) ? 'failed' : 'refused')
    if (!(error instanceof CrmApiUnreachable) && !isUnavailable(error)) throw error
    deps.setHeader('retry-after', unavailable.retryAfter)
    return errorResult(unavailable.status, unavailable.body, unavailable.retryAfter)
  }
}

async function makeCall(call: ToolCall, deps: CallDeps): Promise<string | JsonStream | Question> {
  const planned = planCall(call, deps)
  if (planned.kind === 'request') return request(planned, deps)
  // A sender without a valid credential does not learn what is wrong with the call.
  const effective = await readEffective(deps)
  if (planned.kind === 'unknown') throw planned.error
  deps.count(planned.kind === 'refusal' ? 'refused' : 'done')
  return planned.kind === 'refusal' ? errorResult(400, planned.refusal) : foundTools(planned, effective, deps)
}

type Planned<Kind> = Extract<PlannedCall, { readonly kind: Kind }>

async function request(
  { tool, request, answer: style }: Planned<'request'>,
  deps: CallDeps,
): Promise<string | JsonStream | Question> {
  const { state } = deps.elicitation
  const isAnswer = state !== undefined && deps.revision === statelessVersion
  const { refusal, id: confirmationId } = isAnswer ? await readAnswer({ request }, state, deps) : {}
  if (refusal !== undefined) {
    deps.count('refused')
    return refusal
  }
  const confirmed = confirmationId === undefined ? request : { ...request, confirmationId }
  const answer = await deps.crmApi.send(deps.head, confirmed, { isFile: tool.answersFile })
  if (isUnconfirmed(answer, deps.revision)) {
    deps.count('refused')
    return askPerson({ tool, request }, deps)
  }
  if (answer.status >= 400) return refusedResult({ tool, request }, answer, deps)
  deps.count('done')
  return successResult(tool, answer, style, () => addressOf(request, deps))
}

async function foundTools(
  { query, limit }: Planned<'search'>,
  effective: ReadonlySet<string>,
  { core, narrowing, workspace }: CallDeps,
): Promise<string> {
  const { tools, elsewhere } = core.search(query, limit, (tool) => isLeftTo(tool, narrowing, effective))
  const { baseUrl } = await workspace()
  return textResult(
    JSON.stringify({ tools, elsewhere: elsewhere.map(({ topic, path }) => ({ topic, url: `${baseUrl}${path}` })) }),
  )
}

async function addressOf({ path, query }: ToolRequest, { workspace }: CallDeps): Promise<string> {
  return `${(await workspace()).baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
}

async function refusedResult(
  { tool, request }: Pick<Planned<'request'>, 'tool' | 'request'>,
  answer: ApiAnswer,
  deps: CallDeps,
): Promise<string> {
  answer.rest?.destroy()
  const body = withNearWords(inArguments(readRefusal(answer), tool.route), request.body)
  if (answer.status === 401) throw unauthorized(await deps.metadataUrl(), { wasShown: true })
  if (answer.status === 403 && deniedCodes.includes(body.code)) {
    const challenge = scopeChallenge(answer.wwwAuthenticate, await deps.metadataUrl())
    // Without a handshake, a client takes HTTP 403 for a question to its person, who can answer it only with a wider scope.
    if (challenge !== undefined || deps.revision === handshakeVersion)
      throw forbidden(body, { permission: permissionOf(tool, body), challenge })
  }
  // The API answers an unknown host like an unknown record. For the caller the host is not part of the tool call.
  if (answer.status === 404) await deps.workspace()
  deps.count(answer.status >= 500 ? 'failed' : 'refused')
  // The model reads the result; the header is for the software between it and the server.
  if (answer.retryAfter !== null) deps.setHeader('retry-after', answer.retryAfter)
  return errorResult(answer.status, body, answer.retryAfter)
}

function permissionOf({ permissions }: Tool, { requiredPermission }: ApiRefusal): string {
  return typeof requiredPermission === 'string' ? requiredPermission : permissions.join(' ')
}
