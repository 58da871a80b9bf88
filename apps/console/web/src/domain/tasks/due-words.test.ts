import { afterAll, beforeAll, expect, it } from 'vitest'
import { setClock } from '../../base/moments.ts'
import { wordsOf } from '../../base/day-words.ts'
import { readDue } from './due-words.ts'

beforeAll(() => setClock({ zone: 'Europe/Berlin' }))
afterAll(() => setClock({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone }))

/** A Wednesday. */
const now = Date.parse('2026-11-25T11:30:00Z')

it.each([
  ['today', '2026-11-25T16:00:00.000Z'],
  ['Tomorrow 9', '2026-11-26T08:00:00.000Z'],
  ['tomorrow 9:30', '2026-11-26T08:30:00.000Z'],
  ['fri', '2026-11-27T16:00:00.000Z'],
  ['wednesday', '2026-12-02T16:00:00.000Z'],
  ['+3d', '2026-11-28T16:00:00.000Z'],
  ['2w', '2026-12-09T16:00:00.000Z'],
  ['2031-05-01 8.15', '2031-05-01T06:15:00.000Z'],
  ['31/12/2026', '2026-12-31T16:00:00.000Z'],
  ['31.12. 14:00', '2026-12-31T13:00:00.000Z'],
  ['tomorrow at 2pm', '2026-11-26T13:00:00.000Z'],
  ['fri 12:30 am', '2026-11-26T23:30:00.000Z'],
])('%s is a moment', (text, instant) => {
  expect(readDue(text, now)).toBe(instant)
})

it.each(['', 'soon', 'tomorrow 25', 'today at', 'tomorrow 13pm', 't', '+3', '2026-13-01'])('%j is none', (text) => {
  expect(readDue(text, now)).toBeUndefined()
})

it.each([
  ['de', 't', 'w', ['morgen 9', 'Do 9:00', '+1t 9']],
  ['fr', 'j', 's', ['demain 9h', 'jeudi 9h00', '+1j 9']],
  ['es', 'd', 's', ['manana 9', 'mañana 9', 'jue 9', '1d 9']],
  ['ru', 'д', 'н', ['завтра 9', 'чет 9', '+1д 9']],
] as const)('%s has words of its own', (locale, day, week, texts) => {
  const own = wordsOf(locale, { day, week })
  for (const text of texts) expect([text, readDue(text, now, [own])]).toEqual([text, '2026-11-26T08:00:00.000Z'])
  expect(readDue(`1${week} 9`, now, [own])).toBe('2026-12-02T08:00:00.000Z')
})
