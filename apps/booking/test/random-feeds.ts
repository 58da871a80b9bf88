import { noise } from '@crm/testkit'

/** Choices that are the same in every run with the same seed; others for each number. */
export interface Chance {
  /** A whole number from 0 to less than `below`. */
  readonly below: (below: number) => number
  readonly of: <T>(among: readonly T[]) => T
  /** At least one, in order and without repeats. */
  readonly some: <T>(among: readonly T[], most?: number) => T[]
}

export function chanceOf(number: number): Chance {
  const bytes = noise(4_096, number)
  let at = 0
  const below = (limit: number) => bytes.readUInt32LE((at++ % 1_024) * 4) % limit
  const of = <T>(among: readonly T[]) => among[below(among.length)] as T
  const some = <T>(among: readonly T[], most = 3) => {
    const chosen = new Set(Array.from({ length: 1 + below(most) }, () => below(among.length)))
    return [...chosen].toSorted((a, b) => a - b).map((index) => among[index] as T)
  }
  return { below, of, some }
}

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, n) => first + n)
const monthDays = [...upTo(31), -1, -2, -15, -31]

/** Returns a rule that RFC 5545 allows, at most a few thousand times a year. */
export function randomRule(chance: Chance): string {
  const { below, of, some } = chance
  const freq = of(['HOURLY', 'DAILY', 'DAILY', 'WEEKLY', 'WEEKLY', 'MONTHLY', 'MONTHLY', 'YEARLY', 'YEARLY'])
  const isByYear = freq === 'YEARLY'
  const takesOrdinals = isByYear || freq === 'MONTHLY'
  const may = (part: string, isAllowed = true, odds = 4) => (isAllowed && below(odds) === 0 ? part : undefined)
  // The first and the last weeks have days of two years: here they belong to the year of the week, for the judges to that of the day.
  const weeks = may(`BYWEEKNO=${some([...upTo(50, 2), -3, -20]).join()}`, isByYear, 6)
  // The judges take “the first Monday or any Friday” for a day that is both.
  const hasOrdinals = takesOrdinals && weeks === undefined && below(2) === 0
  const ordinal = () => (hasOrdinals ? of(isByYear ? ['1', '-1', '2', '20', '-3'] : ['1', '-1', '2', '-2', '5']) : '')
  const by = [
    may(`BYMONTH=${some(upTo(12)).join()}`),
    weeks,
    may(`BYYEARDAY=${some([1, 32, 59, 60, 100, 200, 365, 366, -1, -307]).join()}`, isByYear && weeks === undefined, 6),
    may(`BYMONTHDAY=${some(monthDays, 5).join()}`, freq !== 'WEEKLY' && weeks === undefined),
    may(
      `BYDAY=${some(days)
        .map((day) => `${ordinal()}${day}`)
        .join()}`,
      true,
      2,
    ),
    may(`BYHOUR=${some(upTo(24, 0)).join()}`, freq !== 'HOURLY', 6),
    may(`BYMINUTE=${some([0, 7, 30, 45], 2).join()}`, true, 8),
  ].filter((part) => part !== undefined)
  const end = of(['', '', `COUNT=${1 + below(60)}`, `UNTIL=2027${String(1 + below(12)).padStart(2, '0')}10T120000Z`])
  return [
    `FREQ=${freq}`,
    may(`INTERVAL=${1 + below(freq === 'HOURLY' ? 30 : 4)}`, true, 2),
    ...by,
    may(`BYSETPOS=${some([1, 2, 3, -1, -2], 2).join()}`, by.length > 0 && freq !== 'HOURLY' && weeks === undefined, 5),
    may(`WKST=${of(days)}`),
    end === '' ? undefined : end,
  ]
    .filter((part) => part !== undefined)
    .join(';')
}

/** Returns a time as iCalendar writes it, without a zone. */
export function randomTime({ below }: Chance): string {
  const pair = (value: number) => String(value).padStart(2, '0')
  return `${2024 + below(3)}${pair(1 + below(12))}${pair(1 + below(28))}T${pair(below(24))}${pair(below(2) * 30)}00`
}
