import { expect, it } from 'vitest'
import { matching, mentionedIn, openMention, withMention } from './mentions.ts'

const ada = { id: '1', name: 'Ada King' }
const grace = { id: '2', name: 'Grace Hopper' }

it.each([
  ['@', 1, { at: 0, typed: '' }],
  ['Ask @gr', 7, { at: 4, typed: 'gr' }],
  ['Ask @Grace Ho', 13, { at: 4, typed: 'Grace Ho' }],
  ['(@a', 3, { at: 1, typed: 'a' }],
  ['ada@engines', 11, null],
  ['Ask @ada\nnow', 12, null],
  ['Ask @ ada', 9, null],
  ['None', 7, null],
])('sees in “%s” at %i the mention %o', (text, caret, mention) => expect(openMention(text, caret)).toEqual(mention))

it('finds people by any word of their name', () => {
  expect(matching([ada, grace], 'ho')).toEqual([grace])
  expect(matching([ada, grace], 'race')).toEqual([])
  expect(matching([ada, grace], '')).toEqual([ada, grace])
})

it('writes the name, and knows who is still mentioned', () => {
  expect(withMention('Ask @gr about it', { at: 4, typed: 'gr' }, grace.name)).toEqual({
    text: 'Ask @Grace Hopper about it',
    caret: 18,
  })
  expect(mentionedIn('Ask @Grace Hopper', [ada, grace, grace])).toEqual(['2'])
})
