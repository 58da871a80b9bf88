import { kindEntities } from '@crm/model'
import { expect, it } from 'vitest'
import { layoutOf, namesTitle, parentColumn } from './exports.columns.ts'

it.each(kindEntities)('lays out %s with every column once, ids first and times last', (entityType) => {
  const { columns, parts } = layoutOf(entityType, [{ key: 'size', type: 'NUMBER' }])
  const titles = columns.map(({ title }) => title)
  expect([titles[0], ...titles.slice(-3)]).toEqual(['id', 'cf_size', 'createdAt', 'updatedAt'])
  const named = titles.flatMap((title) => (/Ids?$/.test(title) ? [title, namesTitle(title)] : [title]))
  expect(named.filter((title, at) => named.indexOf(title) !== at)).toEqual([])
  for (const { columns: own } of parts) expect(own.length).toBeGreaterThan(2)
})

it('holds addresses in parts, several values in one cell, and tables in files of their own', () => {
  const contact = layoutOf('CONTACT', [])
  const record = {
    address: { line1: 'Hauptstr. 1', city: 'Berlin' },
    emails: ['b@example.com', 'c@example.com'],
    messengers: [{ type: 'SIGNAL', handle: '+4930123456' }],
    socials: { linkedin: 'https://example.com/ada' },
  }
  const read = (title: string) => contact.columns.find((column) => column.title === title)?.read(record)
  expect(read('address.line1')).toBe('Hauptstr. 1')
  expect(read('address.postalCode')).toBeUndefined()
  expect(read('emails')).toEqual(['b@example.com', 'c@example.com'])
  expect(read('messengers')).toEqual(['SIGNAL:+4930123456'])
  expect(read('socials')).toEqual(['linkedin:https://example.com/ada'])
  expect(contact.parts).toEqual([])
  expect(layoutOf('DEAL', []).parts).toEqual([
    { field: 'items', columns: ['productId', 'name', 'quantity', 'unitPrice', 'discount'] },
  ])
  expect(layoutOf('INVOICE', []).parts.map(({ field }) => field)).toContain('items')
  expect(parentColumn('PRICE_LIST')).toBe('priceListId')
})
