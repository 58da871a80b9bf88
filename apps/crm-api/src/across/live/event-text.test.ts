import { once } from 'node:events'
import { expect, it } from 'vitest'
import { EventText } from './event-text.ts'

const textOf = async ({ body }: EventText): Promise<string> => (await body.toArray()).join('')

it('begins with a position, and gives one with every event', async () => {
  const text = new EventText(1)
  text.send(2, 'change', { entityType: 'LEAD' })
  text.beat(3)
  text.send(4, 'end')
  text.end()
  text.send(5, 'change')
  expect(await textOf(text)).toBe(
    ': alive\nid: 1\n\nid: 2\nevent: change\ndata: {"entityType":"LEAD"}\n\n: alive\nid: 3\n\nid: 4\nevent: end\ndata: {}\n\n',
  )
  expect(text.beatAtMs).toBe(3)
})

it('is cut off when its reader leaves too much unread', async () => {
  const text = new EventText(1)
  const closed = once(text.body, 'close')
  const ids = Array.from({ length: 100 }, (_, n) => `01890000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`)
  for (let n = 0; n < 70; n++) text.send(n, 'change', { entityType: 'LEAD', action: 'UPDATED', ids })
  await closed
  expect(text.body.readableLength).toBeLessThan(300_000)
})
