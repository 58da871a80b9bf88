import { describe, expect, it } from 'vitest'
import { ZONES } from '../test/change-days.ts'
import { allDayBusy, isTimeZone } from './index.ts'

describe('isTimeZone', () => {
  it('knows every zone of the platform and the old names', () => {
    for (const name of [...ZONES, 'UTC', 'Etc/GMT+5', 'US/Eastern', 'Asia/Calcutta'])
      expect(isTimeZone(name)).toBe(true)
  })
  it.each(['+02:00', '-05', '+0200', 'Z', '', ' UTC', 'Europe', 'Europe/Atlantis', 'UTC+2', 'GMT+2'])(
    'refuses %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false)
    },
  )
})

describe('allDayBusy', () => {
  it('lasts from local midnight to local midnight after the last date', () => {
    expect(allDayBusy('Europe/Berlin', '2026-06-01', '2026-06-01')).toEqual({
      start: '2026-05-31T22:00:00.000Z',
      end: '2026-06-01T22:00:00.000Z',
    })
    expect(allDayBusy('America/New_York', '2026-06-01', '2026-06-03')).toEqual({
      start: '2026-06-01T04:00:00.000Z',
      end: '2026-06-04T04:00:00.000Z',
    })
  })
  it('has 23 or 25 hours when the clock changes', () => {
    expect(allDayBusy('Europe/Berlin', '2026-03-29', '2026-03-29')).toEqual({
      start: '2026-03-28T23:00:00.000Z',
      end: '2026-03-29T22:00:00.000Z',
    })
    expect(allDayBusy('Europe/Berlin', '2026-10-25', '2026-10-25')).toEqual({
      start: '2026-10-24T22:00:00.000Z',
      end: '2026-10-25T23:00:00.000Z',
    })
  })
  it('starts at the first moment of a date whose midnight is skipped, and has no length on a skipped date', () => {
    expect(allDayBusy('Africa/Cairo', '2026-04-24', '2026-04-24').start).toBe('2026-04-23T22:00:00.000Z')
    expect(allDayBusy('Pacific/Apia', '2011-12-30', '2011-12-30')).toEqual({
      start: '2011-12-30T10:00:00.000Z',
      end: '2011-12-30T10:00:00.000Z',
    })
  })
  it('refuses what is no date, or ends before it starts', () => {
    expect(() => allDayBusy('UTC', '2026-02-29', '2026-03-01')).toThrow(RangeError)
    expect(() => allDayBusy('UTC', '2026-03-02', '2026-03-01')).toThrow(RangeError)
  })
})
