import { expect, it } from 'vitest'
import { ReadingThreads } from './reading-threads.ts'

const options = {
  from: '2026-06-01T00:00:00.000Z',
  to: '2026-07-01T00:00:00.000Z',
  timezone: 'Europe/Berlin',
  owner: { addresses: [], bookings: [] },
}
const meeting = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:one@acme.test
DTSTART:20260602T120000
DTEND:20260602T130000
END:VEVENT
END:VCALENDAR
`

it('a thread that fails with one calendar is replaced for the next ones', async () => {
  await using threads = new ReadingThreads()
  const startsOf = async () => (await threads.read(meeting, options)).events.map(({ startAt }) => startAt)
  expect(await startsOf()).toEqual(['2026-06-02T10:00:00.000Z'])
  await expect(threads.read(meeting, { ...options, owner: null as never })).rejects.toThrow(TypeError)
  expect(await Promise.all([startsOf(), startsOf()])).toEqual([
    ['2026-06-02T10:00:00.000Z'],
    ['2026-06-02T10:00:00.000Z'],
  ])
})
