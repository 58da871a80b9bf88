import { describe, expect, it } from 'vitest'
import type { Condition, ConditionOp, JsonValue } from './index.ts'
import { evaluateConditions } from './index.ts'

const data = {
  status: 'NEW',
  amount: '1250.00',
  score: 40,
  phone: '007',
  tags: ['vip', 'eu'],
  closeDate: '2026-03-01',
  createdAt: '2026-03-01T10:00:00.000Z',
  empty: null,
  isHot: true,
  changes: [
    { field: 'stageId', from: 's1', to: 's2' },
    { field: 'amount', from: '5.00', to: '1250.00' },
    { field: 'ownerId', from: 'e1', to: null },
  ],
}
const holds = (field: string, op: ConditionOp, value: JsonValue, on: unknown = data) =>
  evaluateConditions([{ field, op, value }], on)

describe('evaluateConditions', () => {
  it.each<[string, ConditionOp, JsonValue, boolean]>([
    ['status', 'EQ', 'NEW', true],
    ['status', 'EQ', 'new', false],
    ['amount', 'EQ', 1250, true],
    ['amount', 'EQ', '1250', false],
    ['phone', 'EQ', '7', false],
    ['isHot', 'EQ', true, true],
    ['isHot', 'EQ', 1, false],
    ['empty', 'EQ', null, true],
    ['missing', 'EQ', null, true],
    ['empty', 'EQ', 0, false],
    ['tags', 'EQ', ['vip', 'eu'], true],
    ['status', 'NE', 'OLD', true],
    ['missing', 'NE', 'x', true],
    ['status', 'NE', 'NEW', false],
    ['status', 'IN', ['OLD', 'NEW'], true],
    ['score', 'IN', ['40'], true],
    ['status', 'IN', [], false],
    ['status', 'IN', 'NEW', false],
    ['score', 'GT', 39, true],
    ['score', 'GT', 40, false],
    ['amount', 'GT', '999.99', true],
    ['amount', 'LT', 1250.01, true],
    ['missing', 'LT', 5, false],
    ['status', 'GT', 1, false],
    ['isHot', 'GT', 0, false],
    ['closeDate', 'GT', '2026-02-28', true],
    ['createdAt', 'LT', '2026-03-01T11:30:00+02:00', false],
    ['createdAt', 'GT', '2026-03-01', true],
    ['status', 'LT', 'OLD', false],
    ['status', 'CONTAINS', 'EW', true],
    ['tags', 'CONTAINS', 'vip', true],
    ['tags', 'CONTAINS', 'vi', false],
    ['score', 'CONTAINS', 4, false],
    ['missing', 'CONTAINS', '', false],
    ['stageId', 'CHANGED_TO', 's2', true],
    ['stageId', 'CHANGED_TO', 's1', false],
    ['amount', 'CHANGED_TO', 1250, true],
    ['ownerId', 'CHANGED_TO', null, true],
    ['status', 'CHANGED_TO', 'NEW', false],
  ])('%s %s %j is %s', (field, op, value, expected) => {
    expect(holds(field, op, value)).toBe(expected)
  })

  it('wants all to hold, and none at all holds', () => {
    const both: Condition[] = [
      { field: 'score', op: 'GT', value: 1 },
      { field: 'status', op: 'EQ', value: 'OLD' },
    ]
    expect(evaluateConditions(both, data)).toBe(false)
    expect(evaluateConditions(both.slice(0, 1), data)).toBe(true)
    expect(evaluateConditions([], data)).toBe(true)
  })

  it('finds the changes of an event under data too', () => {
    expect(holds('data.stageId', 'CHANGED_TO', 's2', { event: 'deal.updated', data })).toBe(true)
    expect(holds('stageId', 'CHANGED_TO', 's2', { event: 'deal.updated', data })).toBe(true)
  })

  it('calls an entry from a value to the same value no change', () => {
    expect(holds('a', 'CHANGED_TO', 1, { changes: [{ field: 'a', from: 1, to: 1 }] })).toBe(false)
  })

  it('survives data of any shape', () => {
    for (const odd of [null, undefined, 5, { changes: 'x' }, { changes: [null, 1, {}] }])
      expect(holds('a', 'CHANGED_TO', 'x', odd)).toBe(false)
    expect(holds('__proto__', 'EQ', null)).toBe(true)
    expect(holds('a b c', 'NE', null)).toBe(false)
  })
})
