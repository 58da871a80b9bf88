import { createDatabase, createPool, newId, schema } from '@crm/db'
import { createLogger, fixedClock } from '@crm/runtime'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { doDueWork, type DueWork } from '../src/due-work.ts'

const { ownerUrl } = await testDatabase()
const pool = createPool({ databaseUrl: ownerUrl, max: 4, applicationName: 'test-due-work' })
afterAll(() => pool.end())
const db = createDatabase(pool)
const clock = fixedClock(new Date())
const behind: string[] = []
const deps = {
  db,
  clock,
  logger: createLogger({ name: 'test', level: 'silent' }),
  countBehind: (work: string) => void behind.push(work),
}
const { workFailures } = schema
const [one, other] = [await createTestWorkspace(db), await createTestWorkspace(db)]

interface Item {
  readonly workspaceId: string
  readonly row: string
}

let due: Item[] = []
let failing = new Set<string>()
const done: string[] = []
beforeEach(async () => {
  due = []
  failing = new Set()
  done.splice(0)
  behind.splice(0)
  await db.delete(workFailures)
})

const items = (workspaceId: string, n: number, name = 'row'): Item[] =>
  Array.from({ length: n }, (_, at) => ({ workspaceId, row: `${name} ${at}` }))

/** Work on the items in memory, whose failures are kept in the database as always. */
const work = (more: Partial<DueWork<Item>> = {}): DueWork<Item> => ({
  name: `test-${newId()}`,
  everyMs: 10_000,
  batch: 10,
  async find(at, limit) {
    const waiting = await db.select().from(workFailures).where(eq(workFailures.work, this.name))
    const isPutOff = ({ workspaceId, row }: Item) =>
      waiting.some((each) => each.workspaceId === workspaceId && ['', row].includes(each.row) && each.nextTryAt > at)
    return due.filter((item) => !isPutOff(item)).slice(0, limit)
  },
  keyOf: (item) => item,
  async perform(some) {
    if (some.some(({ row }) => failing.has(row))) throw new TypeError('a value of somebody')
    const rows = some.map(({ row }) => row)
    done.push(...rows)
    due = due.filter(({ row }) => !rows.includes(row))
  },
  ...more,
})

describe('a round', () => {
  it('goes on while there is more, and takes those first that have waited longest', async () => {
    due = items(one.workspaceId, 95)
    expect(await doDueWork(deps, work())).toEqual({ done: 95, failed: 0 })
    expect(done).toEqual(items(one.workspaceId, 95).map(({ row }) => row))
    expect(behind).toEqual([])
  })

  it('comes to everybody although 200 rows of one workspace fail before them', async () => {
    due = [...items(one.workspaceId, 200, 'bad'), ...items(other.workspaceId, 5, 'good')]
    failing = new Set(items(one.workspaceId, 200, 'bad').map(({ row }) => row))
    await doDueWork(deps, work())
    expect(done).toEqual(items(other.workspaceId, 5, 'good').map(({ row }) => row))
  })

  it.each([1, 7, 100])('of %i rows together leaves only the row undone that fails', async (together) => {
    due = items(one.workspaceId, 30)
    failing = new Set(['row 4'])
    const outcome = await doDueWork(deps, work({ together, batch: 100, atOnce: 3 }))
    expect(outcome).toEqual({ done: 29, failed: 1 })
    expect(due.map(({ row }) => row)).toEqual(['row 4'])
  })

  it('takes rows of one workspace together, and workspaces in turn', async () => {
    due = [...items(one.workspaceId, 5, 'one'), ...items(other.workspaceId, 3, 'other')]
    const calls: string[] = []
    const perform = async (some: readonly Item[], workspaceId: string): Promise<void> => {
      expect(some.every((item) => item.workspaceId === workspaceId)).toBe(true)
      calls.push(some.map(({ row }) => row).join())
      due = due.filter((item) => !some.includes(item))
    }
    await doDueWork(deps, work({ together: 2, perform }))
    expect(calls).toEqual(['one 0,one 1', 'other 0,other 1', 'one 2,one 3', 'other 2', 'one 4'])
  })

  it('tries a failed row again with growing pauses, and forgets it when it succeeded', async () => {
    due = items(one.workspaceId, 1)
    failing = new Set(['row 0'])
    const given = work()
    const pauses: number[] = []
    for (let n = 0; n < 8; n += 1) {
      await doDueWork(deps, given)
      const [row] = await db.select().from(workFailures)
      const ms = Date.parse(row!.nextTryAt) - clock.now().getTime()
      pauses.push(ms / 60_000)
      clock.advance(ms - 1)
      expect(await doDueWork(deps, given)).toEqual({ done: 0, failed: 0 })
      clock.advance(1)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(await db.select().from(workFailures)).toMatchObject([{ failures: 8, problem: 'TypeError' }])
    failing = new Set()
    expect(await doDueWork(deps, given)).toEqual({ done: 1, failed: 0 })
    expect(await db.select().from(workFailures)).toEqual([])
  })

  it('forgets a failed row that is not due any more', async () => {
    due = items(one.workspaceId, 1)
    failing = new Set(['row 0'])
    const given = work()
    await doDueWork(deps, given)
    due = []
    clock.advance(60_000)
    await doDueWork(deps, given)
    expect(await db.select().from(workFailures)).toEqual([])
  })

  it('ends with its period or its process, and says when more was due', async () => {
    due = items(one.workspaceId, 100)
    const slow = work()
    await doDueWork(deps, {
      ...slow,
      perform: async (some, workspaceId) => {
        clock.advance(1_000)
        await slow.perform(some, workspaceId)
      },
    })
    expect(done).toHaveLength(10)
    expect(behind).toEqual([slow.name])
    await doDueWork({ ...deps, signal: AbortSignal.abort() }, slow)
    expect(done).toHaveLength(10)
  })

  it('ends when the first workspaces all fail, because the cause is none of theirs', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => createTestWorkspace(db)))
    due = many.map(({ workspaceId }) => ({ workspaceId, row: 'any' }))
    failing = new Set(['any'])
    await expect(doDueWork(deps, work())).rejects.toThrow(TypeError)
    expect(await db.select().from(workFailures)).toHaveLength(5)
  })

  it('notes no failure of a row when the database itself refuses the work', async () => {
    due = items(one.workspaceId, 3)
    const refused = work({ perform: () => pool.query('SELECT * FROM no_such_table') })
    await expect(doDueWork(deps, refused)).rejects.toThrow('no_such_table')
    expect(await db.select().from(workFailures)).toEqual([])
  })
})
