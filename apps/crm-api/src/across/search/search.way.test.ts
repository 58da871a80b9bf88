import { describe, expect, it } from 'vitest'
import { decideWays, walkedRecordsMax, wayToFew, type WayFacts } from './search.way.ts'

const million = 1_000_000
const nobodyKnows = Infinity

/** Matches that stand at these places of the sample, each with the place before it for a time. */
const at = (...places: number[]) => places.map((place) => ({ place, since: place === 1 ? null : `the time of ${place - 1}` }))
const run = (from: number, length: number, step = 1) => at(...Array.from({ length }, (_, n) => from + n * step))
const fromNewest = (records: number) => ({ since: null, records })
const from = (place: number) => ({ since: `the time of ${place - 1}`, records: walkedRecordsMax })

describe('the ways to what matches a text', () => {
  it.each<[string, Partial<WayFacts> & { limit?: number }, ReturnType<typeof decideWays>]>([
    ['a rare text', {}, ['INDEX']],
    ['a frequent text', { newestMatches: 50, sampledMatches: run(1, 50, 10) }, [fromNewest(3_907), 'INDEX']],
    ['a frequent text of not so many records', { newestMatches: 100, present: 20_000 }, [fromNewest(2_000), 'INDEX']],
    ['a text that not many records hold, however near', { newestMatches: 20, present: 20_000 }, ['INDEX']],
    ['a text that one in forty holds', { newestMatches: 12, sampledMatches: run(60, 12, 36) }, [fromNewest(walkedRecordsMax), from(60), 'INDEX']],
    ['a text that one in forty of the newest holds', { newestMatches: 12, sampledMatches: run(60, 5, 90) }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['a text that the sample holds more often than the newest', { newestMatches: 4, sampledMatches: run(60, 11, 30) }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['a text that one of the sample holds by chance', { newestMatches: 1, sampledMatches: at(7), present: 60_000 }, ['INDEX']],
    ['a text that one in five hundred holds', { newestMatches: 1, sampledMatches: run(60, 4, 40) }, ['INDEX']],
    ['a frequent text among records that nobody counts', { newestMatches: 250, sampledMatches: run(1, 100, 2), present: nobodyKnows, seen: nobodyKnows }, [fromNewest(800), 'INDEX']],
    ['what the very newest hold', { newestMatches: 60 }, [fromNewest(3_334), 'INDEX']],
    ['what only the oldest hold', { sampledMatches: run(440, 48) }, [from(440), 'INDEX']],
    ['what the oldest hold, and one of the newest', { newestMatches: 1, sampledMatches: run(440, 48) }, [fromNewest(4_070), from(440), 'INDEX']],
    ['what the oldest hold, and some here and there', { sampledMatches: [...at(7, 230), ...run(440, 48)] }, [from(440), 'INDEX']],
    ['what the oldest hold, but not many', { sampledMatches: run(470, 11) }, ['INDEX']],
    ['a rare text for who sees some records', { seen: 10_000 }, ['INDEX']],
    ['a text that more records hold than the caller sees', { newestMatches: 250, sampledMatches: run(1, 100, 2), seen: 10_000 }, ['SEEN']],
    ['the same for who walks over nothing else than what they see', { newestMatches: 250, sampledMatches: run(1, 100, 2), seen: 10_000, walksSeen: true }, [fromNewest(800), 'SEEN']],
    ['a frequent text for who sees half of the records', { newestMatches: 250, sampledMatches: run(1, 100, 2), seen: 500_000 }, [fromNewest(1_600), 'INDEX']],
    ['a frequent text for who walks over nothing else than what they see', { newestMatches: 50, sampledMatches: run(1, 50, 10), seen: 200_000, walksSeen: true }, [fromNewest(3_907), 'INDEX']],
    ['the same with a text less frequent', { newestMatches: 15, sampledMatches: run(1, 15, 30), seen: 50_000, walksSeen: true }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['a text that takes them as long to walk to as the index to collect', { newestMatches: 4, sampledMatches: run(1, 4, 90), walksSeen: true, limit: 20, seen: 900_000 }, ['INDEX']],
    ['a text that others walk to as long, for who sees few of what the index finds', { newestMatches: 4, sampledMatches: run(1, 4, 90), walksSeen: true, limit: 20, seen: 100_000 }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['the same for who sees everything', { newestMatches: 4, sampledMatches: run(1, 4, 90), limit: 20 }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['what only the oldest hold for who walks over nothing else than what they see', { sampledMatches: run(440, 24, 2), seen: 100_000, walksSeen: true }, [from(440), 'INDEX']],
    ['a text that one in a hundred and twenty holds, of which few are wanted', { newestMatches: 4, sampledMatches: run(60, 4, 90), limit: 20 }, [fromNewest(walkedRecordsMax), 'INDEX']],
    ['a frequent text of which few are wanted', { newestMatches: 50, sampledMatches: run(1, 50, 10), limit: 20 }, [fromNewest(1_563), 'INDEX']],
    ['what stands far apart, of which few are wanted', { sampledMatches: run(30, 17, 28), limit: 20 }, [from(30), 'INDEX']],
    ['what stands too far apart for who sees one record in thirty', { newestMatches: 17, sampledMatches: run(30, 17, 28), seen: 33_000 }, ['INDEX']],
  ])('to %s', (_what, { limit = 50, ...facts }, ways) => {
    expect(decideWays({ newestMatches: 0, sampledMatches: [], present: million, seen: facts.present ?? million, walksSeen: false, ...facts }, limit)).toEqual(ways)
  })
})

describe('the way to any text', () => {
  it.each([
    ['of few records', { present: 500, seen: 500 }, 'PRESENT'],
    ['of few records for who sees fewer', { present: 500, seen: 3 }, 'PRESENT'],
    ['for who sees few of many', { present: million, seen: 2_000 }, 'SEEN'],
    ['for who sees few of nobody knows how many', { present: nobodyKnows, seen: 0 }, 'SEEN'],
    ['of more records than few', { present: 501, seen: 501 }, undefined],
    ['for who sees more than few', { present: million, seen: 2_001 }, undefined],
  ])('%s', (_what, counts, way) => {
    expect(wayToFew(counts)).toBe(way)
  })
})
