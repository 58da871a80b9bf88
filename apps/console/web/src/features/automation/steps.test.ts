import type { WorkflowStep } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import {
  choiceOf,
  endOf,
  movedPosition,
  movedStep,
  newStep,
  placedSteps,
  positionIn,
  savedSteps,
  stepAt,
  stepChoices,
  stepsBefore,
  withoutStep,
  withStep,
  withStepAdded,
} from './steps.ts'

const wait = (key: string): WorkflowStep => ({ key, name: '', type: 'DELAY', minutes: 1 })
const fork: WorkflowStep = {
  key: 'fork',
  name: '',
  type: 'CONDITION',
  if: [],
  then: [wait('yes'), wait('yes2')],
  else: [wait('no')],
}
const steps = [wait('first'), fork, wait('last')]
const keys = (list: readonly WorkflowStep[]) => placedSteps(list).map(({ step }) => step.key)

describe('the places of steps', () => {
  it('are those of runs, in reading order', () => {
    expect(placedSteps(steps).map(({ position, step }) => `${position} ${step.key}`)).toEqual([
      '0 first',
      '1 fork',
      '1.then.0 yes',
      '1.then.1 yes2',
      '1.else.0 no',
      '2 last',
    ])
    expect(stepAt(steps, '1.else.0')?.key).toBe('no')
    expect(stepAt(steps, '1.else.1')).toBeUndefined()
  })

  it('tell which steps are finished before: neither the fork around nor its other branch', () => {
    const before = (position: string) => stepsBefore(steps, position).map(({ step }) => step.key)
    expect(before('1.else.0')).toEqual(['first'])
    expect(before('1.then.1')).toEqual(['first', 'yes'])
    expect(before('2')).toEqual(['first', 'fork', 'yes', 'yes2', 'no'])
  })

  it('are found in the paths of problems', () => {
    expect(positionIn(['steps', 1, 'then', 0, 'values', 'title'])).toBe('1.then.0')
    expect(positionIn(['steps', '1', 'if', 0, 'field'])).toBe('1')
    expect(positionIn(['steps', 0, 'values'])).toBe('0')
    expect(positionIn(['trigger', 'event'])).toBe('trigger')
    expect(positionIn(['name'])).toBeUndefined()
  })
})

describe('a change to the steps', () => {
  it('replaces, adds and removes at any depth', () => {
    expect(keys(withStep(steps, '1.then.0', wait('new')))).toEqual(['first', 'fork', 'new', 'yes2', 'no', 'last'])
    expect(keys(withStepAdded(steps, '1.else.1', wait('new')))).toEqual([
      'first',
      'fork',
      'yes',
      'yes2',
      'no',
      'new',
      'last',
    ])
    expect(keys(withoutStep(steps, '1'))).toEqual(['first', 'last'])
  })

  it('moves a step within its list', () => {
    expect(movedPosition(steps, '1.then.0', 1)).toBe('1.then.1')
    expect(movedPosition(steps, '1.else.0', 1)).toBeUndefined()
    expect(movedPosition(steps, '0', -1)).toBeUndefined()
    expect(keys(movedStep(steps, '1', '0'))).toEqual(['fork', 'yes', 'yes2', 'no', 'first', 'last'])
    expect(keys(movedStep(steps, '0', '1'))).toEqual(['fork', 'yes', 'yes2', 'no', 'first', 'last'])
  })

  it('adds at the end of the workflow or of a branch', () => {
    expect(endOf(steps)).toBe('3')
    expect(endOf(steps, { position: '1', branch: 'then' })).toBe('1.then.2')
  })
})

describe('a new step', () => {
  const lead = { entityType: 'LEAD', isLinkable: true }

  it.each(stepChoices)('comes from its choice: %s', (choice) => {
    expect(choiceOf(newStep(choice, [], lead))).toBe(choice)
  })

  it('has a key of its own and begins with the record that starts the workflow', () => {
    const first = newStep('owner', steps, lead)
    expect(first).toMatchObject({ key: 'change', entityType: 'LEAD', id: '{{trigger.entityId}}' })
    expect(newStep('update', [...steps, first], lead).key).toBe('change2')
    expect(newStep('task', steps, lead)).toMatchObject({
      values: {
        assigneeId: '{{trigger.data.ownerId}}',
        dueAt: { inDays: 0 },
        links: [{ entityType: 'LEAD', entityId: '{{trigger.entityId}}' }],
      },
    })
    expect(newStep('task', steps, undefined)).toMatchObject({ values: { title: '' } })
    const booking = { entityType: 'BOOKING', isLinkable: false }
    expect(newStep('task', steps, booking)).toMatchObject({ values: { assigneeId: '{{trigger.data.organizerId}}' } })
  })

  it('is saved without the values that were left empty, as far as it creates a record', () => {
    const created = { ...newStep('create', [], lead), values: { lastName: 'X', email: null } } as WorkflowStep
    const updated = { ...newStep('update', [], lead), values: { email: null } } as WorkflowStep
    expect(savedSteps([created, updated])).toMatchObject([{ values: { lastName: 'X' } }, { values: { email: null } }])
    expect(savedSteps([created])[0]).not.toHaveProperty('values.email')
  })
})
