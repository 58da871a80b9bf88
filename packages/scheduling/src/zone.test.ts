import { oldShortZones } from '@crm/testkit'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { ZONES } from '../test/change-days.ts'
import { allDayBusy, isTimeZone, nextTimeOfDay, offsetSteps, timeZoneFor } from './index.ts'

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

describe('an old short name', () => {
  it.each(oldShortZones)('%s is no zone, and stands for one', (name) => {
    expect(new Intl.DateTimeFormat('en', { timeZone: name }).format(0)).not.toBe('')
    expect(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)).toThrow(RangeError)
    expect(isTimeZone(name)).toBe(false)
    expect(isTimeZone(name.toLowerCase())).toBe(false)
    const zone = timeZoneFor(name)
    expect(zone).toContain('/')
    expect(isTimeZone(zone!)).toBe(true)
  })
  it('stands for none where nobody knows it', () => {
    expect(timeZoneFor('AET')).toBe('Australia/Sydney')
    expect(['SystemV/EST5', 'Mars/Olympus', '+02:00', ''].map(timeZoneFor)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(timeZoneFor('CET')).toBe('CET')
  })
})

describe('nextTimeOfDay', () => {
  it.each([
    ['09:00', 'CET', '2026-07-15T06:59:00Z', '2026-07-15T07:00:00Z'],
    ['09:00', 'Europe/Berlin', '2026-07-15T07:00:00Z', '2026-07-16T07:00:00Z'],
    ['02:30', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T01:30:00Z'],
    ['02:30', 'Europe/Berlin', '2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z'],
    ['00:00', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00Z'],
    ['23:30', 'Pacific/Kiritimati', '2026-01-01T09:29:00Z', '2026-01-01T09:30:00Z'],
    ['23:30', 'Pacific/Pago_Pago', '2026-01-01T10:31:00Z', '2026-01-02T10:30:00Z'],
    ['12:00', 'Pacific/Apia', '2011-12-29T22:30:00Z', '2011-12-30T22:00:00Z'],
  ])('finds %s in %s after %s', (time, zone, after, next) => {
    expect(new Date(nextTimeOfDay(time, zone, Date.parse(after))).toISOString()).toBe(new Date(next).toISOString())
  })
  it('is the next time that the clocks show, in every zone and at every change', () => {
    for (const zone of ZONES)
      for (let after = Date.UTC(2026, 0, 1, 5, 17); after < Date.UTC(2027, 0, 1); after += 13 * 3_600_000 + 60_000) {
        const next = nextTimeOfDay('09:00', zone, after)
        const shown = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(zone)
        expect(shown.toPlainTime().toString()).toBe('09:00:00')
        expect(next - after).toBeGreaterThan(0)
        expect(next - after).toBeLessThanOrEqual(25 * 3_600_000)
      }
  })
  it('refuses what is no zone', () => {
    expect(() => nextTimeOfDay('09:00', 'AET', 0)).toThrow(RangeError)
  })
})

describe('offsetSteps', () => {
  it('holds each offset from 1970 to 2099, and has one for a zone without changes', () => {
    expect(offsetSteps('UTC')).toEqual({ offsets: [0], since: [] })
    for (const zone of ['CET', 'America/Edmonton', 'Africa/Casablanca', 'Asia/Kathmandu']) {
      const { offsets, since } = offsetSteps(zone)
      expect(since).toHaveLength(offsets.length - 1)
      for (let at = Date.UTC(1970, 0, 2); at < Date.UTC(2099, 11, 31); at += 40 * 86_400_000 + 3_600_000) {
        const place = since.findLastIndex((from) => Date.parse(from) <= at) + 1
        const offset = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9
        expect(offsets[place]).toBe(offset)
      }
    }
  })
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
