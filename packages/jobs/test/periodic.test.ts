import { createLogger } from '@crm/runtime'
import { startRedisServer, testRedis, eventually } from '@crm/testkit'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startPeriodicJobs, type PeriodicJob, type Queues } from '../src/index.ts'
import { connectQueues, openAllQueues } from '../src/queues.ts'

const logger = createLogger({ name: 'test', level: 'silent' })
const queue = 'periodic-booking'
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Starts the periodic work of one process. */
async function startProcess(
  redisUrl: string | undefined,
  jobs: readonly PeriodicJob[],
  change: (queues: Queues) => Partial<Queues> = () => ({}),
  maySend = async (): Promise<boolean> => true,
) {
  const queues = await connectQueues(redisUrl)
  const periodic = startPeriodicJobs({
    queue,
    jobs,
    logger,
    maySend,
    queues: { ...queues, ...change(queues) },
  })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await periodic.close(1_000)
    await queues.close()
  }
  closing.push(stop)
  return { periodic, queues, stop }
}

/** Makes a job that counts its runs. */
function counting(everyMs = 50): PeriodicJob & { done: number } {
  const job = { name: 'counted', everyMs, done: 0, perform: async () => void job.done++ }
  return job
}

/** Opens the queue as an operator sees it. */
function look(redisUrl: string) {
  const { queues, close } = openAllQueues(redisUrl)
  closing.push(close)
  return queues.find(({ name }) => name === queue)!
}

const untilDone = (job: { readonly done: number }, times: number) =>
  eventually(() => expect(job.done).toBeGreaterThanOrEqual(times), { timeout: 30_000 })

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('%s', (_, withRedis) => {
  const redisUrl = async () => (withRedis ? (await testRedis()).url : undefined)

  it('is done when something falls due, though its period is not over', async () => {
    const job = counting(3_600_000)
    await startProcess(await redisUrl(), [{ ...job, dueInMs: async () => (job.done < 4 ? 20 : undefined) }])
    await untilDone(job, 4)
  })

  it('rests between rounds, however much is due', async () => {
    const job = counting(3_600_000)
    const endedAtMs: number[] = []
    const dueInMs = async () => endedAtMs.push(performance.now()) && 0
    await startProcess(await redisUrl(), [{ ...job, dueInMs }])
    await untilDone(job, 3)
    for (const [at, ms] of endedAtMs.slice(0, 2).entries())
      expect((endedAtMs[at + 1] ?? 0) - ms).toBeGreaterThanOrEqual(1_000)
  })

  it('is done when it is told that something is due, and once more when that came while it was at it', async () => {
    const job = counting(3_600_000)
    const [looked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const perform = async (): Promise<void> => {
      looked.resolve()
      await told.promise
      job.done += 1
    }
    const other = counting(3_600_000)
    const { periodic } = await startProcess(await redisUrl(), [
      { ...job, perform, wokenBy: 'audit-entry' },
      { ...other, name: 'other', wokenBy: 'audit-chain' },
    ])
    await Promise.all([looked.promise, untilDone(other, 1)])
    periodic.hear('audit-entry')
    periodic.wakeIn('nothing of this name', 0)
    told.resolve()
    await untilDone(job, 2)
    periodic.wakeIn('counted', 10)
    await untilDone(job, 3)
    expect(other.done).toBe(1)
  })
  it('is done again and again, at once for the first time, and after a failure too', async () => {
    const job = counting()
    const perform = async (): Promise<void> => {
      await job.perform()
      if (job.done === 2) throw new Error('a secret of somebody')
    }
    const hourly = { ...counting(3_600_000), name: 'hourly' }
    const hourlyDone = vi.fn<() => Promise<void>>(async () => undefined)
    await startProcess(withRedis ? (await testRedis()).url : undefined, [
      { ...job, perform },
      { ...hourly, perform: hourlyDone },
    ])
    await untilDone(job, 5)
    await eventually(() => expect(hourlyDone).toHaveBeenCalledOnce())
  })
})

it('is done by one of several processes each time', async () => {
  const { url } = await testRedis()
  const jobs = [counting(), counting()] as const
  const processes = await Promise.all(jobs.map((job) => startProcess(url, [job])))
  await eventually(() => expect(jobs[0].done + jobs[1].done).toBeGreaterThanOrEqual(5), { timeout: 30_000 })
  for (const { stop } of processes) await stop()
  // Each job taken from the queue ran once, except during the stop of a process, and no other runs took place.
  expect(jobs[0].done + jobs[1].done).toBeLessThanOrEqual(await look(url).getCompletedCount())
})

it('goes on in one process while another one hangs in it', async () => {
  const { url } = await testRedis()
  const begun = vi.fn<() => Promise<void>>(() => new Promise(() => undefined))
  await startProcess(url, [{ ...counting(), perform: begun }])
  await eventually(() => expect(begun).toHaveBeenCalledOnce(), { timeout: 30_000 })
  const job = counting()
  await startProcess(url, [job])
  await untilDone(job, 2)
  expect(begun).toHaveBeenCalledOnce()
})

it('is done by another process at its next period when the one ends that knew of something due', async () => {
  const { url } = await testRedis()
  const job = counting(1_000)
  const asked = vi.fn<() => Promise<number>>(async () => 500)
  const first = await startProcess(url, [{ ...counting(1_000), dueInMs: asked }])
  await eventually(() => expect(asked).toHaveBeenCalled(), { timeout: 30_000 })
  await first.stop()
  await startProcess(url, [job])
  await untilDone(job, 2)
})

it('goes on after Redis has lost everything', async () => {
  const server = await startRedisServer()
  const job = counting()
  await startProcess(server.url, [job])
  await untilDone(job, 2)
  const redis = new Redis(server.url)
  await redis.flushall()
  redis.disconnect()
  await untilDone(job, job.done + 3)
  expect(await look(server.url).getJobSchedulersCount()).toBe(1)
})

it('is done by each process while Redis is away, and through the queue again on its return', async () => {
  const server = await startRedisServer()
  const job = counting()
  await startProcess(server.url, [job])
  await untilDone(job, 2)
  await server.kill()
  await untilDone(job, job.done + 3)
  await startRedisServer({ port: server.port, password: server.password })
  const seen = look(server.url)
  await eventually(async () => expect(await seen.getCompletedCount()).toBeGreaterThan(2), { timeout: 30_000 })
})

it('is done by a process that finds it overdue', { timeout: 30_000 }, async () => {
  const { url } = await testRedis()
  const job = counting()
  // The listener receives nothing, like one with a hanging connection.
  await startProcess(url, [job], () => ({ listenForPeriodic: () => ({ close: async () => undefined }) }))
  await eventually(() => expect(job.done).toBeGreaterThan(0), { timeout: 30_000 })
})

it('forgets a job that no version has any more', async () => {
  const { url } = await testRedis()
  const seen = look(url)
  const older = await connectQueues(url)
  closing.push(() => older.close())
  await older.schedule(queue, 'retired', 50)
  expect(await seen.getJobSchedulersCount()).toBe(1)
  await startProcess(url, [counting()])
  await eventually(async () => expect((await seen.getJobSchedulers()).map(({ key }) => key)).toEqual(['counted']), {
    timeout: 30_000,
  })
})

it('leaves nothing in Redis but its name: no data, and no word of what failed', async () => {
  const { url } = await testRedis()
  const job = counting()
  await startProcess(url, [
    {
      ...job,
      perform: async () => {
        await job.perform()
        throw new Error('a secret of somebody')
      },
    },
  ])
  await untilDone(job, 3)
  const jobs = await look(url).getJobs()
  expect(jobs.length).toBeGreaterThan(0)
  expect(
    jobs.map(({ name, data, failedReason, returnvalue }) => ({
      name,
      data: data as unknown,
      failedReason,
      returnvalue: returnvalue as unknown,
    })),
  ).toEqual(jobs.map(() => ({ name: 'counted', data: {}, failedReason: undefined, returnvalue: null })))
})

it('rests while nothing may be sent, if it sends', async () => {
  let may = false
  const sends = { ...counting(), name: 'sends', sends: true as const }
  sends.perform = async () => void sends.done++
  const keeps = { ...counting(), name: 'keeps' }
  keeps.perform = async () => void keeps.done++
  await startProcess(undefined, [sends, keeps], undefined, async () => may)
  await untilDone(keeps, 5)
  expect(sends.done).toBe(0)
  may = true
  await untilDone(sends, 1)
})
