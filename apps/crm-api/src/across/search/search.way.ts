import { recordsPerSampled } from '@crm/db'

/**
 * One way to what matches a text: its index, all records that the caller sees, or a walk from some moment on, the newest first.
 * The first two find all there is; a walk may end before enough is found.
 */
export type Way = 'INDEX' | 'SEEN' | Walk

export interface Walk {
  /** Where the walk begins; null for the newest record. */
  readonly since: string | null
  /** How many records it reads at most. */
  readonly records: number
}

/** A record of the sample that holds the text. */
export interface SampledMatch {
  /** Its place among all records of the sample, the newest first. */
  readonly place: number
  /** When the record before it was made; null for the first. */
  readonly since: string | null
}

/** What tells which way is the shortest. */
export interface WayFacts {
  /** How many of the newest records hold the text, whoever sees them. */
  readonly newestMatches: number
  /** Which records of the sample hold it, the newest first. */
  readonly sampledMatches: readonly SampledMatch[]
  /** How many records there are; infinite where nobody knows. */
  readonly present: number
  /** How many of them the caller sees, at least. */
  readonly seen: number
  /** Whether a walk meets nothing but what the caller sees. */
  readonly walksSeen: boolean
}

/** So many of the newest records tell whether a text is frequent among them. */
export const newestRecords = 500
/** A walk reads no more records than these. */
export const walkedRecordsMax = 5_000
/** None is begun that is expected to be longer than this, so that bad luck does not make it one for nothing. */
const expectedRecordsMax = walkedRecordsMax / 2
/** A walk looks for twice as many matches as are asked for, and for so many at least: the best need not be the newest. */
const wantedMin = 40
/** The newest may hold a text more often than those behind them, by chance or not: a walk that ends too early was for nothing. */
const longerThanExpected = 4
/** What one person sees lies apart in the table: a step of such a walk costs so many others. */
const stepApart = 2
/** To read what the index finds costs so many steps of a walk, for it lies apart as well and is found in two goes. */
const stepsPerFound = 2.5
/** Of what the index finds, so many are looked at for the best ones. */
export const indexedMax = 1_000
/** The index collects all matches before the first is read: so many of them cost more than the longest walk. */
const collectedMax = 12 * recordsPerSampled
/** Who sees so few records has them read sooner than any text is found, or than a frequent one is. */
const fewSeen = 2_000
const fewSeenBesideMatches = 20_000
/** So many matches in the sample are no coincidence, nor is it one that they stand together. */
const clusterMatches = 3

/** How many matches a walk looks for. */
export function wantedOf(limit: number): number {
  return Math.max(2 * limit, wantedMin)
}

/** The way to any text where few records are present, or few that the caller sees: all of these. Elsewhere it depends on the text. */
export function wayToFew({ present, seen }: Pick<WayFacts, 'present' | 'seen'>): 'SEEN' | 'PRESENT' | undefined {
  if (present <= newestRecords) return 'PRESENT'
  return seen < present && seen <= fewSeen ? 'SEEN' : undefined
}

/** The ways to as many matches of a text as are asked for, the one that costs least first; the next is taken when one did not find enough. */
export function decideWays({ newestMatches, sampledMatches, present, seen, walksSeen }: WayFacts, limit: number): readonly Way[] {
  const matches = sampledMatches.length * recordsPerSampled
  const seenShare = Math.min(1, seen / present || 1)
  const sampledShare = sampledMatches.length < clusterMatches ? 0 : matches / present || 0
  const share = newestMatches === 0 ? 0 : Math.max(newestMatches / newestRecords, sampledShare)
  const seenOfWalked = walksSeen ? 1 : seenShare
  const stepsPerMatch = 1 / (share * seenOfWalked)
  const toWalk = limit * stepsPerMatch
  // The index finds what others see, too, and it is read until enough of it is the caller's.
  const found = Math.min(share * present, indexedMax / seenShare)
  const isShorterThanIndex = toWalk * (walksSeen ? stepApart : 1) <= found * stepsPerFound
  const walksFromNewest = toWalk <= expectedRecordsMax && share * present > indexedMax && isShorterThanIndex
  const fromNewest = { since: null, records: Math.ceil(Math.min(longerThanExpected * wantedOf(limit) * stepsPerMatch, walkedRecordsMax)) }
  if (seen < present && seen <= Math.min(matches, fewSeenBesideMatches)) return walksFromNewest && fromNewest.records < seen ? [fromNewest, 'SEEN'] : ['SEEN']
  const cluster = matches >= collectedMax ? newestCluster(sampledMatches, limit / seenOfWalked) : undefined
  return [
    ...(walksFromNewest ? [fromNewest] : []),
    ...(cluster && !(walksFromNewest && cluster.since === null) ? [{ since: cluster.since, records: walkedRecordsMax }] : []),
    'INDEX',
  ]
}

/** Where the newest of the matches begin of which a walk meets so many. */
function newestCluster(matches: readonly SampledMatch[], met: number): SampledMatch | undefined {
  const widest = ((clusterMatches - 1) * walkedRecordsMax) / met
  return matches.find(({ place }, at) => (matches[at + clusterMatches - 1]?.place ?? Infinity) - place <= widest)
}
