import { expect, it } from 'vitest'
import { hueOf, initialsOf } from './initials.ts'

it.each([
  ['Ada King', 'AK'],
  ['Ada', 'A'],
  ['Grace Brewster Murray Hopper', 'GH'],
  ['ada@engines.example', 'AE'],
  ['(unknown) “Zoë”', 'UZ'],
  ['عمر الخيام', 'عا'],
  ['李 小龙', '李小'],
  ['', '?'],
])('takes of “%s” the letters %s', (name, initials) => expect(initialsOf(name)).toBe(initials))

it('gives a name one of twelve colours, always the same', () => {
  const hues = Array.from({ length: 200 }, (_, at) => hueOf(`Person ${at}`))
  expect(new Set(hues)).toEqual(new Set(Array.from({ length: 12 }, (_, at) => at)))
  expect(hueOf('Ada King')).toBe(hueOf('Ada King'))
})
