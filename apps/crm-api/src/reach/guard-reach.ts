import {
  checkBeforeCommit,
  inTransaction,
  lockRights,
  readRights,
  type Database,
  type Executor,
  type Transaction,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Exchange, ReachChecks } from '@crm/http'
import { reachOfCaller, type Caller, type Workspace } from '@crm/identity'
import {
  covers,
  findBreach,
  fullReach,
  reachIn,
  type Breach,
  type Reach,
  type Rights,
  type RightsHolder,
} from '@crm/permissions'
import { watchPeople, type ConcernedPeople } from './concerned-people.ts'
import { mayLetIn } from './judge-newcomer.ts'
import { reachResolvers } from './reach-objects.ts'
import type { Behind, ReachRequest } from './reach-request.ts'

/** The checks before or after the work itself; `reveals` is applied when the answer is written. */
type WorkChecks = Omit<ReachChecks, 'reveals'>

type Guarded = Pick<Exchange<Workspace, Caller>, 'input' | 'recognition'>

/** A caller with an action, and the people and permissions that it concerns. */
interface Deed {
  readonly checks: WorkChecks
  readonly callerId: string
  readonly people: readonly Behind[]
  readonly granted: readonly string[]
}

/**
 * Makes the guard of reach (docs/decisions/reach.md). An action that only uses a person's reach is judged before it happens.
 * A change of reach happens first, in a transaction that no other change of rights overlaps, and is judged by a comparison
 * of everybody's reach before and after; a refusal rolls it back. What makes a person later is judged before it happens, as if that
 * person were there.
 */
export function createReachGuard(db: Database) {
  return async <T>(
    exchange: Guarded,
    checks: WorkChecks,
    work: (tx?: Transaction) => Promise<T>,
    running?: Transaction,
  ): Promise<T> => {
    const { workspace, caller } = exchange.recognition
    if (!workspace || !caller) throw new Error('Only what somebody does has a reach')
    const newcomerOf = checks.gives && reachResolvers[checks.gives].newcomer
    if (newcomerOf) {
      const newcomer = await newcomerOf(requestOf(exchange, workspace, caller, running ?? db))
      if (newcomer && !(await mayLetIn(running ?? db, workspace.id, caller.employee.id, newcomer)))
        throw new ApiError('ACCESS_DENIED', { message: sentences.GIVES_BEYOND })
      return work(running)
    }
    if (!checks.gives && !checks.takes) {
      await judgeUse(
        running ?? db,
        workspace.id,
        await deedOf(checks, requestOf(exchange, workspace, caller, running ?? db)),
      )
      return work(running)
    }
    return inTransaction(db, running, async (tx) => {
      await lockRights(tx, workspace.id)
      // The object may be deleted afterwards.
      const deed = await deedOf(checks, requestOf(exchange, workspace, caller, tx))
      const named = isNamedByHandler(checks) ? watchPeople(tx, workspace.id) : null
      const others = named ? knownPeople(deed) : undefined
      const earlier = await readRights(tx, workspace.id, others)
      const result = await work(tx)
      const after = await readRights(
        tx,
        workspace.id,
        named && others ? [...others, ...named.before.keys()] : undefined,
      )
      const before = named ? withPeople(earlier, named) : earlier
      const done = named ? { ...deed, people: [...deed.people, ...named.used] } : deed
      // Judged by the caller's reach when the request arrived, and below by their reach now: when two administrators demote each
      // other, the second one is told that an administrator must stay.
      judge(before, after, done, reachOfCaller(caller))
      await checkBeforeCommit(tx)
      judge(before, after, done, reachNow(before, caller.employee.id))
      return result
    })
  }
}

/** Whether the handler names everybody whom the work can change. */
function isNamedByHandler({ gives, takes }: WorkChecks): boolean {
  return [gives, takes].every((object) => object === undefined || reachResolvers[object].isNamedByHandler)
}

function knownPeople({ callerId, people }: Deed): readonly string[] {
  return [...new Set([callerId, ...people.filter((id) => id !== null)])]
}

/** Adds the people whom the handler named, as they were before it changed them. */
function withPeople(rights: Rights, { before }: ConcernedPeople): Rights {
  const read = new Set(rights.people.map(({ id }) => id))
  const more = [...before.values()].filter((person) => person !== null && !read.has(person.id))
  return { ...rights, people: [...rights.people, ...(more as readonly RightsHolder[])] }
}

async function judgeUse(db: Executor, workspaceId: string, deed: Deed): Promise<void> {
  refuseMightier(await readRights(db, workspaceId, knownPeople(deed)), deed)
}

function judge(before: Rights, after: Rights, deed: Deed, mine: Reach): void {
  const { checks, granted } = deed
  if (checks.takes || checks.actsAs) refuseMightier(before, deed, mine)
  const breach = findBreach(before, after, mine, {
    gives: checks.gives !== undefined,
    takes: checks.takes !== undefined,
  })
  if (breach) throw new ApiError('ACCESS_DENIED', { message: sentences[breach] })
  // A credential goes as far as its owner, who was compared above; what has the level NONE gives nothing.
  if (checks.gives && granted.some((permission) => !mine.held.has(permission)))
    throw new ApiError('ACCESS_DENIED', { message: sentences.GIVES_BEYOND })
}

const sentences: Record<Breach, string> = {
  GIVES_BEYOND: 'Nobody can give rights that they do not hold themselves',
  TAKES_BEYOND: 'Nobody can take rights that they do not hold themselves',
}

/** Refuses an action on an account, a credential or the automation of a person who reaches further. */
function refuseMightier(rights: Rights, { people, callerId }: Deed, mine: Reach = reachNow(rights, callerId)): void {
  for (const id of people) {
    if (id === callerId) continue
    if (!covers(mine, id === null ? fullReach : reachIn(rights, id)))
      throw new ApiError('ACCESS_DENIED', { message: 'This concerns somebody who may do more than you' })
  }
}

/** Returns the caller's present reach; a person who was disabled meanwhile reaches nothing. */
function reachNow(rights: Rights, callerId: string): Reach {
  const isActive = rights.people.some((person) => person.id === callerId && person.isActive)
  return isActive ? reachIn(rights, callerId) : reachIn(rights, '')
}

function requestOf({ input }: Guarded, workspace: Workspace, caller: Caller, db: Executor): ReachRequest {
  const part = (value: unknown) => (value ?? {}) as Record<string, string>
  return {
    db,
    workspaceId: workspace.id,
    callerId: caller.employee.id,
    params: part(input.params),
    query: part(input.query),
    body: part(input.body),
  }
}

async function deedOf(checks: WorkChecks, request: ReachRequest): Promise<Deed> {
  const people = new Set<Behind>()
  for (const object of [checks.takes, checks.actsAs])
    if (object) for (const id of (await reachResolvers[object].people?.(request)) ?? []) people.add(id)
  return {
    checks,
    callerId: request.callerId,
    people: [...people],
    granted: checks.gives ? (reachResolvers[checks.gives].granted?.(request) ?? []) : [],
  }
}
