import { describe, expect, it } from 'vitest'
import { guessOf, isNear } from './search.near.ts'

describe('near', () => {
  it.each([
    ['anna', 'anna'],
    ['keler', 'keller'],
    ['zimemrmann', 'zimmermann'],
    ['kelller', 'keller'],
    ['kellar', 'keller'],
    ['mueler', 'mueller'],
    ['schmitd', 'schmidt'],
    ['internationl', 'international'],
    ['internatoinal', 'international'],
    ['intrnatinal', 'international'],
  ])('is %s for %s', (word, other) => expect(isNear(word, other)).toBe(true))

  it.each([
    ['five letters, two edits', 'berln', 'berrin'],
    ['nine letters, three edits', 'nordwinde', 'nordwxyzde'],
    ['less than three tenths alike', 'kelelr', 'keller'],
    ['another word', 'keller', 'zimmer'],
  ])('is not %s: %s for %s', (_what, word, other) => expect(isNear(word, other)).toBe(false))
})

describe('what may be misspelled', () => {
  it.each([
    ['Keller', { words: ['Keller'], others: '' }],
    ['the Keller of 2031', { words: ['Keller'], others: 'the of 2031' }],
    ['zoe@muller.example', { words: ['muller', 'example'], others: 'zoe' }],
    ['Ümit łukasz', { words: ['Ümit', 'łukasz'], others: '' }],
  ])('of %s', (text, guess) => expect(guessOf(text)).toEqual(guess))

  it.each(['abc', 'ab cd', '+49 151 23456789', '2031 2032', '%%%%', '   '])('nothing of %j', (text) =>
    expect(guessOf(text)).toBeUndefined(),
  )
})
