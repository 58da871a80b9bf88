import type { WorkflowStep } from '@crm/contract'
import { expect, it } from 'vitest'
import { flowOf } from './flow.ts'

const wait = (key: string): WorkflowStep => ({ key, name: '', type: 'DELAY', minutes: 1 })
const fork: WorkflowStep = { key: 'fork', name: '', type: 'CONDITION', if: [], then: [wait('yes')], else: [] }
const lines = (isEditable: boolean, steps: readonly WorkflowStep[]) =>
  flowOf(steps, isEditable).edges.map(({ from, to, branch }) => `${from} > ${to}${branch ? ` (${branch})` : ''}`)

it('leads the branches of a fork together again', () => {
  expect(lines(false, [fork, wait('last')])).toEqual([
    'trigger > 0',
    '0 > 0.then.0 (then)',
    '0.then.0 > 1',
    '0 > 1 (else)',
  ])
})

it('has a place for a new step before, between and after all others', () => {
  expect(lines(true, [fork])).toEqual([
    'trigger > add:0',
    'add:0 > 0',
    '0 > add:0.then.0 (then)',
    'add:0.then.0 > 0.then.0',
    '0.then.0 > add:0.then.1',
    '0 > add:0.else.0 (else)',
    'add:0.then.1 > add:1',
    'add:0.else.0 > add:1',
  ])
  expect(lines(true, [])).toEqual(['trigger > add:0'])
})
