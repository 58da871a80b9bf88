import { expect, it } from 'vitest'
import { withDaysAhead } from './in-days.ts'

const noonInBerlin = { at: Date.parse('2026-11-27T11:00:00Z'), timezone: 'Europe/Berlin' }

it('counts days from the day on which the step runs, by the clocks of the workspace', () => {
  expect(withDaysAhead('TASK', { title: 'Call', dueAt: { inDays: 0 } }, noonInBerlin)).toEqual({
    title: 'Call',
    dueAt: '2026-11-27T16:00:00.000Z',
  })
  expect(withDaysAhead('TASK', { dueAt: { inDays: 200 } }, noonInBerlin)).toEqual({ dueAt: '2027-06-15T15:00:00.000Z' })
  expect(withDaysAhead('DEAL', { expectedCloseDate: { inDays: 30 } }, noonInBerlin)).toEqual({
    expectedCloseDate: '2026-12-27',
  })
})

it('is never over when the step runs', () => {
  const evening = { ...noonInBerlin, at: Date.parse('2026-11-27T20:00:00Z') }
  expect(withDaysAhead('TASK', { dueAt: { inDays: 0 } }, evening)).toEqual({ dueAt: '2026-11-27T22:59:00.000Z' })
})

it.each([{ inDays: -1 }, { inDays: 1.5 }, { inDays: 'two' }, { inDays: 1, at: '09:00' }, '2026-11-27', null])(
  'leaves %j for the API to judge',
  (dueAt) => {
    expect(withDaysAhead('TASK', { dueAt }, noonInBerlin)).toEqual({ dueAt })
  },
)

it('leaves fields without a day', () => {
  expect(withDaysAhead('TASK', { title: { inDays: 1 } }, noonInBerlin)).toEqual({ title: { inDays: 1 } })
})
