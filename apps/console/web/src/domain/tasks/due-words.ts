const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** The hour for a due date that names only a day. */
const usualHour = 17
const units: Readonly<Record<string, number>> = { d: 1, w: 7 }

/**
 * Reads a due date from words: `today`, `tomorrow 9`, `friday 14:30`, `+3d`, `2w`, `2031-05-01`. Returns undefined for
 * a text without a time.
 */
export function readDue(text: string, now: Date): Date | undefined {
  const [first = '', second, ...rest] = text.trim().toLowerCase().split(/\s+/)
  const day = first === '' || rest.length > 0 ? undefined : dayOf(first, now)
  const time = second === undefined ? { hour: usualHour, minute: 0 } : timeOf(second)
  if (day === undefined || time === undefined) return undefined
  day.setHours(time.hour, time.minute, 0, 0)
  return day
}

function dayOf(word: string, now: Date): Date | undefined {
  const after = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word)
  if (date) return new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3]))
  const step = /^\+?(\d{1,3})([dw])$/.exec(word)
  if (step) return after(Number(step[1]) * (units[step[2] ?? ''] ?? 0))
  if (word === 'today') return after(0)
  if (word === 'tomorrow') return after(1)
  const weekday = word.length < 3 ? -1 : weekdays.findIndex((name) => name.startsWith(word))
  if (weekday < 0) return undefined
  // The next such weekday is meant: "Friday" on a Friday is the one in a week.
  return after((weekday - now.getDay() + 7) % 7 || 7)
}

function timeOf(word: string): { readonly hour: number; readonly minute: number } | undefined {
  const [, hour, minute = '0'] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(word) ?? []
  const time = { hour: Number(hour), minute: Number(minute) }
  return hour !== undefined && time.hour < 24 && time.minute < 60 ? time : undefined
}
