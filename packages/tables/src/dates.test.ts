import { expect, it } from 'vitest'
import { ordersOf, readDay, readInstant, type DateOrder } from './dates.ts'

it.each<[string, DateOrder, string]>([
  ['2024-04-03', 'day first', '2024-04-03'],
  ['2024/4/3', 'month first', '2024-04-03'],
  ['20240403', 'day first', '2024-04-03'],
  ['03/04/2026', 'day first', '2026-04-03'],
  ['03/04/2026', 'month first', '2026-03-04'],
  ['3.4.26', 'day first', '2026-04-03'],
  ['3. 4. 2026', 'day first', '2026-04-03'],
  ['03-04-99', 'day first', '1999-04-03'],
  ['01/02/49', 'day first', '2049-02-01'],
  ['01/02/50', 'day first', '1950-02-01'],
  ['09 Oct 2024', 'month first', '2024-10-09'],
  ['Oct 9, 2024', 'day first', '2024-10-09'],
  ['Wed, 09 Oct 2024', 'day first', '2024-10-09'],
  ['9. März 2024', 'day first', '2024-03-09'],
  ['1. Jänner 2024', 'day first', '2024-01-01'],
  ['03.04.2024', 'month first', '2024-04-03'],
  ['9 août 2024', 'day first', '2024-08-09'],
  ['9 aout 2024', 'day first', '2024-08-09'],
  ['9 de agosto de 2024', 'day first', '2024-08-09'],
  ['9 мая 2024 г.', 'day first', '2024-05-09'],
  ['9-Feb-24', 'day first', '2024-02-09'],
  ['2024-04-03T00:00:00Z', 'day first', '2024-04-03'],
  ['29.02.2024', 'day first', '2024-02-29'],
  ['2024年4月3日', 'month first', '2024-04-03'],
  ['2024年4月3日（水）', 'day first', '2024-04-03'],
  ['2024년 4월 3일', 'day first', '2024-04-03'],
  ['2024. 4. 3.', 'month first', '2024-04-03'],
  ['２０２４／０４／０３', 'day first', '2024-04-03'],
  ['٠٣/٠٤/٢٠٢٤', 'day first', '2024-04-03'],
  ['২০২৪-০৪-০৩', 'day first', '2024-04-03'],
  ['03/04/2024\u200e', 'day first', '2024-04-03'],
])('%s, the %s, is %s', (text, order, day) => {
  expect(readDay(text, order)).toEqual({ value: day })
})

it.each<[string, DateOrder, string]>([
  ['29.02.2023', 'day first', '“29.02.2023” is no date'],
  ['29/04/2026', 'month first', '“29/04/2026” is no date with the month first'],
  ['۱۴۰۵/۰۹/۰۷', 'day first', '“۱۴۰۵/۰۹/۰۷” is no date'],
  ['tomorrow', 'day first', '“tomorrow” is no date'],
  ['2024-04-03 14:30', 'day first', '“2024-04-03 14:30” has a time of day, where only a day is meant'],
  ['03/04-2026', 'day first', '“03/04-2026” is no date'],
  ['2024-04-03 25:00', 'day first', '“2024-04-03 25:00” is no date'],
  ['2024-04-03 13:00 PM', 'day first', '“2024-04-03 13:00 PM” is no date'],
])('%s, the %s, is refused', (text, order, problem) => {
  expect(readDay(text, order)).toMatchObject({ problem })
})

it.each<[string, string, string]>([
  ['2024-04-03T14:30:00Z', 'Europe/Berlin', '2024-04-03T14:30:00.000Z'],
  ['2024-04-03 14:30:00 +0200', 'UTC', '2024-04-03T12:30:00.000Z'],
  ['03.04.2024 14:30', 'Europe/Berlin', '2024-04-03T12:30:00.000Z'],
  ['03.04.2024, 14:30 Uhr', 'Europe/Berlin', '2024-04-03T12:30:00.000Z'],
  ['3/4/2024 2:30 PM', 'UTC', '2024-04-03T14:30:00.000Z'],
  ['3/4/2024 12:00 a.m.', 'UTC', '2024-04-03T00:00:00.000Z'],
  ['09 Oct 2024 at 2:05 pm', 'UTC', '2024-10-09T14:05:00.000Z'],
  ['03.04.2024', 'Europe/Berlin', '2024-04-02T22:00:00.000Z'],
  ['31.03.2024 02:30', 'Europe/Berlin', '2024-03-31T01:30:00.000Z'],
  ['2026-04-03T10:30:05.288Z', 'UTC', '2026-04-03T10:30:05.288Z'],
  ['2026-04-03 10:30:05,5', 'UTC', '2026-04-03T10:30:05.500Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(readInstant(text, 'day first', zone)).toEqual({ value: instant })
})

it('a moment that is none is refused', () => {
  expect(readInstant('soon', 'day first', 'UTC')).toMatchObject({ problem: '“soon” is no date' })
})

it.each<[string, string[], DateOrder[]]>([
  ['one date decides', ['03/04/2026', '29/04/2026'], ['day first']],
  ['one date decides the other way', ['03/04/2026', '04/29/2026'], ['month first']],
  ['nothing decides', ['03/04/2026', '05/06/2026'], ['day first', 'month first']],
  ['two dates contradict', ['29/04/2026', '04/29/2026'], []],
  ['what is no date decides nothing', ['03/04/2026', 'soon', '29/04/2026'], ['day first']],
])('the order of day and month: %s', (_, texts, orders) => {
  expect(ordersOf(texts)).toEqual(orders)
})
