import { expect, it } from 'vitest'
import { amountOf, draftsOf, itemsOf, newItem, sumOfDrafts } from './deal-items-draft.ts'

const stored = [{ productId: null, name: 'Blade', quantity: '3', unitPrice: '10.50', discount: '0' }]

it('begins with what is stored and gives it back as it was', () => {
  expect(draftsOf(stored)).toMatchObject([{ name: 'Blade', discount: '' }])
  expect(itemsOf(draftsOf(stored))).toEqual(stored)
})

it('takes a comma for a point, and empty fields for the usual', () => {
  const draft = { ...newItem(), name: ' Advice ', unitPrice: ' 1.5', quantity: '' }
  expect(itemsOf([draft])).toEqual([
    { productId: null, name: 'Advice', quantity: '1', unitPrice: '1.5', discount: '0' },
  ])
  expect(amountOf(draft, 'EUR')).toBe('1.50')
})

it('adds up as soon as everything is a number', () => {
  expect(sumOfDrafts([], 'EUR')).toBe('0.00')
  expect(sumOfDrafts([...draftsOf(stored), { ...newItem(), unitPrice: '8', discount: '1' }], 'EUR')).toBe('38.50')
  expect(sumOfDrafts([{ ...newItem(), unitPrice: 'a lot' }], 'EUR')).toBeNull()
})
