import { personFilter, plainCalendar, rangeParam } from '@crm/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { withWordsOf } from './query-words.ts'

const query = z.object({
  createdFrom: rangeParam('from').optional(),
  createdTo: rangeParam('to'),
  dueFrom: z.iso.date().optional(),
  ownerId: personFilter.optional(),
  search: z.string().optional(),
})

it('changes ranges and nothing else', () => {
  const params = {
    createdFrom: '2026-06-01',
    createdTo: '2026-06-01',
    dueFrom: '2026-06-01',
    search: '2026-06-01',
    other: '2026-06-01',
    many: ['2026-06-01'],
  }
  expect(
    withWordsOf(query, params, { calendar: { timezone: 'Europe/Berlin', weekStart: 'MONDAY' }, employeeId: undefined }),
  ).toEqual({ ...params, createdFrom: '2026-05-31T22:00:00.000Z', createdTo: '2026-06-01T21:59:59.999Z' })
})

it('takes me for the asker where people are asked for, and for a word elsewhere', () => {
  const asker = { calendar: plainCalendar, employeeId: 'somebody' }
  expect(withWordsOf(query, { ownerId: 'me, none,other', search: 'me' }, asker)).toEqual({
    ownerId: 'somebody, none,other',
    search: 'me',
  })
})
