import { schema, type Database, type Part } from '@crm/db'
import { doApart, type Clock, type Logger } from '@crm/runtime'
import { failuresOf, forgetFailures, isCommonCause, putOff, type WorkKey } from './work-failures.ts'

/** What a round needs. */
export interface RoundDeps {
  readonly db: Database
  readonly clock: Clock
  readonly logger: Logger
  /** Ends the round before its time. */
  readonly signal?: AbortSignal | undefined
  /** Hears of a round that could not do all that was due in its time. */
  readonly countBehind?: ((work: string) => void) | undefined
}

/** The arguments of the counter for `countBehind`. */
export const behindCounter = [
  'crm_rounds_behind_total',
  'Rounds of background work that could not do all that was due in their time.',
  'work',
] as const

/** Work on rows that fall due in any workspace. */
export interface DueWork<Item> {
  /** Its name, a verb and what it works on, such as `start-schedules`; it is unique. */
  readonly name: string
  /** The longest time of a round: its period. */
  readonly everyMs: number
  /** The number of items that one look finds. */
  readonly batch: number
  /**
   * Returns due items, those first that have waited longest. It changes nothing, so that no item can break the look at the others, and leaves
   * out the ones that `isNotPutOff` excludes.
   */
  find(at: string, limit: number): Promise<readonly Item[]>
  keyOf(item: Item): WorkKey
  /**
   * Does the work of items of one workspace: of one, unless `together` says more. Another process may work on them too, so it takes only what
   * is still due.
   */
  perform(items: readonly Item[], workspaceId: string): Promise<unknown>
  /** The most items of one transaction, all of one workspace; 1 by default. When it fails, each half is tried by itself. */
  readonly together?: number
  /** The most calls of `perform` at once; 1 by default. */
  readonly atOnce?: number
}

/** The outcome of a round. */
export interface RoundOutcome {
  readonly done: number
  readonly failed: number
}

/** After so many failures of one workspace in a round its other rows wait too. */
const failuresOfOneMax = 3
/** When the first so many workspaces fail and none succeeds, the cause is none of theirs. */
const failingFirstMax = 5

/**
 * Does due work: each item by itself, so that one that fails neither ends the round nor holds up another. It waits with growing pauses, and
 * `crm doctor` tells of it. A round goes on while there is more, up to its period, and says when that was too short.
 */
export async function doDueWork<Item>(deps: RoundDeps, work: DueWork<Item>): Promise<RoundOutcome> {
  const round = new Round(deps, work)
  await round.begin()
  const isBehind = await round.run()
  await round.end(isBehind)
  return round.outcome
}

class Round<Item> {
  readonly #deps: RoundDeps
  readonly #work: DueWork<Item>
  readonly #startedAt: number
  /** Bounded: what is found within one round. */
  readonly #seen = new Set<string>()
  /** Failures of earlier rounds whose pause is over. Bounded: a round knows of so many failures and no more. */
  readonly #again = new Map<string, WorkKey>()
  /** The failures of this round by workspace. Bounded: what is found within one round. */
  readonly #failures = new Map<string, number>()
  #done = 0
  #failed = 0

  constructor(deps: RoundDeps, work: DueWork<Item>) {
    this.#deps = deps
    this.#work = work
    this.#startedAt = deps.clock.now().getTime()
  }

  get outcome(): RoundOutcome {
    return { done: this.#done, failed: this.#failed }
  }

  async begin(): Promise<void> {
    for (const { isDue, ...key } of await failuresOf(this.#deps.db, this.#work.name, this.#at()))
      if (isDue) this.#again.set(textOf(key), key)
  }

  /** Works until nothing new is due; returns whether the time ended before. */
  async run(): Promise<boolean> {
    const { batch, find } = this.#work
    for (;;) {
      const found = await find.call(this.#work, this.#at(), batch)
      const fresh = found.filter((item) => !this.#seen.has(this.#keyOf(item)))
      if (fresh.length === 0) return false
      for (const item of fresh) this.#seen.add(this.#keyOf(item))
      const areAllTaken = await this.#performAll(fresh)
      if (areAllTaken && found.length < batch) return false
      if (this.#isOver()) return true
    }
  }

  async end(isBehind: boolean): Promise<void> {
    const { db, logger, countBehind } = this.#deps
    const { name } = this.#work
    if (isBehind) {
      logger.warn({ work: name, ...this.outcome }, 'more was due than a round of background work could do')
      return countBehind?.(name)
    }
    // All that is due was seen, so the other failures are of rows that are not due any more.
    const gone = [...this.#again].flatMap(([text, key]) => (this.#seen.has(text) ? [] : [key]))
    await forgetFailures(db, name, gone, this.#at())
  }

  /** Returns whether there was time for all of them. */
  async #performAll(items: readonly Item[]): Promise<boolean> {
    const { together = 1, atOnce = 1 } = this.#work
    const parts = partsInTurn(items, together, (item) => this.#work.keyOf(item).workspaceId)
    const place = async (): Promise<void> => {
      while (parts.length > 0 && !this.#isOver())
        await this.#performSome((parts.shift() ?? []).filter((item) => !this.#isTired(item)))
    }
    // All places end before an error of one ends the round.
    for (const ended of await Promise.allSettled(Array.from({ length: atOnce }, place)))
      if (ended.status === 'rejected') throw ended.reason
    return parts.length === 0
  }

  async #performSome(items: readonly Item[]): Promise<void> {
    const [first] = items
    if (first === undefined) return
    const { name, perform, keyOf } = this.#work
    const { workspaceId } = keyOf.call(this.#work, first)
    const done = await doApart(
      items,
      (some) => perform.call(this.#work, some, workspaceId),
      (item, error) => this.#fail(item, error),
    )
    this.#done += done.length
    const healed = done.flatMap((item) => {
      const key = this.#work.keyOf(item)
      return [key, { ...key, row: '' }].filter((one) => this.#again.delete(textOf(one)))
    })
    if (healed.length > 0) await forgetFailures(this.#deps.db, name, healed, this.#at())
  }

  /** Notes the failure of an item. A database that cannot note it is away, which ends the round. */
  async #fail(item: Item, error: unknown): Promise<void> {
    if (isCommonCause(error)) throw error
    const { db, logger } = this.#deps
    const { name } = this.#work
    const key = this.#work.keyOf(item)
    const { workspaceId } = key
    logger.warn({ err: error, work: name, ...key }, 'due work failed and will be tried again')
    await noteOrThrow(db, name, key, { at: this.#at(), error })
    this.#failed += 1
    const failures = (this.#failures.get(workspaceId) ?? 0) + 1
    this.#failures.set(workspaceId, failures)
    if (failures === failuresOfOneMax && key.row !== '')
      await noteOrThrow(db, name, { workspaceId, row: '' }, { at: this.#at(), error })
    if (this.#done === 0 && this.#failures.size >= failingFirstMax) throw error
  }

  /** Whether the workspace of an item has failed so often that its other rows wait. */
  #isTired(item: Item): boolean {
    return (this.#failures.get(this.#work.keyOf(item).workspaceId) ?? 0) >= failuresOfOneMax
  }

  #isOver(): boolean {
    const { clock, signal } = this.#deps
    return signal?.aborted === true || clock.now().getTime() - this.#startedAt >= this.#work.everyMs
  }

  #keyOf(item: Item): string {
    return textOf(this.#work.keyOf(item))
  }

  #at(): string {
    return this.#deps.clock.now().toISOString()
  }
}

/** Parts items by workspace, so many in each part, and lets the workspaces take turns; within a workspace their order stays. */
function partsInTurn<Item>(
  items: readonly Item[],
  most: number,
  workspaceOf: (item: Item) => string,
): (readonly Item[])[] {
  const byWorkspace = [...Map.groupBy(items, workspaceOf).values()]
  const turns = Math.max(0, ...byWorkspace.map((own) => Math.ceil(own.length / most)))
  return Array.from({ length: turns }, (_, turn) => byWorkspace.map((own) => own.slice(turn * most, (turn + 1) * most)))
    .flat()
    .filter((part) => part.length > 0)
}

const textOf = ({ workspaceId, row }: WorkKey): string => `${workspaceId} ${row}`

async function noteOrThrow(
  db: Database,
  work: string,
  key: WorkKey,
  failure: { readonly at: string; readonly error: unknown },
): Promise<void> {
  await putOff(db, work, key, failure).catch(() => {
    throw failure.error
  })
}

/** Work that one statement does for all workspaces, such as deleting what has expired. */
export interface SharedWork {
  readonly name: string
  /** Does it for a part of the workspaces; it may have done some of it when it throws. */
  perform(part: Part): Promise<unknown>
}

/**
 * Does the work of all workspaces together and, when that fails, finds the ones by halves that make it fail. Their work waits with growing
 * pauses, and `crm doctor` tells of it; the others notice nothing.
 */
export async function doSharedWork({ db, clock, logger }: RoundDeps, { name, perform }: SharedWork): Promise<void> {
  const at = clock.now().toISOString()
  let [done, failures] = [0, 0]
  const doOnly = async (only: readonly string[]): Promise<void> => {
    await perform({ only, except: [] })
    done += 1
  }
  const failed = async (workspaceId: string, error: unknown): Promise<void> => {
    if (isCommonCause(error)) throw error
    logger.warn({ err: error, work: name, workspaceId }, 'the work of a workspace failed and will be tried again')
    await noteOrThrow(db, name, { workspaceId, row: '' }, { at, error })
    failures += 1
    if (done === 0 && failures >= failingFirstMax) throw error
  }
  const failing = await failuresOf(db, name, at)
  const except = failing.map(({ workspaceId }) => workspaceId)
  try {
    await perform({ except })
    done += 1
  } catch (error) {
    if (isCommonCause(error)) throw error
    const { workspaces } = schema
    const all = await db.select({ id: workspaces.id }).from(workspaces)
    const others = all.map(({ id }) => id).filter((id) => !except.includes(id))
    await doApart(others, doOnly, failed)
  }
  const again = failing.filter(({ isDue }) => isDue).map(({ workspaceId }) => workspaceId)
  const healed = await doApart(again, doOnly, failed)
  await forgetFailures(
    db,
    name,
    healed.map((workspaceId) => ({ workspaceId, row: '' })),
    at,
  )
}
