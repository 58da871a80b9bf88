import { fork, type ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** How a side process answers a piece of work. */
export type SideAnswer<Result> = ({ readonly result: Result } | { readonly fault: string }) & {
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
  /** What its heap may grow to; beyond that it ends, and with it the piece of work in it. */
  readonly heapMbMax: number
  /** A process that is larger after a piece of work does no other one. */
  readonly restingMbMax: number
  /** How long it stays without work. */
  readonly idleMsMax: number
}

/** A process beside this one that does one piece of work at a time. */
export interface SideProcess<Work, Result> {
  /** Waits for its turn and for the result; rejects when the process says so, ends, or takes too long. */
  do(work: Work): Promise<Result>
  /** Starts the process before anybody waits for it. */
  prepare(): void
}

interface Piece<Work, Result> {
  readonly work: Work
  resolve(result: Result): void
  reject(error: Error): void
  deadline: NodeJS.Timeout
}

/**
 * Makes a side process, which runs only while it is needed.
 *
 * It knows no variable of this process, does not keep it alive, and ends when it ends, in whatever way. What it dies of is lost,
 * what waits is done by the next one.
 */
export function createSideProcess<Work, Result>({ main, workMsMax, waitMsMax, heapMbMax, restingMbMax, idleMsMax }: SideProcessOptions): SideProcess<Work, Result> {
  /** The first is being worked on. */
  const line: Piece<Work, Result>[] = []
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
    started.once('exit', (code, signal) => lose(new Error(`The process ended with ${signal ?? code}`)))
    return started
  }

  function workOnFirst(): void {
    const first = line[0]
    if (!first) return restAWhile()
    clearTimeout(first.deadline)
    first.deadline = setTimeout(() => abandon(new Error(`It took longer than ${workMsMax} ms`)), workMsMax)
    try {
      const worker = ready()
      keepAlive(worker)
      worker.send({ work: first.work })
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
    const done = leaveLine(line[0])
    if (answer.rssBytes > restingMbMax * 1e6) dismiss()
    if ('fault' in answer) done?.reject(new Error(answer.fault))
    else done?.resolve(answer.result)
    workOnFirst()
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
    leaveLine(line[0])?.reject(error)
    workOnFirst()
  }

  function leaveLine(piece: Piece<Work, Result> | undefined): typeof piece {
    if (!piece) return undefined
    clearTimeout(piece.deadline)
    line.splice(line.indexOf(piece), 1)
    return piece
  }

  return {
    do: (work) => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const deadline = setTimeout(() => leaveLine(piece)?.reject(new Error(`Its turn did not come within ${waitMsMax} ms`)), waitMsMax)
      const piece = { work, resolve, reject, deadline }
      if (line.push(piece) === 1) workOnFirst()
      return promise
    },
    prepare: () => {
      if (line.length > 0) return
      ready()
      restAWhile()
    },
  }
}

/** Its young generation is small, because it matters more how much it holds than how long it takes (docs/decisions/memory.md). */
function startQuietly(main: URL, heapMbMax: number): ChildProcess {
  const cache = getCompileCacheDir()
  return fork(main, [], {
    execArgv: ['--max-semi-space-size=2', `--max-old-space-size=${heapMbMax}`, '--memory-pool-timeout=1', '--max-large-page-pool-size=4', '--no-concurrent-recompilation', '--disable-warning=ExperimentalWarning'],
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
