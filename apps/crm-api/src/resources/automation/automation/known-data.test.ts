import {
  changeEvents,
  publicContract,
  recordEntityTypes,
  recordOperations,
  shownRecord,
  type WorkflowStep,
} from '@crm/contract'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { dataOfEvent, dataOfStep, dataOfTrigger, mayCompare, mayHold } from './known-data.ts'

describe('the data of a run', () => {
  it.each([
    ['lead.created', 'data.createdAt', true],
    ['lead.created', 'data.customFields.region', true],
    ['lead.created', 'data.changes[0].field', true],
    ['lead.created', 'entityId', true],
    ['lead.created', 'created', false],
    ['lead.created', 'createdAt', false],
    ['lead.created', 'data.created', false],
    ['lead.created', 'data.email.domain', false],
    ['lead.converted', 'data.dealId', true],
    ['lead.created', 'data.payment', false],
    ['invoice.payment_recorded', 'data.payment.amount', true],
    ['booking.created', 'data.inviteeName', true],
    ['vehicle.created', 'data.values.plate', true],
    ['vehicle.created', 'data.plate', false],
  ])('of %s has %s: %s', (event, path, isThere) => {
    expect(mayHold(dataOfEvent(event), path)).toBe(isThere)
  })

  it('of a schedule is its time, and of a call anything', () => {
    expect(mayHold(dataOfTrigger({ type: 'MANUAL' }), 'a.b[0].c')).toBe(true)
    const schedule = dataOfTrigger({ type: 'SCHEDULE', at: '09:00' })
    expect([mayHold(schedule, 'scheduledFor'), mayHold(schedule, 'data')]).toEqual([true, false])
  })

  it('of a step is what it answers', () => {
    const of = (step: object, path: string) => mayHold(dataOfStep(step as WorkflowStep), path)
    const find = { type: 'FIND_RECORDS', entityType: 'DEAL' }
    expect(['first.amount', 'items[2].amount', 'total', 'amount', 'first.price'].map((path) => of(find, path))).toEqual(
      [true, true, true, false, false],
    )
    const set = { type: 'SET', values: { note: '' } }
    expect(['note', 'note.a', 'text'].map((path) => of(set, path))).toEqual([true, true, false])
    expect(of({ type: 'CONDITION' }, 'result')).toBe(true)
    expect(of({ type: 'HTTP_REQUEST' }, 'body.id')).toBe(true)
  })
})

it('lets conditions of events name fields as they stand in the record, in the event, and in steps', () => {
  const data = dataOfEvent('deal.updated')
  const known = ['amount', 'data.amount', 'trigger.data.amount', 'changes', 'event', 'data.price', 'price']
  expect(known.map((path) => mayCompare(data, path))).toEqual([true, true, true, true, true, false, false])
})

it('has a record for everything that happens, and in lists no field that the record does not have', () => {
  expect(changeEvents.filter(({ record }) => Object.keys(record.shape).length < 3)).toEqual([])
  const missing = recordEntityTypes().flatMap((entityType) => {
    const { list } = recordOperations(entityType) ?? {}
    const shown = shownRecord(entityType)
    const items = list?.reply.body instanceof z.ZodObject ? list.reply.body.shape['items'] : undefined
    if (shown === undefined || !(items instanceof z.ZodArray) || !(items.element instanceof z.ZodObject)) return []
    return Object.keys(items.element.shape)
      .filter((name) => !(name in shown.shape))
      .map((name) => `${entityType}.${name}`)
  })
  expect([Object.keys(publicContract).length > 0, missing]).toEqual([true, []])
})
