import { expect, it } from 'vitest'
import { inOneTab, newId } from './without-https.ts'

it('a new id is a UUID, and another one each time', () => {
  const ids = Array.from({ length: 50 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
})

it('shared work is done without locks, too', async () => {
  let times = 0
  const work = () => {
    times += 1
    return Promise.resolve()
  }
  await inOneTab('work', new AbortController().signal, work)
  expect(times).toBe(1)
})
