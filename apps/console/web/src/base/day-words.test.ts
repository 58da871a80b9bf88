import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDay, readMoment, readTime, wordsOf } from './day-words.ts'
import { setClock } from './moments.ts'

beforeAll(() => setClock({ zone: 'Europe/Berlin' }))
afterAll(() => setClock({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone }))

/** A Wednesday. */
const now = '2026-11-25'
const letters = { day: 'd', week: 'w' }
const languages = ['en-GB', 'de', 'fr', 'es', 'ru'] as const

it.each(languages)('%s reads back the dates that it writes', (locale) => {
  const own = wordsOf(locale, letters)
  for (let month = 0; month < 12; month += 1)
    for (const style of ['short', 'medium', 'long'] as const) {
      const day = `2026-${String(month + 1).padStart(2, '0')}-28`
      const written = new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' }).format(Date.parse(day))
      expect([written, readDay(written, now, [own])]).toEqual([written, day])
    }
})

it.each([
  ['24.12.2026', '2026-12-24'],
  ['24.12.26', '2026-12-24'],
  ['24.12.', '2026-12-24'],
  ['1.2.', '2027-02-01'],
  ['31/12/2026', '2026-12-31'],
  ['2026-12-31', '2026-12-31'],
  ['2026/12/31', '2026-12-31'],
  ['２４．１２．２０２６', '2026-12-24'],
  ['morgen', '2026-11-26'],
  ['gestern', '2026-11-24'],
  ['fr', '2026-11-27'],
  ['+3d', '2026-11-28'],
  ['24. Dezember', '2026-12-24'],
])('%s is a day in German', (text, day) => {
  expect(readDay(text, now, [wordsOf('de', letters)])).toBe(day)
})

it('takes a date with numbers in the order of the language', () => {
  expect(readDay('12/24/2026', now, [wordsOf('en-US', letters)])).toBe('2026-12-24')
  expect(readDay('12/24/2026', now, [wordsOf('en-GB', letters)])).toBeUndefined()
})

it.each([
  '',
  'soon',
  '31.2.2026',
  '24.12.0204',
  '24.12.1220',
  '1.1.2999',
  '99.99.',
  '+3',
  '2026-13-01',
  '24 12 2026 9',
])('%j is no day, and no year that nobody means', (text) => {
  expect(readDay(text, now, [wordsOf('de', letters)])).toBeUndefined()
})

it.each([
  ['9', '09:00'],
  ['9:30', '09:30'],
  ['14h', '14:00'],
  ['2 pm', '14:00'],
  ['12am', '00:00'],
  ['25', undefined],
  ['9:75', undefined],
  ['13 pm', undefined],
])('%s is the time %s', (text, time) => {
  expect(readTime(text)).toBe(time)
})

it.each([
  ['morgen 9', '2026-11-26T09:00'],
  ['31.12.2026', '2026-12-31T17:00'],
  ['31.12.2026 9:15', '2026-12-31T09:15'],
  ['31. Dez. 2026, 14:00', '2026-12-31T14:00'],
  ['2026-12-31T08:00', '2026-12-31T08:00'],
  ['morgen 2 pm', '2026-11-26T14:00'],
  ['morgen um 14 Uhr', undefined],
  ['morgen um 14', '2026-11-26T14:00'],
  ['morgen um', undefined],
  ['9', undefined],
])('%s is the moment %s', (text, moment) => {
  expect(readMoment(text, '17:00', now, [wordsOf('de', letters)])).toBe(moment)
})
