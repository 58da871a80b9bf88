import type { Admission, Epochs, FixedWindow, Verdict } from '@crm/redis'
import { workspaceTag } from '@crm/redis'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { readCaller, readEmployeeCaller, type Caller, type CredentialClass } from './caller.ts'
import { readCredential, type ShownCredential } from './credential.ts'
import { createLastUse } from './last-use.ts'
import { leasedWorkflow, verifyRunToken } from './run-token.ts'
import { findWorkspaceId, hostName, readWorkspace, type Workspace } from './workspace.ts'
import type { WorkspaceLimitName } from '@crm/runtime'

/** The parts of a request that name its destination and its sender. */
export interface RequestHead {
  readonly host: string
  readonly authorization?: string
  readonly cookie?: string
  /** Set by the tool server for the calls it passes on. */
  readonly source?: string
  /** Returns the address of the client; it is a function because it is rarely needed. */
  readonly address?: () => string
  /** Whether the request came from the dispatcher's network without a proxy; a run token counts only then. */
  readonly isInternal?: boolean
}

/** The findings from a request's head; `budget` is null without a valid credential. */
export interface RecognisedRequest {
  readonly workspace: Workspace | null
  readonly caller: Caller | null
  readonly budget: Verdict | null
  /** The key under which knowledge of the workspace may be cached; null forbids caching. */
  readonly epoch: string | null
}

export interface RecogniserOptions {
  readonly pool: Pool
  readonly epochs: Epochs
  /** Requests per credential. */
  readonly limit: Pick<FixedWindow, 'consume'>
  /** The limit of the workspace that counts instead of the usual number. */
  readonly limitName?: WorkspaceLimitName
  /** Counts and reads the epoch in one command; without it there are two commands. */
  readonly admit?: Admission
  readonly now: () => Date
  /** The signing key for credentials of workflow runs; without it there are none. */
  readonly runTokenSecrets?: readonly string[]
  readonly withQuotas?: boolean
  /** The classes of stored credentials that count; those of people and programs by default. */
  readonly accepts?: readonly CredentialClass[]
}

const usualClasses: readonly CredentialClass[] = ['session', 'api-key', 'oauth-token']

interface Stamped<T> {
  readonly epoch: string | null
  readonly value: T
}

/** The contents of a request's head before any look-up. */
interface Arrival {
  readonly host: string
  readonly head: RequestHead
  readonly isInternal: boolean
}

/** The assumed workspace and caller of a request from earlier look-ups, and the count for it. */
interface Guess {
  readonly workspaceId: string | undefined
  readonly caller: Caller | undefined
  readonly epoch: string | null
  readonly budget: Verdict | null
}

/** Makes the look-ups of hosts, workspaces and callers, each with a memory of earlier results. */
function createLookUps({ pool, now, runTokenSecrets = [], withQuotas, accepts = usualClasses }: RecogniserOptions) {
  const hosts = new LRUCache<string, Stamped<string>>({ max: 10_000 })
  const workspaces = new LRUCache<string, Stamped<Workspace>>({ max: 1_000 })
  const callers = new LRUCache<string, Stamped<Caller>>({ max: 20_000 })

  const workspaceIdOf = async (host: string, epoch: string | null): Promise<string | null> => {
    const known = hosts.get(host)
    const still = stillKnown(known, epoch)
    if (still !== undefined) return still
    const id = await findWorkspaceId(pool, host)
    // An epoch covers only look-ups that started after it was read; a new workspace is therefore looked up once more.
    if (id) hosts.set(host, { epoch: id === known?.value ? epoch : null, value: id })
    return id
  }

  const workspaceOf = async (id: string, epoch: string | null): Promise<Workspace | null> => {
    const known = stillKnown(workspaces.get(id), epoch)
    if (known) return known
    const workspace = await readWorkspace(pool, id, { withQuotas })
    if (workspace) workspaces.set(id, { epoch, value: workspace })
    return workspace
  }

  const callerOf = async (
    workspaceId: string,
    shown: ShownCredential,
    epoch: string | null,
    isInternal: boolean,
  ): Promise<Caller | null> => {
    if (shown.kind === 'run') return isInternal ? runCaller(workspaceId, shown.token) : null
    if (!accepts.includes(shown.kind)) return null
    const key = `${workspaceId}:${shown.cacheKey}`
    const known = stillKnown(callers.get(key), epoch)
    if (known && !isOver(known)) return known
    const caller = await readCaller(pool, workspaceId, shown.kind, shown.hash)
    if (!caller || isOver(caller)) return null
    callers.set(key, { epoch, value: caller })
    return caller
  }

  const runCaller = async (workspaceId: string, token: string): Promise<Caller | null> => {
    const claims = verifyRunToken(token, runTokenSecrets, now().getTime())
    if (!claims || claims.workspaceId !== workspaceId) return null
    const workflow = await leasedWorkflow(pool, claims)
    if (!workflow) return null
    const caller = await readEmployeeCaller(pool, workspaceId, claims.employeeId)
    // Each run has a budget of its own, like each key.
    const via = { type: 'WORKFLOW', ...workflow } as const
    return caller && { ...caller, credential: { ...caller.credential, id: claims.runId }, via, depth: claims.depth }
  }

  const isOver = (caller: Caller): boolean =>
    caller.credential.expiresAt !== null && Date.parse(caller.credential.expiresAt) <= now().getTime()

  return { hosts, workspaces, callers, workspaceIdOf, workspaceOf, callerOf, isOver }
}

/**
 * Makes the function that resolves a request's head to its workspace and caller.
 *
 * Earlier results are reused only while the epochs in Redis are unchanged; the epochs are read in the same round trip
 * that counts the request. Without Redis every request asks the database.
 */
export function createRecogniser(options: RecogniserOptions): (head: RequestHead) => Promise<RecognisedRequest> {
  const { pool, epochs, limit, limitName, admit, now } = options
  const { hosts, workspaces, callers, workspaceIdOf, workspaceOf, callerOf, isOver } = createLookUps(options)
  const lastUse = createLastUse(pool, now)

  // A limit that was just changed counts from the second request on: the count must not wait for the workspace to be read.
  const pointsOf = (workspaceId: string): number | undefined =>
    limitName && workspaces.get(workspaceId)?.value.limits[limitName]

  const count = (workspaceId: string, caller: Caller): Promise<Verdict> =>
    limit.consume(budgetOf(workspaceId, caller), pointsOf(workspaceId))

  const arrive = async (
    workspaceId: string | undefined,
    caller: Caller | undefined,
  ): Promise<{ epoch: string | null; verdict: Verdict | null }> => {
    if (!workspaceId) return { epoch: null, verdict: null }
    if (caller && admit) return admit(workspaceId, budgetOf(workspaceId, caller), pointsOf(workspaceId))
    const [epoch, verdict] = await Promise.all([epochs.read(workspaceId), caller ? count(workspaceId, caller) : null])
    return { epoch, verdict }
  }

  /** Resolves the parts of a guess that may have changed. */
  const resolve = async ({ host, head, isInternal }: Arrival, guessed: Guess): Promise<RecognisedRequest> => {
    const workspaceId = await workspaceIdOf(host, guessed.epoch)
    if (!workspaceId) return { workspace: null, caller: null, budget: null, epoch: null }
    const epoch = workspaceId === guessed.workspaceId ? guessed.epoch : await epochs.read(workspaceId)
    const workspace = await workspaceOf(workspaceId, epoch)
    const shown = workspace && readCredential(head, workspace.baseUrl)
    const caller = shown && (await callerOf(workspaceId, shown, epoch, isInternal))
    if (!workspace || !caller) return { workspace, caller: null, budget: null, epoch }
    const wasCounted = guessed.caller?.credential.id === caller.credential.id && workspaceId === guessed.workspaceId
    return { workspace, caller, budget: wasCounted ? guessed.budget : await count(workspaceId, caller), epoch }
  }

  return async (head) => {
    const host = hostName(head.host)
    const place = hosts.get(host)
    const shown = readCredential(head, place && workspaces.get(place.value)?.value.baseUrl)
    const sender = place && shown && shown.kind !== 'run' ? callers.get(`${place.value}:${shown.cacheKey}`) : undefined
    const { epoch, verdict: budget } = await arrive(place?.value, sender?.value)
    const id = stillKnown(place, epoch)
    const workspace = id && stillKnown(workspaces.get(id), epoch)
    const caller = stillKnown(sender, epoch)
    // The usual case: nothing has changed since the previous request.
    const found =
      workspace && caller && !isOver(caller)
        ? { workspace, caller, budget, epoch }
        : await resolve(
            { host, head, isInternal: head.isInternal === true },
            { workspaceId: place?.value, caller: sender?.value, epoch, budget },
          )
    if (!found.workspace || !found.caller) return found
    lastUse.note(found.workspace.id, found.caller, () => head.address?.())
    return { ...found, caller: withSource(found.caller, head.source) }
  }
}

/** Returns the earlier result if its epoch is still the current one. */
function stillKnown<T>(resolved: Stamped<T> | undefined, epoch: string | null): T | undefined {
  return resolved && epoch !== null && resolved.epoch === epoch ? resolved.value : undefined
}

function budgetOf(workspaceId: string, caller: Caller): string {
  return `${workspaceTag(workspaceId)}:${caller.credential.id}`
}

function withSource(caller: Caller, source: string | undefined): Caller {
  return source === 'MCP' && caller.source === 'API' ? { ...caller, source: 'MCP' } : caller
}
