import { ApiError } from '@crm/errors'
import { FairLine } from '@crm/runtime'

/** How much reading one process does at once, over all workspaces. A workspace alone has at most half of each. */
export interface ReadBounds {
  /** Reads that are worked on. */
  readonly atOnce: number
  /** Bytes of answers that are made or on their way out. */
  readonly bytesMax: number
  /** What an answer counts for until its size is known. */
  readonly bytesOfOne: number
}

/** The turn of one read. */
export interface ReadTurn {
  /** The work is done, and its answer has so many bytes; they count until the turn ends. */
  answer(bytes: number): void
  /** The answer is out, or nobody wants it any more; a second call does nothing. */
  end(): void
}

/** Answers of one process that are made or on their way out have so many bytes together; one is taken to have so many until it is known. */
const answersBytesMax = 32 * 1024 * 1024
const answerBytesUsual = 512 * 1024

/** The turns of the reads of one process, so many at once. */
export function createReadTurns(atOnce: number): ReadTurns {
  return new ReadTurns({ atOnce, bytesMax: answersBytesMax, bytesOfOne: answerBytesUsual })
}

interface Use {
  working: number
  bytes: number
}

interface Waiting {
  readonly workspaceId: string
  readonly start: (turn: ReadTurn) => void
  readonly timer: NodeJS.Timeout
}

const waitedTooLongRetryAfterS = 2

/**
 * The turns of reads: what is under way is bounded in number and in bytes, and workspaces take turns, so that one which asks for a lot
 * waits for itself.
 */
export class ReadTurns {
  readonly #bounds: ReadBounds
  readonly #line = new FairLine<Waiting>()
  readonly #all: Use = { working: 0, bytes: 0 }
  readonly #byWorkspace = new Map<string, Use>()

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds
  }

  /** Waits for a turn; one that does not come in time is refused with SERVICE_UNAVAILABLE. */
  async take(workspaceId: string, waitMs: number): Promise<ReadTurn> {
    if (this.#line.sizeOf(workspaceId) === 0 && this.#isFree(workspaceId)) return this.#begin(workspaceId)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        workspaceId,
        start: resolve,
        timer: setTimeout(() => {
          this.#line.remove(workspaceId, waiting)
          reject(new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: waitedTooLongRetryAfterS }))
        }, waitMs),
      }
      this.#line.add(workspaceId, waiting)
    })
  }

  #isFree(workspaceId: string): boolean {
    const { atOnce, bytesMax, bytesOfOne } = this.#bounds
    const own = this.#useOf(workspaceId)
    const fits = (use: Use, share: number): boolean => use.working < atOnce * share && use.bytes + bytesOfOne <= bytesMax * share
    return fits(this.#all, 1) && fits(own, 0.5)
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
      clearTimeout(next.timer)
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
