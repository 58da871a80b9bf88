import { schema, type Database } from '@crm/db'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { breakWorkspace } from './broken-workspace.ts'
import type { TestWorkspace } from './workspace.ts'

/** A piece of periodic work, as a process starts it. */
interface Job {
  readonly name: string
  readonly everyMs: number
  /** Returns in how many milliseconds the next work is due. */
  dueInMs?(): Promise<number | undefined>
  perform(): Promise<unknown>
}

/** Leaves something due in a workspace; returns whether the work on it is done. */
export type PlantDue = (workspace: TestWorkspace) => Promise<() => Promise<boolean>>

/** The periodic work of a deployable, and what can be due for it. */
export interface PeriodicWorkUnderTest {
  readonly jobs: readonly Job[]
  /** The work by the names of the jobs; a job may have several kinds of due rows. */
  readonly due: Readonly<Record<string, readonly PlantDue[]>>
  /** As the owner reaches it. */
  readonly db: Database
  readonly ownerUrl: string
  newWorkspace(): Promise<TestWorkspace>
  /** Lets time pass. */
  advance(ms: number): void
  /** The workspaces that have something due at the same time; only the whole effort of `npm run test:deep` tries it. */
  readonly atOnce: number
}

const atOnceMin = 2_000
const plantedAtOnce = 8

const pauseMs = 2 * 60_000
/** Enough for libraries to be loaded and caches to have their usual size. */
const warmRounds = 30
const measuredRounds = 120
/** What 120 rounds may leave behind: less than 9 KB each, so that a process that runs for weeks stays as it is. */
const grownBytesMax = 1024 ** 2

/** Returns the bytes of the heap that are in use once all waste is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/** Proves for each piece of periodic work that a workspace whose rows make it fail costs no other workspace anything, and is served afterwards. */
export function provePeriodicWork({
  jobs,
  due,
  db,
  ownerUrl,
  newWorkspace,
  advance,
  atOnce,
}: PeriodicWorkUnderTest): void {
  it('has something due for each piece of periodic work that the process starts', () => {
    expect(Object.keys(due).toSorted()).toEqual(jobs.map(({ name }) => name).toSorted())
  })

  /** Whether a job that can be asked knows of something that is due now. */
  const knowsDue = async (job: Job): Promise<boolean> => ((await job.dueInMs?.()) ?? Infinity) <= 0

  const kinds = jobs.flatMap((job) =>
    (due[job.name] ?? []).map((plant, at) => ({ job, plant, kind: `${job.name} ${at + 1}` })),
  )
  it.each(kinds)('$kind serves a workspace beside one where it fails', async ({ job, plant }) => {
    const [broken, sound] = [await newWorkspace(), await newWorkspace()]
    expect(await knowsDue(job)).toBe(false)
    const isBrokenServed = await plant(broken)
    const isSoundServed = await plant(sound)
    expect(await knowsDue(job)).toBe(job.dueInMs !== undefined)
    const mend = await breakWorkspace(ownerUrl, broken.workspaceId)
    const failing = async () => {
      const rows = await db.select({ workspaceId: schema.workFailures.workspaceId }).from(schema.workFailures)
      return [...new Set(rows.map(({ workspaceId }) => workspaceId))]
    }
    try {
      await job.perform()
      expect([await isBrokenServed(), await isSoundServed()]).toEqual([false, true])
      expect(await failing()).toEqual([broken.workspaceId])
      // What failed waits for its next try, so it does not keep the process awake.
      expect(await knowsDue(job)).toBe(false)
      await job.perform()
      expect(await isBrokenServed()).toBe(false)
    } finally {
      await mend()
    }
    advance(pauseMs)
    expect(await knowsDue(job)).toBe(job.dueInMs !== undefined)
    await job.perform()
    expect(await isBrokenServed()).toBe(true)
    expect(await knowsDue(job)).toBe(false)
    expect(await failing()).toEqual([])
  })

  describe.runIf(atOnce >= atOnceMin)(`with ${atOnce} workspaces`, () => {
    const workspaces: TestWorkspace[] = []
    beforeAll(
      () => forEach(Array.from({ length: atOnce }, String), async () => void workspaces.push(await newWorkspace())),
      600_000,
    )

    it.each(kinds)(
      '$kind is done in all of them within two rounds',
      { timeout: 600_000 },
      async ({ job, plant, kind }) => {
        const planted: (() => Promise<boolean>)[] = []
        await forEach(workspaces, async (workspace) => void planted.push(await plant(workspace)))
        const left = async (): Promise<number> => {
          let undone = 0
          await forEach(planted, async (isDone) => {
            if (!(await isDone())) undone += 1
          })
          return undone
        }
        const began = performance.now()
        await job.perform()
        const seconds = ((performance.now() - began) / 1_000).toFixed(1)
        if ((await left()) > 0) await job.perform()
        console.log(`${kind}: ${atOnce} in ${seconds} s, and a round begins every ${job.everyMs / 1_000} s`)
        expect(await left()).toBe(0)
      },
    )
  })

  it('leaves the heap as it was, however many rounds there were', async () => {
    const rounds = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n += 1) {
        advance(60_000)
        for (const job of jobs) await job.perform()
      }
      return heapBytes()
    }
    const before = await rounds(warmRounds)
    expect((await rounds(measuredRounds)) - before).toBeLessThan(grownBytesMax)
  })
}

/** Works on a few at a time. */
async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const worker = async (): Promise<void> => {
    while (waiting.length > 0) await work(waiting.pop() as T)
  }
  await Promise.all(Array.from({ length: plantedAtOnce }, worker))
}
