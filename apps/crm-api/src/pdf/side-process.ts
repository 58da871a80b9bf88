import { FairLine } from '@crm/runtime'
import { fork, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** How a side process answers a piece of work. */
export type SideAnswer<Result> = (
  | { readonly result: Result }
  | {
      readonly fault: string
      /** The work itself is to blame: it is larger than may be. */ readonly isTooLarge?: boolean
    }
) & {
  /** Its resident memory now. */
  readonly rssBytes: number
}

export interface SideProcessOptions {
  /** The program; it answers every message with one SideAnswer, and keeps nothing alive but its channel. */
  readonly main: URL
  /** How long a piece of work may take; then the process ends, too. */
  readonly workMsMax: number
  /** How long a piece of work may wait for its turn. */
  readonly waitMsMax: number
  /** How many pieces of work of one owner may wait. */
  readonly waitingMax: number
  /** What its heap may grow to; beyond that it ends, and with it the piece of work in it. */
  readonly heapMbMax: number
  /** A process that is larger after a piece of work does no other one. */
  readonly restingMbMax: number
  /** How long it stays without work. */
  readonly idleMsMax: number
}

/** Why there is no result: nobody had time for the work, it was too much, or the process failed. */
export type SideFault = 'NO_TURN' | 'TOO_LONG' | 'TOO_LARGE' | 'FAILED'

export class SideProcessError extends Error {
  readonly fault: SideFault

  constructor(fault: SideFault, message: string) {
    super(message)
    this.name = 'SideProcessError'
    this.fault = fault
  }
}

/** A process beside this one that does one piece of work at a time, those of different owners in turn. */
export interface SideProcess<Work, Result> {
  /** Waits for its turn and for the result; rejects with a SideProcessError when there is none. */
  do(work: Work, owner: string): Promise<Result>
  /** Starts the process before anybody waits for it. */
  prepare(): void
}

interface Piece<Work, Result> {
  readonly work: Work
  resolve(result: Result): void
  reject(error: Error): void
  /** Ends the work when it takes too long; there is none while it waits. */
  deadline?: NodeJS.Timeout
}

/**
 * Makes a side process, which runs only while it is needed.
 *
 * It knows no variable of this process, does not keep it alive, and ends when it ends, in whatever way. What it dies of is lost,
 * what waits is done by the next one.
 */
export function createSideProcess<Work, Result>({
  main,
  workMsMax,
  waitMsMax,
  waitingMax,
  heapMbMax,
  restingMbMax,
  idleMsMax,
}: SideProcessOptions): SideProcess<Work, Result> {
  const line = new FairLine<Piece<Work, Result>>()
  let current: Piece<Work, Result> | undefined
  let child: ChildProcess | undefined
  let rest: NodeJS.Timeout | undefined

  function ready(): ChildProcess {
    clearTimeout(rest)
    child ??= start()
    return child
  }

  function start(): ChildProcess {
    const started = startQuietly(main, heapMbMax)
    const lose = (error: Error): void => {
      if (child === started) abandon(error)
    }
    started.on('message', (answer: SideAnswer<Result>) => {
      if (child === started) take(answer)
    })
    started.on('error', lose)
    started.once('exit', (code, signal) =>
      lose(new SideProcessError('FAILED', `The process ended with ${signal ?? code}`)),
    )
    return started
  }

  function workOnNext(): void {
    current = line.take()
    if (!current) return restAWhile()
    current.deadline = setTimeout(
      () => abandon(new SideProcessError('TOO_LONG', `It took longer than ${workMsMax} ms`)),
      workMsMax,
    )
    try {
      const worker = ready()
      keepAlive(worker)
      worker.send({ work: current.work })
    } catch (error) {
      abandon(error as Error)
    }
  }

  function restAWhile(): void {
    if (child) letGo(child)
    clearTimeout(rest)
    rest = setTimeout(dismiss, idleMsMax).unref()
  }

  function take(answer: SideAnswer<Result>): void {
    const done = endCurrent()
    if (answer.rssBytes > restingMbMax * 1e6) dismiss()
    if ('fault' in answer) done?.reject(new SideProcessError(answer.isTooLarge ? 'TOO_LARGE' : 'FAILED', answer.fault))
    else done?.resolve(answer.result)
    workOnNext()
  }

  /** Without its channel it has nothing left to do. */
  function dismiss(): void {
    const dismissed = child
    child = undefined
    dismissed?.disconnect()
  }

  function abandon(error: Error): void {
    child?.kill('SIGKILL')
    child = undefined
    endCurrent()?.reject(error)
    workOnNext()
  }

  function endCurrent(): typeof current {
    const ended = current
    current = undefined
    clearTimeout(ended?.deadline)
    return ended
  }

  return {
    do: async (work, owner) => {
      if (line.sizeOf(owner) >= waitingMax)
        throw new SideProcessError('NO_TURN', `${waitingMax} pieces of work wait already`)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const late = (): void => reject(new SideProcessError('NO_TURN', `Its turn did not come within ${waitMsMax} ms`))
      line.add(owner, { work, resolve, reject }, { waitMs: waitMsMax, late })
      if (!current) workOnNext()
      return promise
    },
    prepare: () => {
      if (current) return
      ready()
      restAWhile()
    },
  }
}

/** Its young generation is small, because it matters more how much it holds than how long it takes (docs/decisions/memory.md). */
function startQuietly(main: URL, heapMbMax: number): ChildProcess {
  const cache = getCompileCacheDir()
  return fork(main, [], {
    execArgv: [
      '--max-semi-space-size=2',
      `--max-old-space-size=${heapMbMax}`,
      '--memory-pool-timeout=1',
      '--max-large-page-pool-size=4',
      '--no-concurrent-recompilation',
      '--disable-warning=ExperimentalWarning',
    ],
    // Nothing else: what it works on is written by anybody. The folder is told with the version of Node.js below it.
    env: { MALLOC_ARENA_MAX: '2', ...(cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function keepAlive(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
