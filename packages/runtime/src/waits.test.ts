import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { Left } from './waits.fixture.ts'
import { pause, untilAborted, within } from './waits.ts'

const never = new Promise<never>(() => undefined)

/** What a collection leaves to chance; of what a wait leaves behind there would be 100. */
const noise = 20

it('leaves nothing of a wait behind, while it goes on and after it', async () => {
  const measuring = new Worker(new URL('waits.fixture.ts', import.meta.url))
  const [left] = (await once(measuring, 'message')) as [readonly Left[]]
  await measuring.terminate()
  expect(left).toHaveLength(7)
  const isMuch = ({ promises, timers, listeners }: Left) => promises > noise || timers > 2 || listeners > 0
  expect(left.filter(isMuch)).toEqual([])
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
