import { describe, expect, it } from 'vitest'
import { matchesIn, type Sample } from './search.sample.ts'

const sample: Sample = {
  newest: ['anna keller', 'anna', 'keller'],
  sampled: [{ text: 'anna keller', since: null }, { text: 'bert', since: 'the time of 1' }, { text: 'keller, anna', since: 'the time of 2' }],
  beginnings: [],
  fullFrom: null,
}

describe('the matches in a sample', () => {
  it('hold every word, and tell where they stand', () => {
    expect(matchesIn(sample, [['keller', 'anna']])).toEqual({ newestMatches: 1, sampledMatches: [{ place: 1, since: null }, { place: 3, since: 'the time of 2' }] })
  })

  it('hold a text in any of its forms', () => {
    expect(matchesIn(sample, [['bert'], ['anna', 'keller,']])).toEqual({ newestMatches: 0, sampledMatches: [{ place: 2, since: 'the time of 1' }, { place: 3, since: 'the time of 2' }] })
  })

  it('are none of what nobody holds', () => {
    expect(matchesIn(sample, [['kellerx']])).toEqual({ newestMatches: 0, sampledMatches: [] })
  })
})
