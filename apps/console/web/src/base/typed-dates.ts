import { dateLocale } from './texts.ts'

type Part = 'day' | 'month' | 'year'

/** Returns the order in which a language writes the parts of a date. */
export function orderOfDates(locale: string): readonly Part[] {
  const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: 'numeric' }).formatToParts(0)
  return parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
}

const ownOrder = orderOfDates(dateLocale)

/**
 * Returns the day of a date in figures as the reader writes it, as `YYYY-MM-DD`: `31.12.2026`, `31/12/26`, `31.12.` (the next one), and
 * `2026-12-31` in every language. Day and month are swapped where only that is a date; undefined for any other text.
 *
 * @param today the day from which a date without a year is looked for
 */
export function dateTyped(text: string, today: string, order: readonly Part[] = ownOrder): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) return dayIn({ year, month, day })
  const figures = /^(\d{1,4})([./-])(\d{1,2})(?:\2(\d{4}|\d{2}))?\.?$/.exec(text)
  if (figures === null) return undefined
  const [, first, , second, third] = figures
  if (third !== undefined && first !== undefined && first.length > 2) return undefined
  const [one, other] = order.filter((part) => part !== 'year')
  if (one === undefined || other === undefined || first === undefined || second === undefined) return undefined
  const ways = [{ [one]: first, [other]: second } as Figures, { [one]: second, [other]: first } as Figures]
  const found = ways.map((way) => (third === undefined ? nextOf(way, today) : dayIn({ ...way, year: third })))
  return found.find((way) => way !== undefined)
}

type Figures = { readonly [P in Part]?: string | undefined }

function nextOf(figures: Figures, today: string): string | undefined {
  const year = Number(today.slice(0, 4))
  const days = [year, year + 1].map((of) => dayIn({ ...figures, year: String(of) }))
  return days.find((day) => day !== undefined && day >= today)
}

/** Returns a day that the calendar has. */
function dayIn({ year = '', month = '', day = '' }: Figures): string | undefined {
  const full = year.length === 2 ? `20${year}` : year
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : undefined
}
