import { ApiError } from '@crm/errors'
import { FairLine, FairTurns, workspaceLimits } from '@crm/runtime'
import { LRUCache } from 'lru-cache'

/** The limits of concurrent reads in a process, over all workspaces. One workspace has at most its share of each. */
export interface ReadBounds {
  /** The most concurrent reads. */
  readonly atOnce: number
  /** The most bytes of answers that are being made or sent. */
  readonly bytesMax: number
  /** The assumed size of an answer until its size is known. */
  readonly bytesOfOne: number
}

/** The turn of one read. */
export interface ReadTurn {
  /** Ends the work and reports the size of its answer in bytes; they count until the turn ends. */
  answer(bytes: number): void
  /** Ends the turn when the answer is sent or abandoned; a second call has no effect. */
  end(): void
}

/** An answer whose first turn has come. */
export interface BegunAnswer {
  readonly turn: ReadTurn
  /** Lets another large answer of the workspace begin; a second call has no effect. */
  finish(): void
}

/** The list that is read, and its workspace. */
export interface ReadList {
  readonly workspaceId: string
  readonly list: string
}

/** A list with what decides about its turn. */
export interface BegunList extends ReadList {
  readonly pageSize: number
  /** The percentage of the process that the workspace may have; the usual one by default. */
  readonly share?: number
}

function keyOf({ workspaceId, list }: ReadList): string {
  return `${workspaceId} ${list}`
}

const mb = 1024 * 1024
/** The longest wait of a read for its first turn; the slices of an answer that has begun wait longer. */
const usualWaitMs = 4_500
/** The page size that most lists do not exceed. */
const pageSizeUsual = 100
/** The most lists that are remembered as large. */
const rememberedMax = 1_000

/** Large answers of a workspace that are under way: one is made while another one is sent. */
const largeOfWorkspace = 2
/** Large answers of a workspace that wait to begin. */
const largeWaitingMax = 100

/**
 * The turns of the reads of one process. Large answers have a queue of their own, in which a workspace has one turn at a time: each takes
 * the processor for long, and small answers would wait behind them.
 *
 * A large answer has many turns, one for each slice. A workspace begins few of them at once and finishes these first: with all of them begun,
 * each would wait for the slices of all others, and none would be done in time.
 */
export class ReadLines {
  readonly #usual: ReadTurns
  readonly #large = new ReadTurns({ atOnce: 2, bytesMax: 16 * mb, bytesOfOne: mb })
  readonly #answers: FairTurns
  /** The lists that were large or slow when they were last read. */
  readonly #known = new LRUCache<string, true>({ max: rememberedMax })

  readonly #waitMs: number

  /** @param waitMs the longest wait of an answer for its first turn; it is refused with SERVICE_UNAVAILABLE after it */
  constructor(atOnce: number, waitMs = usualWaitMs) {
    this.#usual = new ReadTurns({ atOnce, bytesMax: 32 * mb, bytesOfOne: mb / 2 })
    this.#answers = new FairTurns({
      atOnce: Infinity,
      atOnceOfOwner: largeOfWorkspace,
      waitingMax: largeWaitingMax,
      waitMsMax: waitMs,
    })
    this.#waitMs = waitMs
  }

  /** Waits for a turn to begin an answer: in the large queue where the list was large or slow the last time, or the page size is large. */
  async begin({ workspaceId, list, pageSize, share }: BegunList): Promise<BegunAnswer> {
    const isLarge = pageSize > pageSizeUsual || this.#known.has(keyOf({ workspaceId, list }))
    if (!isLarge) return { turn: await this.#usual.take(workspaceId, this.#waitMs, share), finish: () => undefined }
    const beganAt = performance.now()
    const finish = await this.#answers.enter(workspaceId)
    if (!finish) throw waitedTooLong()
    try {
      const leftMs = Math.max(0, this.#waitMs - (performance.now() - beganAt))
      return { turn: await this.#large.take(workspaceId, leftMs, share), finish }
    } catch (error) {
      finish()
      throw error
    }
  }

  /** Waits for a turn to continue a large answer. */
  goOn({ workspaceId, share }: Pick<BegunList, 'workspaceId' | 'share'>, waitMs: number): Promise<ReadTurn> {
    return this.#large.take(workspaceId, waitMs, share)
  }

  /** Remembers whether a list was large or slow. */
  remember(list: ReadList, isLarge: boolean): void {
    const key = keyOf(list)
    if (isLarge) this.#known.set(key, true)
    else this.#known.delete(key)
  }
}

interface Use {
  working: number
  bytes: number
}

interface Waiting {
  readonly workspaceId: string
  readonly start: (turn: ReadTurn) => void
}

const usualShare = workspaceLimits['requests.share'].usual
const waitedTooLongRetryAfterS = 2

function waitedTooLong(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: waitedTooLongRetryAfterS })
}

/**
 * The turns of reads: current reads are limited in number and in bytes, and workspaces take turns, so that a busy workspace
 * waits only for itself. A workspace that finds others reading reads one list at a time: reads share the processor, so every
 * further place of a busy workspace would delay its neighbours.
 */
export class ReadTurns {
  readonly #bounds: ReadBounds
  readonly #line = new FairLine<Waiting>()
  readonly #all: Use = { working: 0, bytes: 0 }
  /** Bounded: workspaces that read now. */
  readonly #byWorkspace = new Map<string, Use>()
  /** The shares of workspaces that have one of their own. Bounded: an operator gives them. */
  readonly #shares = new Map<string, number>()

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds
  }

  /** Waits for a turn; refuses with SERVICE_UNAVAILABLE when none comes in time. */
  async take(workspaceId: string, waitMs: number, share = usualShare): Promise<ReadTurn> {
    if (share === usualShare) this.#shares.delete(workspaceId)
    else this.#shares.set(workspaceId, share)
    if (this.#line.sizeOf(workspaceId) === 0 && this.#isFree(workspaceId)) return this.#begin(workspaceId)
    return new Promise((resolve, reject) => {
      const late = (): void => reject(waitedTooLong())
      this.#line.add(workspaceId, { workspaceId, start: resolve }, { waitMs, late })
    })
  }

  #isFree(workspaceId: string): boolean {
    const { atOnce, bytesMax, bytesOfOne } = this.#bounds
    const own = this.#useOf(workspaceId)
    const fits = (use: Use, share: number): boolean =>
      use.working < (atOnce * share) / 100 && use.bytes + bytesOfOne <= (bytesMax * share) / 100
    // However small its share is, a workspace reads one list at a time.
    const isIdle = own.working === 0 && own.bytes === 0
    const delaysOthers = own.working > 0 && this.#all.working > own.working
    return fits(this.#all, 100) && (isIdle || (!delaysOthers && fits(own, this.#shares.get(workspaceId) ?? usualShare)))
  }

  #begin(workspaceId: string): ReadTurn {
    const { bytesOfOne } = this.#bounds
    let bytes = bytesOfOne
    let isWorking = true
    let isOver = false
    this.#count(workspaceId, 1, bytes)
    return {
      answer: (size) => {
        if (!isWorking || isOver) return
        isWorking = false
        this.#count(workspaceId, -1, size - bytes)
        bytes = size
        this.#startNext()
      },
      end: () => {
        if (isOver) return
        isOver = true
        this.#count(workspaceId, isWorking ? -1 : 0, -bytes)
        this.#startNext()
      },
    }
  }

  #startNext(): void {
    const isFree = this.#isFree.bind(this)
    for (let next = this.#line.take(isFree); next; next = this.#line.take(isFree)) {
      next.start(this.#begin(next.workspaceId))
    }
  }

  #useOf(workspaceId: string): Use {
    return this.#byWorkspace.get(workspaceId) ?? { working: 0, bytes: 0 }
  }

  #count(workspaceId: string, working: number, bytes: number): void {
    const own = this.#useOf(workspaceId)
    for (const use of [this.#all, own]) {
      use.working += working
      use.bytes += bytes
    }
    if (own.working > 0 || own.bytes > 0) this.#byWorkspace.set(workspaceId, own)
    else this.#byWorkspace.delete(workspaceId)
  }
}
