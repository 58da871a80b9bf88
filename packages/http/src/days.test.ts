import { rangeParam } from '@crm/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { withDaysOf } from './days.ts'

it('changes ranges and nothing else', () => {
  const query = z.object({ createdFrom: rangeParam('from').optional(), createdTo: rangeParam('to'), dueFrom: z.iso.date().optional(), search: z.string().optional() })
  const params = { createdFrom: '2026-06-01', createdTo: '2026-06-01', dueFrom: '2026-06-01', search: '2026-06-01', other: '2026-06-01', many: ['2026-06-01'] }
  expect(withDaysOf(query, params, 'Europe/Berlin')).toEqual({ ...params, createdFrom: '2026-05-31T22:00:00.000Z', createdTo: '2026-06-01T21:59:59.999Z' })
})
