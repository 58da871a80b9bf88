import { getEventListeners } from 'node:events'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { startRounds } from './rounds.ts'
import { pause, untilAborted, within } from './waits.ts'

const never = new Promise<never>(() => undefined)
const times = 2_000
/** What a test runner and a collection leave to chance; a wait that leaves something behind leaves it `times` times. */
const noise = times / 4

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The promises and waiting timers of this process that are still reachable. */
function held(): { readonly promises: number; readonly timers: number } {
  collect()
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  return { promises: queryObjects(Promise, { format: 'count' }), timers }
}

async function leftBy(work: () => Promise<unknown>): Promise<{ readonly promises: number; readonly timers: number }> {
  const before = held()
  await work()
  const after = held()
  return { promises: after.promises - before.promises, timers: after.timers - before.timers }
}

const repeat = async (one: () => Promise<unknown>): Promise<void> => {
  for (let time = 0; time < times; time++) await one()
}

describe('waits leave nothing behind', () => {
  it('rounds, however many there were', async () => {
    const enough = Promise.withResolvers<void>()
    let begun = 0
    const before = held()
    const left = await leftBy(async () => {
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
      const during = held()
      expect(during.promises).toBeLessThan(before.promises + noise)
      await rounds.close()
    })
    expect(left.promises).toBeLessThan(noise)
    expect(left.timers).toBeLessThan(10)
  })

  it.each([
    ['a pause', (signal: AbortSignal) => pause(0, signal)],
    ['following work', (signal: AbortSignal) => untilAborted(Promise.resolve(1), signal)],
    [
      'following work that fails',
      (signal: AbortSignal) => untilAborted(Promise.reject(new Error('no')), signal).catch(() => 0),
    ],
    ['following work for a while', () => within(60_000, Promise.resolve(1), () => 0)],
    ['following work for too short a while', () => within(0, new Promise(() => undefined), () => 0)],
  ])('%s, at a signal that stays', async (_what, wait) => {
    const { signal } = new AbortController()
    const left = await leftBy(() => repeat(() => wait(signal)))
    expect(left.promises).toBeLessThan(noise)
    expect(left.timers).toBeLessThan(10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

it('ends a pause when the signal is aborted, and begins none after that', async () => {
  const stop = new AbortController()
  const waiting = pause(600_000, stop.signal)
  stop.abort()
  expect([await waiting, await pause(600_000, stop.signal), await pause(0, new AbortController().signal)]).toEqual([
    false,
    false,
    true,
  ])
})

it('says what comes late, and lets the caller refuse it', async () => {
  expect(await within(0, never, () => 'late')).toBe('late')
  expect(await within(600_000, Promise.resolve('in time'), () => 'late')).toBe('in time')
  const refused = within(0, never, () => {
    throw new Error('too late')
  })
  await expect(refused).rejects.toThrow('too late')
  await expect(within(600_000, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed')
})

it('gives up on work when the signal is aborted, before or during it', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(never, stop.signal)
  stop.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
  await expect(untilAborted(never, stop.signal)).rejects.toThrow('given up')
})
