import { expect, it } from 'vitest'
import { itemAmount, sumOfItems } from './deal-items.ts'

const item = (quantity: string, unitPrice: string, discount = '0') => ({ quantity, unitPrice, discount })

it('rounds each item half up at the digits of the currency before they are added', () => {
  expect(sumOfItems([item('1', '0.005'), item('1', '0.005')], 'EUR')).toBe('0.02')
  expect(sumOfItems([item('1.5', '333')], 'JPY')).toBe('500')
  expect(itemAmount(item('3', '10', '5.5'), 'EUR').toFixed()).toBe('24.5')
})

it('takes prices below zero, and comes to nothing without items', () => {
  expect(sumOfItems([item('2', '-10'), item('1', '5')], 'EUR')).toBe('-15.00')
  expect(sumOfItems([], 'EUR')).toBeNull()
})
