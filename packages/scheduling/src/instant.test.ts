import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInstant } from './instant.ts'

it('reads every instant of four-digit years as Date.parse does', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime())
      },
    ),
  )
})

it.each([
  '2026-06-01T10:00:00Z',
  '2026-06-01T10:00:00.5Z',
  '2026-06-01T23:59:59.999Z',
  '2026-06-01T24:00:00.000Z',
  '2026-12-31T00:00:00.001Z',
  '2024-02-29T12:00:00.000Z',
  '2026-02-30T12:00:00.000Z',
  '0050-01-01T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
])('reads %s as Date.parse does', (text) => {
  expect(parseInstant(text)).toBe(Date.parse(text))
})

it.each([
  '2026-00-01T10:00:00.000Z',
  '2026-13-01T10:00:00.000Z',
  '2026-06-00T10:00:00.000Z',
  '2026-06-32T10:00:00.000Z',
  '2026-06-01T24:00:00.001Z',
  '2026-06-01T25:00:00.000Z',
  '2026-06-01T10:60:00.000Z',
  '2026-06-01T10:00:60.000Z',
  '2026-06-01T10:00:00.0000Z',
  '2026-06-01T10:00:00.000',
  '2026-06-01T10:00:00.000+00:00',
  '2026-06-01',
  '',
])('refuses %j', (text) => {
  expect(() => parseInstant(text)).toThrow(RangeError)
})
