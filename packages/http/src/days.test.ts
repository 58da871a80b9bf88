import { rangeParam } from '@crm/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { boundOfDay, withDaysOf } from './days.ts'

it.each([
  ['2026-06-01', 'from', 'UTC', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01', 'to', 'UTC', '2026-06-01T23:59:59.999Z'],
  ['2026-06-01', 'from', 'Europe/Berlin', '2026-05-31T22:00:00.000Z'],
  ['2026-06-01', 'to', 'Europe/Berlin', '2026-06-01T21:59:59.999Z'],
  ['2026-06-01', 'from', 'America/New_York', '2026-06-01T04:00:00.000Z'],
  // 23 and 25 hours.
  ['2026-03-29', 'to', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'to', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
  ['2026-06-01T10:00:00Z', 'from', 'Europe/Berlin', '2026-06-01T10:00:00Z'],
  ['2026-02-31', 'from', 'Europe/Berlin', '2026-02-31'],
  ['tomorrow', 'from', 'Europe/Berlin', 'tomorrow'],
] as const)('%s as %s in %s', (value, bound, timezone, expected) => {
  expect(boundOfDay(value, bound, timezone)).toBe(expected)
})

it('changes ranges and nothing else', () => {
  const query = z.object({ createdFrom: rangeParam('from').optional(), createdTo: rangeParam('to'), dueFrom: z.iso.date().optional(), search: z.string().optional() })
  const params = { createdFrom: '2026-06-01', createdTo: '2026-06-01', dueFrom: '2026-06-01', search: '2026-06-01', other: '2026-06-01', many: ['2026-06-01'] }
  expect(withDaysOf(query, params, 'Europe/Berlin')).toEqual({ ...params, createdFrom: '2026-05-31T22:00:00.000Z', createdTo: '2026-06-01T21:59:59.999Z' })
})
