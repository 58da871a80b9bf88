// Runs in a thread of its own, whose heap holds nothing else: in that of a test process a single collection takes seconds.
import { getEventListeners } from 'node:events'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { createLogger } from './logger.ts'
import { startRounds } from './rounds.ts'
import { pause, untilAborted, within } from './waits.ts'

/** What is still reachable after a kind of wait that was done `times` times. */
export interface Left {
  readonly kind: string
  readonly promises: number
  readonly timers: number
  /** On a signal that stays. */
  readonly listeners: number
}

const times = 100

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function held(signal: AbortSignal): Omit<Left, 'kind'> {
  collect()
  return {
    promises: queryObjects(Promise, { format: 'count' }),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: getEventListeners(signal, 'abort').length,
  }
}

/** Measures around work, and before its end where the work asks for it. */
async function leftBy(
  kind: string,
  work: (signal: AbortSignal, measure: () => void) => Promise<unknown>,
): Promise<Left[]> {
  const { signal } = new AbortController()
  const before = held(signal)
  const left: Left[] = []
  const measure = (): void => {
    const now = held(signal)
    left.push({
      kind,
      promises: now.promises - before.promises,
      timers: now.timers - before.timers,
      listeners: now.listeners - before.listeners,
    })
  }
  await work(signal, measure)
  measure()
  return left
}

const often =
  (wait: (signal: AbortSignal) => Promise<unknown>) =>
  async (signal: AbortSignal): Promise<void> => {
    for (let time = 0; time < times; time++) await wait(signal)
  }

async function manyRounds(_signal: AbortSignal, measure: () => void): Promise<void> {
  const enough = Promise.withResolvers<void>()
  let begun = 0
  const rounds = startRounds({
    name: 'test',
    everyMs: 0,
    logger: createLogger({ name: 'test', level: 'silent' }),
    round: async () => {
      begun += 1
      if (begun === times) enough.resolve()
    },
  })
  await enough.promise
  // The rounds go on while they are measured: what hung on the running ones would be freed with them.
  measure()
  await rounds.close()
}

const left = [
  await leftBy('rounds', manyRounds),
  await leftBy(
    'a pause',
    often((signal) => pause(0, signal)),
  ),
  await leftBy(
    'following work',
    often((signal) => untilAborted(Promise.resolve(1), signal)),
  ),
  await leftBy(
    'following work that fails',
    often((signal) => untilAborted(Promise.reject(new Error('no')), signal).catch(() => 0)),
  ),
  await leftBy(
    'following work for a while',
    often(() => within(60_000, Promise.resolve(1), () => 0)),
  ),
  await leftBy(
    'following work for too short a while',
    often(() => within(0, new Promise(() => undefined), () => 0)),
  ),
]
parentPort?.postMessage(left.flat(), [])
