import { newId } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { startRedisCluster } from '@crm/testkit'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createWakeUp, hearWakeUps } from '../src/index.ts'
import { connectQueues } from '../src/queues.ts'
import type { JobReference } from '../src/index.ts'

const { url } = await startRedisCluster()
const queues = await connectQueues(url)
afterAll(() => queues.close())

it('hands work on through the queues of a cluster', async () => {
  const taken: JobReference[] = []
  const references = Array.from({ length: 5 }, () => ({ workspaceId: newId(), id: newId(), epoch: 0 }))
  expect(queues.isReady()).toBe(true)
  for (const topic of ['job', 'run', 'change'] as const) {
    const listener = queues.listen(topic, 2, async (reference) => void taken.push(reference))
    await queues.add(topic, references)
    await expect.poll(() => taken.length).toBe(references.length)
    expect(new Set(taken.splice(0).map(({ id }) => id))).toEqual(new Set(references.map(({ id }) => id)))
    await listener?.close(1_000)
  }
})

it('wakes the relays of other processes through a cluster', async () => {
  const redis = await connectRedis(url, { role: 'test' })
  onTestFinished(() => redis.close())
  let woken = 0
  const ears = hearWakeUps(url, ['job'], () => (woken += 1))
  onTestFinished(() => ears.close())
  const wakeUp = createWakeUp(redis)
  await expect
    .poll(() => {
      // A message that comes before the subscription is lost.
      wakeUp.send(['job'])
      return woken
    })
    .toBeGreaterThan(0)
})
