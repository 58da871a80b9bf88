import { connectRedis } from '@crm/redis'
import { testRedis } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'
import { createRecipientLimit } from './recipient-limit.ts'

const { url, redis: inspect } = await testRedis()
const redis = await connectRedis(url, { role: 'test' })
afterAll(() => redis.close())

it('lets an address have ten messages in an hour, however it is written, and counts by name', async () => {
  const mayReceive = createRecipientLimit({ redis })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => mayReceive(n % 2 === 0 ? 'Ada@Guest.test' : 'ada@guest.test')),
  )
  expect(answers.filter(Boolean)).toHaveLength(10)
  expect(await mayReceive('grace@guest.test')).toBe(true)
  expect(await createRecipientLimit({ redis, name: 'other', perHour: 1 })('ada@guest.test')).toBe(true)
})

it('keeps no address', async () => {
  const keys = await inspect.keys('*')
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.join(' ')).not.toContain('guest.test')
})
