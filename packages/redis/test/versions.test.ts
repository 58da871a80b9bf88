import { expect, it } from 'vitest'
import { testRedis } from '@crm/testkit'
import {
  connectRedis,
  createAdmission,
  createChangeMarks,
  createEpochs,
  createFixedWindow,
  keyPatterns,
  versionedKey,
} from '../src/index.ts'

const { url } = await testRedis()
const redis = await connectRedis(url, { role: 'test' })
const client = redis.client!
const limit = () => createFixedWindow({ redis, name: 'calls', points: 2, windowMs: 60_000 })

it('names kind and version in a key, and leaves keys of another version alone', async () => {
  expect(versionedKey('limit', 'calls', '{acme}')).toBe('limit.1:calls:{acme}')
  await client.set('limit.2:calls:{acme}', 'of a later version')
  await client.set('changed.2:{acme}:key', 'of a later version')
  await limit().consume('{acme}')
  await createChangeMarks(redis).note('acme', 'key', 5n)
  expect(await client.mget('limit.2:calls:{acme}', 'limit.1:calls:{acme}')).toEqual(['of a later version', '1'])
  expect(await client.get('changed.2:{acme}:key')).toBe('of a later version')
  const found = (await Promise.all(keyPatterns.map((match) => client.keys(match)))).flat()
  expect(found.toSorted()).toEqual([
    'changed.1:{acme}:key',
    'changed.2:{acme}:key',
    'limit.1:calls:{acme}',
    'limit.2:calls:{acme}',
  ])
})

it('fails at no value that it does not know, and keeps to what is safe', async () => {
  const marks = createChangeMarks(redis)
  await client.set(versionedKey('changed', '{acme}', 'other'), '2/0A')
  // Without a position a read goes to the primary.
  expect(await marks.read('acme', 'other')).toBeUndefined()
  await marks.note('acme', 'other', 7n)
  expect(await client.get(versionedKey('changed', '{acme}', 'other'))).toBe('2/0A')

  await client.set(limit().keyOf('{acme}:broken'), 'many')
  const counted = limit()
  const verdicts = [
    await counted.consume('{acme}:broken'),
    await counted.consume('{acme}:broken'),
    await counted.consume('{acme}:broken'),
  ]
  expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, false])
  await counted.forgive('{acme}:broken')
  expect(await client.get(counted.keyOf('{acme}:broken'))).toBe('many')
  const admit = createAdmission(redis, createEpochs(redis), limit())
  expect(await admit('acme', '{acme}:broken')).toMatchObject({ epoch: expect.any(String), verdict: { allowed: true } })
})

it('compares the epochs of every version, and tells every version of a change', async () => {
  const epochs = createEpochs(redis)
  await client.set(epochs.keyOf('acme'), '2/an epoch of a later version')
  const before = await epochs.read('acme')
  expect(before).toEqual(expect.any(String))
  expect(await epochs.read('acme')).toBe(before)
  await epochs.bump('acme')
  expect(await client.get(epochs.keyOf('acme'))).toMatch(/^1\./)
  expect(await epochs.read('acme')).not.toBe(before)
})
