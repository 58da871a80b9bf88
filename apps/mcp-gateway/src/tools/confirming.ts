import type { Database } from '@crm/db'
import { requestDigest } from '@crm/http'
import type { Clock } from '@crm/runtime'
import type { Tool, ToolRequest } from '@crm/tools'
import { answerTo, askFor, type AskedCall } from './confirmations.repository.ts'
import { readRecognised, type CredentialCheck } from './credential.ts'
import { pathOf, type ApiAnswer, type CrmApi } from './crm-api.ts'
import { questionAbout, type Elicitation, type Previewed } from './elicitation.ts'
import { handshakeVersion, rpcErrors, type Question, type Revision } from './protocol.ts'
import { HttpRefusal, readRefusal, type ApiRefusal } from './refusal.ts'
import { errorResult } from './result.ts'

/** Keeps the questions to people. */
export interface ConfirmationDeps {
  readonly confirmations: { readonly db: Database; readonly clock: Clock }
}

export interface Confirming extends CredentialCheck, ConfirmationDeps {
  readonly crmApi: CrmApi
  readonly revision: Revision
  readonly elicitation: Elicitation
}

interface Asked {
  readonly tool: Tool
  readonly request: ToolRequest
}

const code = 'CONFIRMATION_NEEDED'

/** Whether an answer of the API says that a person has to confirm a call, to a client that can be told so. */
export function isUnconfirmed(answer: ApiAnswer, revision: Revision): boolean {
  return answer.status === 403 && revision !== handshakeVersion && readRefusal(answer).code === code
}

/**
 * Asks the person whether a call may be made, and shows what it would do.
 *
 * @throws {HttpRefusal} when the client cannot ask
 */
export async function askPerson({ tool, request }: Asked, deps: Confirming): Promise<Question | string> {
  const { confirmations, crmApi, head, elicitation } = deps
  if (!elicitation.canAsk)
    throw new HttpRefusal(400, rpcErrors.missingCapability, 'A person confirms this call, so the client has to ask', {
      data: { requiredCapabilities: { elicitation: {} } },
    })
  const { body: content, status } = await crmApi.send(head, {
    method: 'POST',
    path: '/api/preview',
    body: { operation: tool.name, ...partsOf(tool, request) },
  })
  const answered = JSON.parse(content.toString()) as ApiRefusal & { readonly data?: Previewed & Refused }
  if (status !== 200 && answered.code !== 'NOT_PREVIEWABLE') return errorResult(status, answered)
  const { data } = answered
  // Nobody is asked about what would be refused.
  if (data && data.status >= 400) return errorResult(data.status, data.body)
  const state = await askFor(confirmations.db, await callOf(request, deps), confirmations.clock.now())
  return questionAbout(tool.title, data ?? null, state)
}

interface Refused {
  readonly status: number
  readonly body: ApiRefusal
}

/** Returns the id of the confirmation by which a call passes; or the result that says why it does not. */
export async function readAnswer(
  { request }: Pick<Asked, 'request'>,
  state: string,
  deps: Confirming,
): Promise<{ readonly id?: string; readonly refusal?: string }> {
  const { confirmations, elicitation } = deps
  const { action } = elicitation
  if (action === undefined) return refusal(400, 'inputResponses lacks the answer to the question')
  const isAccepted = action === 'accept'
  const at = confirmations.clock.now()
  const id = await answerTo(confirmations.db, await callOf(request, deps), { state, isAccepted, at })
  if (id === null) return refusal(403, 'This answer belongs to another call, was used before, or came too late')
  return isAccepted ? { id } : refusal(403, 'The person said no; nothing was done')
}

function refusal(status: number, error: string): { readonly refusal: string } {
  return { refusal: errorResult(status, { error, code }) }
}

async function callOf({ method, body, ...address }: ToolRequest, deps: Confirming): Promise<AskedCall> {
  const { workspace, caller } = await readRecognised(deps)
  const { credential, employee } = caller
  if (!workspace.id || !credential || !employee.id) throw new Error('Nobody knows whose call this is')
  return {
    workspaceId: workspace.id,
    employeeId: employee.id,
    credentialId: credential.id,
    requestDigest: requestDigest({ method, path: pathOf(address), body }),
  }
}

/** Returns the parts of a request by their names, as a preview takes them. */
function partsOf({ route }: Tool, { path, query, body }: ToolRequest) {
  const template = route.path.split('/')
  const params = path.split('/').flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(template[at] ?? '')?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(part)]]
  })
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    ...(body === undefined ? {} : { body }),
  }
}
