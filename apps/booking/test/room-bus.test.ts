import { connectRedis } from '@crm/redis'
import { testRedis } from '@crm/testkit'
import { expect, it } from 'vitest'
import { createRoomBus, type RoomMessage } from '../src/rooms/room-bus.ts'

it('passes over messages of another version and texts that are none', async () => {
  const redis = await connectRedis((await testRedis()).url, { role: 'test' })
  const [here, there] = [createRoomBus(redis), createRoomBus(redis)]
  const heard: RoomMessage[] = []
  const arrived = Promise.withResolvers<void>()
  const leave = await here.join('room', (message) => {
    heard.push(message)
    if (message.kind === 'closed') arrived.resolve()
  })
  const message = { kind: 'hello', from: 'someone' }
  const foreign = [
    '',
    'null',
    '7',
    '{',
    JSON.stringify({ origin: 'other', message }),
    JSON.stringify({ version: 2, origin: 'other', message }),
  ]
  for (const text of foreign) await redis.client?.publish('call:room', text)
  there.say('room', { kind: 'closed' })
  await arrived.promise
  expect(heard).toEqual([{ kind: 'closed' }])
  leave()
  here.close()
  there.close()
  await redis.close()
})
