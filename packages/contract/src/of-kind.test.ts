import { defineKind, money, parts, reference, references, text, choice, instant, type Kind } from '@crm/model'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from './of-kind.ts'

const warranty = defineKind({
  entity: 'WARRANTY',
  noun: 'warranty',
  plural: 'warranties',
  stem: 'warranties',
  module: null,
  icon: 'documents',
  title: ['name'],
  list: { columns: ['name'] },
  main: ['name'],
  fields: {
    name: text({ max: 10, presence: 'required', holds: 'prose', sort: true }),
    status: choice({ values: ['OPEN', 'OVER'], presence: 'always', bulk: true, filter: true }),
    dealId: reference({ to: 'DEAL', filter: true }),
    memberIds: references({ to: 'EMPLOYEE', max: 2, presence: 'always', filter: 'memberId' }),
    price: money({ unsigned: true, lasting: true, filter: 'price' }),
    startsAt: instant({ filter: 'starts', sort: true }),
    endedAt: instant({ written: 'never' }),
    lines: parts({ presence: 'always', written: 'create', holds: 'prose' }, z.array(z.string()), z.array(z.string())),
  },
} satisfies Kind)

const id = '01890000-0000-7000-8000-000000000000'

it('takes what people write into a new record, and asks for what it needs', () => {
  const input = inputOf(warranty)
  expect(input.parse({ name: ' One ', dealId: null, lines: ['a'] })).toEqual({
    name: 'One',
    dealId: null,
    lines: ['a'],
  })
  expect(Object.keys(input.shape)).not.toContain('endedAt')
  expect(input.safeParse({ status: 'OPEN' }).error?.issues).toMatchObject([{ path: ['name'] }])
  expect(input.safeParse({ name: 'x'.repeat(11) }).success).toBe(false)
  expect(input.safeParse({ name: 'One', endedAt: null }).success).toBe(false)
})

it('changes any part, clears what may be empty, and nothing that only a new record takes', () => {
  const patch = patchOf(warranty)
  expect(patch.parse({ startsAt: null, version: 3 })).toEqual({ startsAt: null, version: 3 })
  for (const refused of [{ name: null }, { status: null }, { price: null }, { price: '-1' }, { lines: [] }])
    expect(patch.safeParse(refused).success, JSON.stringify(refused)).toBe(false)
})

it('gives many records only what may be given to many', () => {
  expect(Object.keys(bulkSetOf(warranty).shape)).toEqual(['status', 'ownerId'])
})

it('shows every field, null where a record may lack it', () => {
  const { shape } = recordOf(warranty)
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(['id', 'version', ...Object.keys(warranty.fields)]))
  expect(Object.keys(shape)).not.toContain('customFields')
  expect(shape.endedAt.safeParse(null).success).toBe(true)
  expect(shape.status.safeParse(null).success).toBe(false)
})

it('narrows and sorts lists', () => {
  const filters = filtersOf(warranty)
  expect(Object.keys(filters)).toEqual([
    'status',
    'dealId',
    'memberId',
    'priceMin',
    'priceMax',
    'startsFrom',
    'startsTo',
  ])
  expect(z.object(filters).parse({ status: 'OPEN,OVER', dealId: `${id},none` })).toEqual({
    status: ['OPEN', 'OVER'],
    dealId: [id, null],
  })
  expect(z.object(filters).safeParse({ status: 'none' }).success).toBe(false)
  expect(sortFieldsOf(warranty)).toEqual(['createdAt', 'updatedAt', 'name', 'startsAt'])
})
