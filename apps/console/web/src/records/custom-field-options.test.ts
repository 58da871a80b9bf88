import { expect, it } from 'vitest'
import { keyFor, linesOf, optionsIn } from './custom-field-options.ts'

it('reads options from lines, and writes them as they were', () => {
  const lines = 'eu = Europe\n\n  Asia  \n'
  expect(optionsIn(lines)).toEqual([
    { value: 'eu', label: 'Europe' },
    { value: 'Asia', label: 'Asia' },
  ])
  expect(linesOf(optionsIn(lines))).toBe('eu = Europe\nAsia')
})

it.each([
  ['Contract value', 'contractValue'],
  ['Année de création', 'anneeDeCreation'],
  ['2nd choice', 'ndChoice'],
  ['!', ''],
])('makes of %j the key %j', (label, key) => {
  expect(keyFor(label)).toBe(key)
})
