import { expect, it } from 'vitest'
import { feedFilters, foldEntries } from './feed-entries.ts'

const entry = (minute: number, field: string, from: string, to: string, more = {}) => ({
  kind: 'UPDATED',
  entityId: '1',
  occurredAt: new Date(Date.UTC(2026, 10, 23, 12, minute)).toISOString(),
  actor: { id: 'ada', name: 'Ada' },
  source: 'UI',
  changes: [{ field, from, to }],
  ...more,
})

it('folds what one person changed within ten minutes, from the first value to the last', () => {
  const folded = foldEntries([entry(9, 'name', 'B', 'C'), entry(5, 'phone', '1', '2'), entry(0, 'name', 'A', 'B')])
  expect(folded).toHaveLength(1)
  expect(folded[0]).toMatchObject({
    occurredAt: '2026-11-23T12:09:00.000Z',
    changes: [
      { field: 'name', from: 'A', to: 'C' },
      { field: 'phone', from: '1', to: '2' },
    ],
  })
})

it.each([
  ['eleven minutes later', entry(11, 'name', 'B', 'C')],
  ['somebody else', entry(5, 'name', 'B', 'C', { actor: { id: 'bo', name: 'Bo' } })],
  ['another record', entry(5, 'name', 'B', 'C', { entityId: '2' })],
  ['another kind', entry(5, 'name', 'B', 'C', { kind: 'STAGE_CHANGED' })],
  ['another way', entry(5, 'name', 'B', 'C', { source: 'API' })],
])('keeps the entry of %s apart', (_what, newer) => {
  expect(foldEntries([newer, entry(0, 'name', 'A', 'B')])).toHaveLength(2)
})

it('shows no kind of entry under two filters', () => {
  const kinds = Object.values(feedFilters).flat()
  expect(new Set(kinds).size).toBe(kinds.length)
})
