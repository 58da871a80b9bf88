import { expect, it } from 'vitest'
import { textOfValue } from './value-words.ts'

it('an address is written as its country does, with the name of the country', () => {
  const address = { line1: '1 Main St', city: 'Springfield', region: 'IL', postalCode: '62704', country: 'US' }
  expect(textOfValue({ type: 'ADDRESS', options: [], group: 'MAIN' }, address, {})).toBe(
    '1 Main St, Springfield, IL 62704, United States',
  )
})
