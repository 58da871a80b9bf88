import { FairLine } from '@crm/runtime'
import { fork, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { SideAnswer } from './side-program.ts'

export interface SideProcessOptions {
  /** The program; it answers every message with one SideAnswer, and only its channel keeps it alive. */
  readonly main: URL
  /** The time limit of a piece of work; after it the process ends too. */
  readonly workMsMax: number
  /** The time limit of the wait for a turn. */
  readonly waitMsMax: number
  /** The number of waiting pieces of work of one owner. */
  readonly waitingMax: number
  /** The limit of the heap; beyond it the process ends, with its piece of work. */
  readonly heapMbMax: number
  /** A process that is larger after a piece of work does no further one. */
  readonly restingMbMax: number
  /** The time that the process stays without work. */
  readonly idleMsMax: number
}

/** The reason for a missing result: no turn in time, too much work, or a failed process. */
export type SideFault = 'NO_TURN' | 'TOO_LONG' | 'TOO_LARGE' | 'FAILED'

export class SideProcessError extends Error {
  readonly fault: SideFault

  constructor(fault: SideFault, message: string) {
    super(message)
    this.name = 'SideProcessError'
    this.fault = fault
  }
}

/** A separate process that does one piece of work at a time; owners take turns. */
export interface SideProcess<Work, Result> {
  /** Waits for its turn and for the result; rejects with a SideProcessError when there is none. */
  do(work: Work, owner: string): Promise<Result>
  /** Starts the process before the first piece of work. */
  prepare(): void
}

interface Piece<Work, Result> {
  readonly work: Work
  resolve(result: Result): void
  reject(error: Error): void
  /** The timer that ends work that takes too long; absent while the work waits. */
  deadline?: NodeJS.Timeout
}

/**
 * Makes a side process, which runs only while it is needed.
 *
 * It gets no environment variables of this process, does not keep it alive, and ends with it in every case. A piece of work
 * during which it dies is lost; waiting work is done by the next process.
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
    started.once('exit', (code, signal) => lose(failed(`The process ended with ${signal ?? code}`)))
    return started
  }

  function workOnNext(): void {
    current = line.take()
    if (!current) return restAWhile()
    const late = (): void => abandon(new SideProcessError('TOO_LONG', `It took longer than ${workMsMax} ms`))
    current.deadline = setTimeout(late, workMsMax)
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

  /** Disconnects the process; without its channel it ends. */
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

function failed(message: string): SideProcessError {
  return new SideProcessError('FAILED', message)
}

function startQuietly(main: URL, heapMbMax: number): ChildProcess {
  const cache = getCompileCacheDir()
  return fork(main, [], {
    execArgv: [`--max-old-space-size=${heapMbMax}`, '--disable-warning=ExperimentalWarning'],
    // No other variables: anybody may have written its input. Node.js adds a folder for its version below the given one.
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
