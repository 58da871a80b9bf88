import type { ApiAnswer, CallerHead, CrmApi } from './crm-api.ts'
import { CrmApiUnreachable } from './crm-api.ts'
import { rpcErrors } from './protocol.ts'
import { forbidden, HttpRefusal, passedOn, readRefusal, unauthorized } from './refusal.ts'

/** What a check needs besides the caller. */
export interface CredentialCheck {
  readonly crmApi: CrmApi
  readonly head: CallerHead
  /** Where a client learns how to get a credential; asked only when it needs to know. */
  metadataUrl(): Promise<string>
}

/** The permissions that a credential can use, as the API wrote them; most callers need only to tell them from others. */
export interface Effective {
  readonly text: string
  read(): ReadonlySet<string>
}

/** Permissions as a list of JSON. */
export function effectiveOf(text: string): Effective {
  return { text, read: () => new Set(JSON.parse(text) as readonly string[]) }
}

/**
 * Asks the API what the caller's credential may do; the question counts as one request of that credential.
 *
 * @throws {HttpRefusal} when the credential is not valid, may not be used now, or the API cannot say
 */
export async function readEffective({ crmApi, head, metadataUrl }: CredentialCheck): Promise<Effective> {
  const answer = await readFrom(crmApi, head, '/api/me/scopes')
  // The answer describes every permission that there is; of all that, one list is needed.
  if (answer.status === 200) return effectiveOf(/"effective":(\[[^\]]*\])/.exec(answer.body.toString())?.[1] ?? '[]')
  const body = readRefusal(answer)
  // An unknown host is told as such there.
  if (answer.status === 401 || answer.status === 404) throw unauthorized(await metadataUrl())
  throw answer.status === 403 ? forbidden(body, answer) : passedOn(answer, body)
}

/**
 * Reads something from the API beside a tool call.
 *
 * @throws {HttpRefusal} when there is no answer
 */
export async function readFrom(crmApi: CrmApi, head: CallerHead, path: string): Promise<ApiAnswer> {
  try {
    return await crmApi.send(head, { method: 'GET', path })
  } catch (error) {
    if (!(error instanceof CrmApiUnreachable)) throw error
    throw new HttpRefusal(502, rpcErrors.unavailable, error.message, { data: { status: 502 } })
  }
}
