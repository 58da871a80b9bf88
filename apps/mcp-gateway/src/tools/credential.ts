import { ApiError, toApiAnswer, type ErrorCode, type ErrorExtras } from '@crm/errors'
import { addressIn } from '@crm/runtime'
import type { CallerHead } from './crm-api.ts'
import { forbidden, passedOn, unauthorized } from './refusal.ts'

/** The known facts about a request that shows a credential. */
export interface Recognised {
  readonly workspace: { readonly id?: string; readonly inMaintenance: boolean } | null
  readonly caller: {
    readonly class?: string
    readonly credential?: { readonly id: string }
    readonly employee: { readonly id?: string; readonly status: string }
    readonly effective: ReadonlySet<string>
    /** The only addresses from which the credential works; none: from everywhere. */
    readonly allowedCidrs?: readonly string[]
  } | null
  /** The state of the limit; null for a credential without one. */
  readonly budget: { readonly allowed: boolean; readonly retryAfterS: number } | null
}

/** The functions that recognise credentials. */
export interface CredentialDeps {
  /** Finds the workspace of the host and the caller of the credential, and counts the request. */
  readonly recognise: (
    head: Pick<CallerHead, 'host' | 'authorization'> & { readonly address: () => string },
  ) => Promise<Recognised>
  /** Whether the database schema is older than the code. */
  isSchemaBehind(): boolean | Promise<boolean>
}

/** The inputs of a check besides the caller. */
export interface CredentialCheck extends CredentialDeps {
  readonly head: CallerHead
  /** Returns the address where a client learns how to get a credential; called only when the client needs it. */
  metadataUrl(): Promise<string>
  /** Hears whose credential it is, valid or not. */
  onRecognised?(recognised: Recognised): void
}

/**
 * Returns the permissions that the caller's credential can use. The checks are in the order of the API's own, and count
 * as one request of that credential.
 *
 * @throws {HttpRefusal} when the credential is not valid or may not be used now
 */
export async function readEffective(check: CredentialCheck): Promise<ReadonlySet<string>> {
  return (await readRecognised(check)).caller.effective
}

/** Somebody whose credential may be used now. */
type Known = { readonly [Part in 'workspace' | 'caller']: NonNullable<Recognised[Part]> }

/**
 * Returns whose credential it is, by the same checks.
 *
 * @throws {HttpRefusal} when the credential is not valid or may not be used now
 */
export async function readRecognised({
  recognise,
  isSchemaBehind,
  head,
  metadataUrl,
  onRecognised,
}: CredentialCheck): Promise<Known> {
  const { host, authorization, address } = head
  const recognised = await recognise({ host, authorization, address: () => address })
  onRecognised?.(recognised)
  const { workspace, caller, budget } = recognised
  // An unknown host is reported as such there.
  if (!workspace || !caller) throw unauthorized(await metadataUrl(), { wasShown: true })
  if (budget && !budget.allowed) throw refused('RATE_LIMITED', budget)
  if (caller.employee.status !== 'ACTIVE') throw refused('ACCOUNT_DISABLED')
  if (caller.allowedCidrs?.length && !addressIn(caller.allowedCidrs)(address)) throw refused('ADDRESS_NOT_ALLOWED')
  if (workspace.inMaintenance || (await isSchemaBehind())) throw refused('SCHEMA_OUT_OF_DATE', { retryAfterS: 30 })
  return { workspace, caller }
}

/** Returns the refusal that the API would give, in the form in which it is passed on. */
function refused(code: ErrorCode, extras: ErrorExtras = {}): Error {
  const { status, body, retryAfterS } = toApiAnswer(new ApiError(code, extras), '')
  if (status === 403) return forbidden(body)
  return passedOn({ status, retryAfter: retryAfterS === undefined ? null : String(retryAfterS) }, body)
}
