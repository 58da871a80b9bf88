import type { Admission, Epochs, FixedWindow, Verdict } from '@crm/redis'
import { workspaceTag } from '@crm/redis'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { readCaller, readEmployeeCaller, type Caller } from './caller.ts'
import { readCredential, type ShownCredential } from './credential.ts'
import { createLastUse } from './last-use.ts'
import { holdsLease, verifyRunToken } from './run-token.ts'
import { findWorkspaceId, hostName, readWorkspace, type Workspace } from './workspace.ts'

/** The parts of a request that say where it goes and who sends it. */
export interface RequestHead {
  readonly host: string
  readonly authorization?: string
  readonly cookie?: string
  /** Set by the tool server for the calls it passes on. */
  readonly source?: string
  /** Whether it came from the dispatcher's network and through no proxy; only then a run token counts. */
  readonly isInternal?: boolean
}

/** What a request's head says; `budget` is null where there is no valid credential. */
export interface RecognisedRequest {
  readonly workspace: Workspace | null
  readonly caller: Caller | null
  readonly budget: Verdict | null
  /** The value under which what is known of the workspace may be kept; null: not at all. */
  readonly epoch: string | null
}

export interface RecogniserOptions {
  readonly pool: Pool
  readonly epochs: Epochs
  /** Requests per credential. */
  readonly limit: Pick<FixedWindow, 'consume'>
  /** Counts and reads the epoch in one command; without it they are two. */
  readonly admit?: Admission
  readonly now: () => Date
  /** Signs the credentials of workflow runs; without it there are none. */
  readonly runTokenSecret?: string
  readonly withQuotas?: boolean
}

interface Stamped<T> {
  readonly epoch: string | null
  readonly value: T
}

/** What a request's head says before anything is looked up. */
interface Arrival {
  readonly host: string
  readonly shown: ShownCredential | null
  readonly isInternal: boolean
}

/** What a request was taken for by what was resolved before, and counted for. */
interface Guess {
  readonly workspaceId: string | undefined
  readonly caller: Caller | undefined
  readonly epoch: string | null
  readonly budget: Verdict | null
}

/**
 * Makes the function that turns a request's head into its workspace and caller.
 *
 * What it resolved before is used again only while the epochs in Redis stand still; they are read in the same round trip
 * that counts the request. Without Redis the database is asked each time.
 */
export function createRecogniser(options: RecogniserOptions): (head: RequestHead) => Promise<RecognisedRequest> {
  const { pool, epochs, limit, admit, now, runTokenSecret, withQuotas } = options
  const hosts = new LRUCache<string, Stamped<string>>({ max: 10_000 })
  const workspaces = new LRUCache<string, Stamped<Workspace>>({ max: 1_000 })
  const callers = new LRUCache<string, Stamped<Caller>>({ max: 20_000 })
  const lastUse = createLastUse(pool, now)

  const workspaceIdOf = async (host: string, epoch: string | null): Promise<string | null> => {
    const known = hosts.get(host)
    const still = stillKnown(known, epoch)
    if (still !== undefined) return still
    const id = await findWorkspaceId(pool, host)
    // An epoch vouches only for what was looked up after it was read; a workspace met for the first time is looked up once more.
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
    const key = `${workspaceId}:${shown.cacheKey}`
    const known = stillKnown(callers.get(key), epoch)
    if (known && !isOver(known)) return known
    const caller = await readCaller(pool, workspaceId, shown.kind, shown.hash)
    if (!caller || isOver(caller)) return null
    callers.set(key, { epoch, value: caller })
    return caller
  }

  const runCaller = async (workspaceId: string, token: string): Promise<Caller | null> => {
    const claims = runTokenSecret ? verifyRunToken(token, runTokenSecret, now().getTime()) : null
    if (!claims || claims.workspaceId !== workspaceId) return null
    if (!(await holdsLease(pool, claims))) return null
    const caller = await readEmployeeCaller(pool, workspaceId, claims.employeeId)
    // Each run has a budget of its own, as each key has.
    return caller && { ...caller, credential: { ...caller.credential, id: claims.runId }, depth: claims.depth }
  }

  const isOver = (caller: Caller): boolean =>
    caller.credential.expiresAt !== null && Date.parse(caller.credential.expiresAt) <= now().getTime()

  const count = (workspaceId: string, caller: Caller): Promise<Verdict> => limit.consume(budgetOf(workspaceId, caller))

  const arrive = async (
    workspaceId: string | undefined,
    caller: Caller | undefined,
  ): Promise<{ epoch: string | null; verdict: Verdict | null }> => {
    if (!workspaceId) return { epoch: null, verdict: null }
    if (caller && admit) return admit(workspaceId, budgetOf(workspaceId, caller))
    const [epoch, verdict] = await Promise.all([epochs.read(workspaceId), caller ? count(workspaceId, caller) : null])
    return { epoch, verdict }
  }

  /** Resolves what may have changed since it was guessed. */
  const resolve = async ({ host, shown, isInternal }: Arrival, guessed: Guess): Promise<RecognisedRequest> => {
    const workspaceId = await workspaceIdOf(host, guessed.epoch)
    if (!workspaceId) return { workspace: null, caller: null, budget: null, epoch: null }
    const epoch = workspaceId === guessed.workspaceId ? guessed.epoch : await epochs.read(workspaceId)
    const [workspace, caller] = await Promise.all([
      workspaceOf(workspaceId, epoch),
      shown ? callerOf(workspaceId, shown, epoch, isInternal) : null,
    ])
    if (!workspace || !caller) return { workspace, caller: null, budget: null, epoch }
    const wasCounted = guessed.caller?.credential.id === caller.credential.id && workspaceId === guessed.workspaceId
    return { workspace, caller, budget: wasCounted ? guessed.budget : await count(workspaceId, caller), epoch }
  }

  return async (head) => {
    const host = hostName(head.host)
    const shown = readCredential(head)
    const place = hosts.get(host)
    const sender = place && shown && shown.kind !== 'run' ? callers.get(`${place.value}:${shown.cacheKey}`) : undefined
    const { epoch, verdict: budget } = await arrive(place?.value, sender?.value)
    const id = stillKnown(place, epoch)
    const workspace = id && stillKnown(workspaces.get(id), epoch)
    const caller = stillKnown(sender, epoch)
    // What most requests find: nothing has changed since the one before.
    const found =
      workspace && caller && !isOver(caller)
        ? { workspace, caller, budget, epoch }
        : await resolve(
            { host, shown, isInternal: head.isInternal === true },
            { workspaceId: place?.value, caller: sender?.value, epoch, budget },
          )
    if (!found.workspace || !found.caller) return found
    lastUse.note(found.workspace.id, found.caller)
    return { ...found, caller: withSource(found.caller, head.source) }
  }
}

/** What was resolved before, if it was under the epoch that is still the present one. */
function stillKnown<T>(resolved: Stamped<T> | undefined, epoch: string | null): T | undefined {
  return resolved && epoch !== null && resolved.epoch === epoch ? resolved.value : undefined
}

function budgetOf(workspaceId: string, caller: Caller): string {
  return `${workspaceTag(workspaceId)}:${caller.credential.id}`
}

function withSource(caller: Caller, source: string | undefined): Caller {
  return source === 'MCP' && caller.source === 'API' ? { ...caller, source: 'MCP' } : caller
}
