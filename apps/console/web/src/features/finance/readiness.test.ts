import { expect, it } from 'vitest'
import { missingOn } from './readiness.ts'

const address = { line1: '1 Main Street', city: 'Springfield' } as never
const item = {} as never
const own = { address, taxId: 'DE1', registrationNumber: null }
const invoice = { billingAddress: address, items: [item], dueDate: '2026-12-31' }

it('misses nothing on a document that says all', () => {
  expect(missingOn(invoice, own, null)).toEqual([])
  expect(missingOn({ ...invoice, billingAddress: null }, own, address)).toEqual([])
})

it('names what is missing, the most serious first', () => {
  const nobody = { address: null, taxId: null, registrationNumber: null }
  expect(missingOn({ billingAddress: null, items: [], dueDate: null }, nobody, null)).toEqual([
    'lines',
    'ownAddress',
    'taxNumber',
    'customerAddress',
    'dueDate',
  ])
  expect(missingOn({ billingAddress: address, items: [item], expiresAt: null }, own, null)).toEqual(['validUntil'])
})

it('takes a registration number for a tax number', () => {
  expect(missingOn(invoice, { ...own, taxId: null, registrationNumber: 'HRB 1' }, null)).toEqual([])
})
