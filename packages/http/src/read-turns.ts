import { ApiError } from '@crm/errors'
import { FairLine } from '@crm/runtime'

/** How much reading a process does at once, over all workspaces. A workspace alone has at most half of each. */
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

/** Which list of which workspace is read. */
export interface ReadList {
  readonly workspaceId: string
  readonly list: string
}

function keyOf({ workspaceId, list }: ReadList): string {
  return `${workspaceId} ${list}`
}

const mb = 1024 * 1024
/** Most lists give no more at once. */
const pageSizeUsual = 100
/** So many lists are remembered as large. */
const rememberedMax = 1_000

/**
 * The turns of the reads of one process. Large answers have a line of their own, in which a workspace has one turn at a time: each takes
 * the processor for long, and small ones would wait behind them.
 */
export class ReadLines {
  readonly #usual: ReadTurns
  readonly #large = new ReadTurns({ atOnce: 2, bytesMax: 16 * mb, bytesOfOne: mb })
  /** Which lists of which workspaces were large, or took long, when they were last read; the latest last. */
  readonly #known = new Set<string>()

  constructor(atOnce: number) {
    this.#usual = new ReadTurns({ atOnce, bytesMax: 32 * mb, bytesOfOne: mb / 2 })
  }

  /** Waits for a turn to begin an answer: among the large ones where the list was large or took long the last time, or a large page is asked for. */
  begin({ workspaceId, list, pageSize }: ReadList & { readonly pageSize: number }, waitMs: number): Promise<ReadTurn> {
    const isLarge = pageSize > pageSizeUsual || this.#known.has(keyOf({ workspaceId, list }))
    return (isLarge ? this.#large : this.#usual).take(workspaceId, waitMs)
  }

  /** Waits for a turn to go on with a large answer. */
  goOn(workspaceId: string, waitMs: number): Promise<ReadTurn> {
    return this.#large.take(workspaceId, waitMs)
  }

  /** Keeps in mind whether a list was large or took long. */
  remember(list: ReadList, isLarge: boolean): void {
    const key = keyOf(list)
    this.#known.delete(key)
    if (isLarge) this.#known.add(key)
    const [oldest] = this.#known
    if (this.#known.size > rememberedMax && oldest !== undefined) this.#known.delete(oldest)
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
      const late = (): void => reject(new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: waitedTooLongRetryAfterS }))
      this.#line.add(workspaceId, { workspaceId, start: resolve }, { waitMs, late })
    })
  }

  #isFree(workspaceId: string): boolean {
    const { atOnce, bytesMax, bytesOfOne } = this.#bounds
    const own = this.#useOf(workspaceId)
    const fits = (use: Use, share: number): boolean =>
      use.working < atOnce * share && use.bytes + bytesOfOne <= bytesMax * share
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
