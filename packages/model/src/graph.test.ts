import { describe, expect, it } from 'vitest'
import {
  entitiesWith,
  everyRecord,
  fieldsOf,
  fieldOf,
  kindEntities,
  kinds,
  namesWith,
  paramsOf,
  referenceFields,
  referencesOf,
  referencesTo,
  referredFirst,
  referredLater,
  referringFirst,
  resourceName,
  targetOf,
  type Kind,
} from './index.ts'

describe('the kinds of record', () => {
  it.each(Object.entries<Kind>(kinds))('%s names its own fields only', (entity, kind) => {
    const { title, main, list, line, letter = [], defaults = {} } = kind
    const names = Object.keys(fieldsOf(entity))
    const said = [
      ...title,
      ...main,
      // The column of the title is called `name` in every list.
      ...list.columns.filter((name) => name !== 'name'),
      ...(list.sums ?? []),
      ...(line ? [line.note, ...(line.amount ? [line.amount] : [])] : []),
      ...letter.map((path) => path.split('.')[0]),
      ...Object.keys(defaults),
    ]
    expect(said.filter((name) => !names.includes(name ?? ''))).toEqual([])
    expect(kind.entity).toBe(entity)
    expect(Object.keys(kind.fields).filter((name) => name in everyRecord)).toEqual([])
  })

  it('have stems and nouns of their own', () => {
    for (const name of ['stem', 'noun', 'plural', 'entity'] as const)
      expect(new Set(Object.values<Kind>(kinds).map((kind) => kind[name])).size).toBe(kindEntities.length)
  })
})

describe('the graph of references', () => {
  it('knows the kinds and objects behind the fields', () => {
    expect(targetOf('DEAL', 'companyId')).toBe('COMPANY')
    expect(targetOf('COMPANY', 'parentId')).toBe('COMPANY')
    expect(targetOf('DEAL', 'currency')).toBe('CURRENCY')
    expect(targetOf('VEHICLE', 'ownerId')).toBe('EMPLOYEE')
    expect(targetOf('DEAL', 'name')).toBeUndefined()
    expect(fieldOf('DEAL', 'toString')).toBeUndefined()
  })

  it('finds what refers to a kind', () => {
    expect(referencesTo('PROJECT')).toEqual([
      { from: 'TASK', name: 'projectId', to: 'PROJECT', isList: false, keeps: false },
    ])
    expect(referencesTo('DEAL').filter(({ keeps }) => keeps)).toHaveLength(3)
  })

  it('finds what a kind refers to', () => {
    expect(referencesOf('PRICE_LIST')).toEqual([
      { from: 'PRICE_LIST', name: 'companyIds', to: 'COMPANY', isList: true, keeps: false },
    ])
    expect(referencesOf('VEHICLE')).toEqual([])
  })

  it('puts each kind before those that it refers to', () => {
    const order = referringFirst()
    const mutual = new Set(['LEAD DEAL', 'DEAL LEAD', 'ORDER INVOICE', 'INVOICE ORDER'])
    expect(order.toSorted()).toEqual(kindEntities.toSorted())
    for (const { from, to } of referenceFields) {
      const at = order.findIndex((entity) => entity === to)
      if (at !== -1 && from !== to && !mutual.has(`${from} ${to}`)) expect(order.indexOf(from)).toBeLessThan(at)
    }
  })

  it('says what comes into an empty workspace after the records that refer to it', () => {
    expect(referredFirst()).toEqual(referringFirst().toReversed())
    expect(referredLater('COMPANY')).not.toContain('CONTACT')
    expect(referredLater('CONTACT')).toEqual(['CONTACT'])
    const later = [...new Set([...referredLater('LEAD'), ...referredLater('DEAL')])]
    expect(later.toSorted()).toEqual(expect.arrayContaining(['DEAL', 'LEAD']))
  })

  it('tells the kinds and fields of which something is true', () => {
    expect(entitiesWith('numbered')).toEqual(['QUOTE', 'ORDER', 'INVOICE'])
    expect(entitiesWith('merged')).toEqual(['LEAD', 'CONTACT', 'COMPANY'])
    expect(namesWith(kinds.CONTACT.fields, 'preferred')).toContain('birthday')
    expect(namesWith(kinds.DEAL.fields, 'preferred')).toEqual([])
  })
})

it('names resources and the parameters of lists', () => {
  expect(resourceName('price-lists')).toBe('priceLists')
  expect(resourceName('deals')).toBe('deals')
  const { amount, status, closedAt, description } = kinds.DEAL.fields
  expect(paramsOf('amount', amount)).toEqual(['amountMin', 'amountMax'])
  expect(paramsOf('status', status)).toEqual(['status'])
  expect(paramsOf('closedAt', closedAt)).toEqual(['closedFrom', 'closedTo'])
  expect(paramsOf('memberIds', kinds.TASK.fields.memberIds)).toEqual(['memberId'])
  expect(paramsOf('description', description)).toEqual([])
})
