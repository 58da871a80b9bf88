import { expect, it } from 'vitest'
import { looksOf } from './run-look.ts'
import type { WorkflowStep } from './steps.ts'

const wait = (key: string): WorkflowStep => ({ key, name: '', type: 'DELAY', minutes: 1 })
const fork: WorkflowStep = { key: 'fork', name: '', type: 'CONDITION', if: [], then: [wait('yes')], else: [wait('no')] }
const done = (position: string, state: string) => ({ position, state })
const texts = (state: string, steps: readonly object[]) =>
  [...looksOf({ state, steps } as unknown as Parameters<typeof looksOf>[0], [fork, wait('last')])].map(
    ([position, { text, tone }]) => `${position} ${text} ${tone}`,
  )

it('shows what a run did at each step, and where it never came', () => {
  expect(texts('FAILED', [done('0', 'SUCCEEDED'), done('0.then.0', 'FAILED')])).toEqual([
    '0 Done green',
    '0.then.0 Failed red',
    '0.else.0 Not reached neutral',
    '1 Not reached neutral',
  ])
  expect(texts('WAITING', [done('0', 'SUCCEEDED'), done('0.then.0', 'RUNNING')])[1]).toBe('0.then.0 Waiting amber')
  expect(texts('RUNNING', [done('0', 'RUNNING')])[0]).toBe('0 Running blue')
})
