import { describe, expect, it } from 'vitest'
import { ReadLines, ReadTurns, type ReadTurn } from './read-turns.ts'

const long = 60_000

/** Takes turns and records their order; each turn is held until the test ends it. */
function takers(turns: ReadTurns) {
  const begun: string[] = []
  const held = new Map<string, ReadTurn>()
  const take = async (name: string): Promise<void> => {
    // Some turns wait until long after the test.
    const turn = await turns.take(name.slice(0, 1), long).catch(() => undefined)
    if (!turn) return
    begun.push(name)
    held.set(name, turn)
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { begun, held, take, settle }
}

describe('the turns of reads', () => {
  it('go round between workspaces, of which each has at most half of the places', async () => {
    const { begun, held, take, settle } = takers(new ReadTurns({ atOnce: 4, bytesMax: 1_000, bytesOfOne: 1 }))
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1']) void take(name)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
    held.get('a1')?.end()
    await settle()
    expect(begun.at(-1)).toBe('d1')
  })

  it('come one after the other to a workspace while others read, and are its share again afterwards', async () => {
    const { begun, held, take, settle } = takers(new ReadTurns({ atOnce: 6, bytesMax: 1_000, bytesOfOne: 1 }))
    for (const name of ['b1', 'a1', 'a2', 'a3', 'a4']) void take(name)
    await settle()
    expect(begun).toEqual(['b1', 'a1'])
    held.get('a1')?.end()
    await settle()
    expect(begun).toEqual(['b1', 'a1', 'a2'])
    held.get('b1')?.end()
    await settle()
    expect(begun).toEqual(['b1', 'a1', 'a2', 'a3', 'a4'])
  })

  it('end once, however often they are ended', async () => {
    const { begun, held, take, settle } = takers(new ReadTurns({ atOnce: 2, bytesMax: 1_000, bytesOfOne: 1 }))
    for (const name of ['a1', 'a2', 'a3']) void take(name)
    await settle()
    held.get('a1')?.end()
    held.get('a1')?.end()
    held.get('a1')?.answer(500)
    await settle()
    expect(begun).toEqual(['a1', 'a2'])
  })

  it('give the place on with the answer, but not its bytes before it is out', async () => {
    const { begun, held, take, settle } = takers(new ReadTurns({ atOnce: 2, bytesMax: 100, bytesOfOne: 10 }))
    for (const name of ['a1', 'a2', 'a3', 'b1']) void take(name)
    await settle()
    expect(begun).toEqual(['a1', 'b1'])
    held.get('a1')?.answer(45)
    await settle()
    // A second answer of the same workspace exceeds its half; an answer of another workspace fits.
    expect(begun).toEqual(['a1', 'b1'])
    void take('b2')
    held.get('b1')?.answer(1)
    await settle()
    expect(begun).toEqual(['a1', 'b1', 'b2'])
    held.get('a1')?.end()
    await settle()
    expect(begun.at(-1)).toBe('a2')
  })

  it('are refused when they do not come in time, and nobody waits for those', async () => {
    const turns = new ReadTurns({ atOnce: 2, bytesMax: 100, bytesOfOne: 10 })
    const first = await turns.take('a', long)
    await expect(turns.take('a', 1)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      extras: { retryAfterS: expect.any(Number) },
    })
    const next = turns.take('a', long)
    first.end()
    await expect(next).resolves.toBeDefined()
  })
})

it('a list that was large the last time begins in the line of large ones, one at a time for a workspace', async () => {
  const lines = new ReadLines(10, long)
  const isFree = async (list: string, pageSize = 100) =>
    Promise.race([
      lines.begin({ workspaceId: 'a', list, pageSize }).then(
        () => true,
        () => false,
      ),
      new Promise((resolve) => setImmediate(resolve)).then(() => false),
    ])
  lines.remember({ workspaceId: 'a', list: 'tasks' }, true)
  expect([await isFree('tasks'), await isFree('tasks'), await isFree('leads')]).toEqual([true, false, true])
  lines.remember({ workspaceId: 'a', list: 'tasks' }, false)
  expect([await isFree('tasks'), await isFree('tasks', 101)]).toEqual([true, false])
})

describe('large answers', () => {
  const large = { workspaceId: 'a', list: 'leads', pageSize: 500 }

  it('of a workspace begin two at a time, and the next one when one is finished', async () => {
    const lines = new ReadLines(10, long)
    const first = await lines.begin(large)
    first.turn.answer(1)
    const second = await lines.begin(large)
    second.turn.answer(1)
    let isThird = false
    const third = lines.begin(large).then((begun) => ((isThird = true), begun))
    // Their slices go on, and another workspace begins.
    const slice = await lines.goOn({ workspaceId: 'a' }, long)
    slice.answer(1)
    const other = await lines.begin({ ...large, workspaceId: 'b' })
    expect(isThird).toBe(false)
    for (const turn of [first.turn, slice, other.turn]) turn.end()
    first.finish()
    first.finish()
    await third
    expect(isThird).toBe(true)
  })

  it('are refused when they do not begin in time, or too many wait', async () => {
    const lines = new ReadLines(10, 1)
    await lines.begin(large)
    const refused = { code: 'SERVICE_UNAVAILABLE', extras: { retryAfterS: expect.any(Number) } }
    // One waits for its first turn, the others for an answer to be finished.
    const asked = await Promise.allSettled(Array.from({ length: 150 }, () => lines.begin(large)))
    expect(asked).toEqual(asked.map(() => ({ status: 'rejected', reason: expect.objectContaining(refused) })))
  })

  it('that did not begin leave their place to the next one', async () => {
    const lines = new ReadLines(10, 1)
    const first = await lines.begin(large)
    await expect(lines.begin(large)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    first.turn.end()
    await expect(lines.begin(large)).resolves.toBeDefined()
  })
})
