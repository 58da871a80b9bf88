import { testRedis } from '@crm/testkit'
import { expect, it } from 'vitest'
import { connectRedis, createMembers } from '../src/index.ts'

const { url } = await testRedis()

it.each(['with', 'without'])('members %s Redis come, stay while they show life, and leave', async (kind) => {
  let now = 1_000_000
  const redis = await connectRedis(kind === 'with' ? url : undefined, { role: 'test' })
  const keyOf = (place: string) => `members:{${place}}`
  const members = createMembers({ redis, keyOf, max: 2, keptMs: 1_000, nowMs: () => now })
  const place = crypto.randomUUID()
  expect(await members.enter(place, 'a')).toEqual({ isIn: true, others: [] })
  expect(await members.enter(place, 'b')).toEqual({ isIn: true, others: ['a'] })
  const refused = await members.enter(place, 'c')
  expect([refused.isIn, [...refused.others].toSorted()]).toEqual([false, ['a', 'b']])
  now += 600
  expect(await members.enter(place, 'a')).toEqual({ isIn: true, others: ['b'] })
  now += 600
  expect(await members.enter(place, 'c')).toEqual({ isIn: true, others: ['a'] })
  await members.leave(place, 'a')
  expect(await members.enter(place, 'c')).toEqual({ isIn: true, others: [] })
  expect(await members.enter(crypto.randomUUID(), 'd')).toEqual({ isIn: true, others: [] })
  await redis.close()
})
