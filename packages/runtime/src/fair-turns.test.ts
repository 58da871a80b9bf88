import { expect, it, vi } from 'vitest'
import { FairTurns } from './fair-turns.ts'

const bounds = { atOnce: 1, waitingMax: 3, waitMsMax: 60_000 }

/** Enters owners one after another, and returns the order of their turns. */
async function orderOf(turns: FairTurns, owners: readonly string[]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    owners.map(async (owner) => {
      const end = await turns.enter(owner)
      order.push(end ? owner : `no ${owner}`)
      // Other owners get their turn after the end of this one.
      await Promise.resolve()
      end?.()
    }),
  )
  return order
}

it('gives owners a turn each, whoever came first and however often', async () => {
  expect(await orderOf(new FairTurns(bounds), ['many', 'many', 'many', 'many', 'few'])).toEqual([
    'many',
    'many',
    'few',
    'many',
    'many',
  ])
})

it('refuses what is more than may wait, of that owner alone', async () => {
  expect((await orderOf(new FairTurns(bounds), ['many', 'many', 'many', 'many', 'many', 'few'])).toSorted()).toEqual([
    'few',
    'many',
    'many',
    'many',
    'many',
    'no many',
  ])
})

it('does so much at once, and gives a turn back once', async () => {
  const turns = new FairTurns({ ...bounds, atOnce: 2 })
  const [first, second] = [await turns.enter('a'), await turns.enter('a')]
  const third = turns.enter('a')
  const fourth = turns.enter('a')
  first?.()
  first?.()
  expect(await third).toBeTypeOf('function')
  second?.()
  expect(await fourth).toBeTypeOf('function')
})

it('sends away what waits when it closes, and lets nothing more begin', async () => {
  const turns = new FairTurns(bounds)
  const end = await turns.enter('a')
  const waiting = [turns.enter('a'), turns.enter('b')]
  turns.close()
  expect(await Promise.all([...waiting, turns.enter('c')])).toEqual([undefined, undefined, undefined])
  end?.()
})

it('lets nobody wait for ever', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairTurns(bounds)
    const end = await turns.enter('a')
    const late = turns.enter('a')
    vi.advanceTimersByTime(bounds.waitMsMax)
    expect(await late).toBe(undefined)
    end?.()
    expect(await turns.enter('a')).toBeTypeOf('function')
  } finally {
    vi.useRealTimers()
  }
})

it('lets an owner have no more at once than its own bound, and passes over it for others', async () => {
  const turns = new FairTurns({ ...bounds, atOnce: 3, atOnceOfOwner: 2 })
  const [first] = await Promise.all([turns.enter('many'), turns.enter('many')])
  const begun: string[] = []
  const third = turns.enter('many').then((end) => (begun.push('third'), end))
  const few = await turns.enter('few')
  expect(begun).toEqual([])
  few?.()
  await Promise.resolve()
  expect(begun).toEqual([])
  first?.()
  expect(await third).toBeDefined()
})
