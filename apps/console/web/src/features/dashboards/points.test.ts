import { expect, it } from 'vitest'
import { describeBriefly, describeFigure, describeMeasure, namedRows, pointsOf } from './points.ts'

const group = (value: string | null, status: string, amount: string) => ({
  by: [{ value }, { value: status }],
  count: 1,
  sum: { amount: { EUR: amount } },
})

it('makes a series of a second dimension, and leaves no month out', () => {
  const groupBy = ['closedAt:month', 'status']
  const groups = [group('2025-12', 'LOST', '5'), group('2026-02', 'LOST', '7'), group('2026-02', 'WON', '9')]
  const rows = namedRows({ groups }, { resource: 'deals', query: {}, groupBy, measures: ['sum:amount'] })
  expect(rows.map(({ label }) => label)).toEqual(['Dec 2025 · Lost', 'Feb 2026 · Lost', 'Feb 2026 · Won'])
  const { points, series } = pointsOf(rows, groupBy)
  expect(points.map(({ label, values }) => [label, values])).toEqual([
    ['Dec 2025', { LOST: 5 }],
    ['Jan 2026', {}],
    ['Feb 2026', { LOST: 7, WON: 9 }],
  ])
  expect(series.map(({ label }) => label)).toEqual(['Lost', 'Won'])
})

it('says numbers and measures in words', () => {
  expect([describeFigure(1234.5, null), describeFigure(1234.5, 'EUR'), describeBriefly(1_250_000, 'EUR')]).toEqual([
    '1,234.5',
    '€1,235',
    '€1.3M',
  ])
  const labelOf = () => 'Amount'
  expect(['count', 'sum:amount', 'weighted:amount'].map((one) => describeMeasure(one, labelOf))).toEqual([
    'Count',
    'Sum of amount',
    'Weighted amount',
  ])
})
