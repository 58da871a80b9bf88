import { expect, it } from 'vitest'
import { describeMoney } from './money.ts'

it('shows amounts in their currency, exactly', () => {
  expect(describeMoney('1250.50', 'EUR')).toBe('€1,250.50')
  expect(describeMoney('1250.00', 'USD')).toBe('$1,250')
  expect(describeMoney('123456789012.34', 'EUR')).toBe('€123,456,789,012.34')
  expect(describeMoney('7.5', null)).toBe('7.50')
  expect(describeMoney(null, 'EUR')).toBeNull()
})
