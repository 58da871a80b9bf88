import type { resetPeriods } from '@crm/contract'

export type ResetPeriod = (typeof resetPeriods)[number]

const token = /\{(YYYY|YY|MM|DD|SEQ)(?::(\d))?\}/g

/** Returns why a pattern cannot be used, or null. */
export function patternProblem(pattern: string, resetPeriod: ResetPeriod): string | null {
  const rest = pattern.replaceAll(token, '')
  if (/[{}]/.test(rest)) return 'Expected only the tokens {SEQ}, {SEQ:1} to {SEQ:9}, {YYYY}, {YY}, {MM} and {DD}'
  const tokens = [...pattern.matchAll(token)]
  if (tokens.some(([, name, width]) => width !== undefined && (name !== 'SEQ' || width === '0')))
    return 'Only {SEQ} takes a width, from 1 to 9'
  if (tokens.filter(([, name]) => name === 'SEQ').length !== 1) return 'Expected exactly one {SEQ}'
  const has = (...names: string[]): boolean => tokens.some(([, name = '']) => names.includes(name))
  if (resetPeriod !== 'NEVER' && !has('YYYY', 'YY'))
    return 'A pattern that begins anew needs the year, or numbers would come twice'
  if (resetPeriod === 'MONTH' && !has('MM'))
    return 'A pattern that begins anew every month needs {MM}, or numbers would come twice'
  return null
}

/** Returns the text of a number; the date tokens stand for parts of the issue date, `YYYY-MM-DD`. */
export function writeNumber(pattern: string, value: number, issueDate: string): string {
  const [year = '', month = '', day = ''] = issueDate.split('-')
  const parts: Readonly<Record<string, string>> = { YYYY: year, YY: year.slice(-2), MM: month, DD: day }
  return pattern.replaceAll(token, (_whole, name: string, width?: string) =>
    name === 'SEQ' ? String(value).padStart(Number(width ?? 1), '0') : (parts[name] ?? ''),
  )
}

/** Returns the period of a date: all time, a year or a month. */
export function periodOf(resetPeriod: ResetPeriod, issueDate: string): string {
  return { NEVER: '', YEAR: issueDate.slice(0, 4), MONTH: issueDate.slice(0, 7) }[resetPeriod]
}

/** The state of a sequence. */
export interface SequenceState {
  readonly nextValue: number
  /** The period of the next value; null before the first number. */
  readonly period: string | null
}

/**
 * Returns the next value of a period. The next value of the sequence belongs to its latest period; an earlier period
 * continues after its last value, and a new one begins at 1.
 */
export function nextInPeriod(
  { nextValue, period: latest }: SequenceState,
  period: string,
  lastUsed: number | null,
): number {
  if (latest === null || latest === period) return Math.max(nextValue, (lastUsed ?? 0) + 1)
  return (lastUsed ?? 0) + 1
}

/** Returns the state of the sequence after a value was drawn. */
export function stateAfter(state: SequenceState, period: string, value: number): SequenceState {
  return state.period !== null && period < state.period ? state : { nextValue: value + 1, period }
}
