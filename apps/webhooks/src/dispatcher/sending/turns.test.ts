import { expect, it } from 'vitest'
import { Turns, type Leave, type TurnBounds } from './turns.ts'

const wide: TurnBounds = {
  total: 100,
  perWorkspace: 100,
  perOwner: 100,
  perReceiver: 100,
  waiting: 100,
  waitingPerOwner: 100,
}

/** Makes work that reports its beginning by the name `workspace/owner/receiver`. */
function stage(bounds: Partial<TurnBounds>) {
  const turns = new Turns({ ...wide, ...bounds })
  const begun: string[] = []
  const leaves = new Map<string, Leave>()
  const enter = async (name: string): Promise<void> => {
    const [workspaceId = '', ownerId = '', receiver = null] = name.split('/')
    const leave = await turns.enter({ workspaceId, ownerId, receiver })
    begun.push(leave ? name : `not ${name}`)
    if (leave) leaves.set(name, leave)
  }
  const settle = () => new Promise((done) => setImmediate(done))
  return {
    turns,
    begun,
    enterAll: async (...names: string[]) => {
      for (const name of names) void enter(name)
      await settle()
    },
    leave: async (name: string) => {
      leaves.get(name)?.()
      await settle()
    },
  }
}

it('gives a workspace its own share of all places, and the others the usual number', async () => {
  const turns = new Turns({ ...wide, total: 10, perWorkspace: 1 })
  const enter = (workspaceId: string, share: number | null) =>
    turns.enterNow({ workspaceId, ownerId: '1', receiver: null, share })
  const given = [enter('a', 20), enter('a', 20), enter('a', 20), enter('b', null), enter('b', null)]
  expect(given.map((leave) => leave !== null)).toEqual([true, true, false, true, false])
})

it.each([
  ['workspace', { perWorkspace: 1 }, 'a/1/x', 'a/2/y', 'b/3/x'],
  ['rule or workflow', { perOwner: 1 }, 'a/1/x', 'a/1/y', 'a/2/x'],
  ['receiver', { perReceiver: 1 }, 'a/1/x', 'a/2/x', 'a/2/y'],
])('passes over what has no place left for its %s', async (_what, bounds, first, waits, passes) => {
  const { begun, enterAll, leave } = stage(bounds)
  await enterAll(first, waits, passes)
  expect(begun).toEqual([first, passes])
  await leave(first)
  expect(begun).toEqual([first, passes, waits])
})

it('keeps the places of one workspace at a host from another', async () => {
  const { begun, enterAll } = stage({ perReceiver: 1 })
  await enterAll('a/1/x', 'b/2/x')
  expect(begun).toEqual(['a/1/x', 'b/2/x'])
})

it('takes workspaces in turn, and rules within a workspace', async () => {
  const { begun, enterAll, leave } = stage({ total: 1 })
  await enterAll('a/0', 'a/1/1', 'a/1/2', 'a/1/3', 'a/2/1', 'b/3/1', 'b/3/2')
  for (let n = 0; n < 6; n++) await leave(begun[n] as string)
  expect(begun).toEqual(['a/0', 'a/1/1', 'b/3/1', 'a/2/1', 'b/3/2', 'a/1/2', 'a/1/3'])
})

it('sends away what would wait beyond the bounds, for each rule and in all', async () => {
  const { begun, enterAll } = stage({ total: 1, waiting: 3, waitingPerOwner: 2 })
  await enterAll('a/0', 'a/1/1', 'a/1/2', 'a/1/3', 'a/2/1', 'b/3/1')
  expect(begun).toEqual(['a/0', 'not a/1/3', 'not b/3/1'])
})

it('gives a place back once', async () => {
  const { begun, enterAll, leave } = stage({ total: 1 })
  await enterAll('a/0', 'a/1', 'a/2')
  await leave('a/0')
  await leave('a/0')
  expect(begun).toEqual(['a/0', 'a/1'])
})

it('takes a place at once or not at all', () => {
  const { turns } = stage({ perReceiver: 1 })
  const turn = { workspaceId: 'a', ownerId: '1', receiver: 'x' }
  const leave = turns.enterNow(turn)
  expect(turns.enterNow(turn)).toBeNull()
  leave?.()
  expect(turns.enterNow(turn)).not.toBeNull()
})

it('lets nothing begin once it is closed', async () => {
  const { turns, begun, enterAll } = stage({ total: 1 })
  await enterAll('a/0', 'a/1')
  turns.close()
  await enterAll('b/2')
  expect(begun.toSorted()).toEqual(['a/0', 'not a/1', 'not b/2'])
})
