import { readMoment, type DayWords } from '../../base/day-words.ts'
import { instantOf, today } from '../../base/moments.ts'
import { knownDayWords } from '../../base/typed-days.ts'

/** The hour for a due date that names only a day. */
const usualTime = '17:00'

/**
 * Reads a due date from words of the page's language or English ones: `today`, `tomorrow 9`, `friday 14:30`, `+3d`, `2w`,
 * `31.12.2026`. Returns undefined for a text without a time.
 */
export function readDue(text: string, now: number, known: readonly DayWords[] = knownDayWords): string | undefined {
  const moment = readMoment(text, usualTime, today(now), known)
  return moment === undefined ? undefined : instantOf(moment)
}
