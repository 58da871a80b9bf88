import { describe, expect, it } from 'vitest'
import { choosePieces } from './search.pieces.ts'

/** Texts of which one in so many holds a piece. */
const texts = (shares: Readonly<Record<string, number>>) =>
  Array.from({ length: 400 }, (_, at) => Object.entries(shares).map(([piece, everyOf]) => (at % everyOf === 0 ? piece : '-')).join(' '))

describe('the pieces that the index is asked for', () => {
  it.each<[string, readonly string[], Readonly<Record<string, number>>, number, readonly string[]]>([
    ['one, if there is no other', ['exa'], { exa: 1 }, 0, ['exa']],
    ['two that nobody holds', ['example', 'amzyx'], { example: 1 }, 0, ['amz', 'mzy']],
    ['the rarest alone, if the others stand where it does', ['keller'], { keller: 20, ell: 10, ler: 7 }, 5_000, ['kel']],
    ['one of each word, if both are frequent', ['meri', 'robo'], { meri: 20, robo: 11 }, 1_000, ['mer', 'rob']],
    ['the rarest alone, if many of what holds it match', ['mer', 'rob'], { mer: 20, rob: 2 }, 50_000, ['mer']],
    ['one of each word, though the few that hold one hold the other by chance', ['cop', 'rob'], { 'cop rob': 200, rob: 100 }, 2_048, ['cop', 'rob']],
    ['none of a text that has none', ['😀', 'ab', '½%½'], {}, 0, []],
    ['letters and digits of every script', ['ж7δ'], {}, 0, ['ж7δ']],
  ])('are %s', (_what, terms, shares, matches, chosen) => {
    expect(choosePieces({ terms, texts: texts(shares), matches })).toEqual(chosen)
  })

  it('are none where too few texts are known', () => {
    expect(choosePieces({ terms: ['example'], texts: texts({}).slice(0, 29), matches: 0 })).toEqual([])
  })
})
