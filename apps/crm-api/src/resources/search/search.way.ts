/** The ways to what matches a text: its index, the records from the newest on, or all those that the caller sees. */
export type Way = 'INDEX' | 'NEWEST' | 'SEEN'

/** What tells which way is the shortest. */
export interface WayFacts {
  /** How many of the newest records hold the text, whoever sees them. */
  readonly sampledHits: number
  /** How many records there are; infinite where nobody knows. */
  readonly present: number
  /** How many of them the caller sees, at least. */
  readonly seen: number
}

/** So many of the newest records tell whether a text is frequent. */
export const sampledRows = 500
const frequentInSample = 3
/** The index collects all matches before the first is read: so many still cost less than any other way. */
const collectedMax = 2_000
/** Who sees so few records has them read sooner than any text is found, or than a frequent one is. */
const fewSeen = 2_000
const fewSeenBesideMatches = 20_000

/** Chooses the way to the matches of a text that costs least. */
export function decideWay({ sampledHits, present, seen }: WayFacts): Way {
  const isFrequent = sampledHits >= frequentInSample && (sampledHits / sampledRows) * present > collectedMax
  if (seen < present && seen <= (isFrequent ? fewSeenBesideMatches : fewSeen)) return 'SEEN'
  return isFrequent ? 'NEWEST' : 'INDEX'
}
