/** The parts of an external calendar that do not count. */
export interface UnreadEvents {
  /** The number of all events of the calendar. */
  readonly total: number
  /** Titles of events that cannot be read. */
  readonly leftOut: readonly string[]
  /** Titles of events whose recurrence, end or time zone cannot be read. */
  readonly inPart: readonly string[]
  /** Names of other parts of the calendar that are not read and may say when somebody is busy. */
  readonly others: readonly string[]
  /** Whether lines of the calendar are out of place. */
  readonly isMixedUp: boolean
  readonly endsEarly: boolean
  /** The number of occurrences that count when there are more; null when all do. */
  readonly eventsMax: number | null
}

const titleCharactersMax = 60
const othersMax = 3

/** Tells the owner of a calendar which parts of it do not count; null when everything counts. */
export function describeUnread({
  total,
  leftOut,
  inPart,
  others,
  isMixedUp,
  endsEarly,
  eventsMax,
}: UnreadEvents): string | null {
  const sentences = [
    leftOut.length > 0 &&
      `Left out, because they cannot be read: ${leftOut.length} of ${total} events${example(leftOut)}.`,
    inPart.length > 0 &&
      `Read only in part, so that repetitions can be missing and times can be off: ${inPart.length} of ${total} events${example(inPart)}.`,
    others.length > 0 &&
      `The calendar has parts that are not read, and that may say when you are busy: ${others.slice(0, othersMax).join(', ').slice(0, titleCharactersMax)}.`,
    isMixedUp && 'Lines of the calendar are out of place, so that times can be missing.',
    endsEarly && 'The calendar ends too early or is too long: what comes after is missing.',
    eventsMax !== null && `Only the first ${eventsMax} times of it count.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : null
}

function example(titles: readonly string[]): string {
  const title = titles.find((one) => one !== '–')
  return title === undefined ? '' : `, such as “${Array.from(title).slice(0, titleCharactersMax).join('')}”`
}
