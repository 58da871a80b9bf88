/** Prints a digest of many answers, for a parent process that compares it between servers in different zones. */
import { createHash } from 'node:crypto'
import { allDayBusy, freeSlots } from '../src/index.ts'
import { changesOf, daysAround, ZONES } from './change-days.ts'

const digest = createHash('sha256')
for (const timezone of ZONES) {
  for (const change of changesOf(timezone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).concat(Date.UTC(2026, 5, 1))) {
    const window = daysAround(change)
    const weeklyHours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '22:00', end: '06:30' }))
    const busy = [allDayBusy(timezone, window.from.slice(0, 10), window.from.slice(0, 10))]
    digest.update(
      freeSlots({
        timezone,
        weeklyHours,
        durationMin: 45,
        bufferMin: 5,
        minNoticeMin: 60,
        now: window.from,
        ...window,
        busy,
      }).join(),
    )
  }
}
process.stdout.write(`${new Date(2026, 0, 1).getTimezoneOffset()} ${digest.digest('hex')}`)
