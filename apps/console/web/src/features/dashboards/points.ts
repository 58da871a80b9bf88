import type { Summary } from '@crm/contract'
import { codeNames, inWords } from '../../records/field-words.ts'
import type { Point } from './charts.tsx'
import { bucketName, restKey, rowsOf, type Figure, type Row, type Source } from './questions.ts'
import { t } from './texts.ts'
import { inSentence, language } from '../../base/texts.ts'

/** The series of a chart. */
export interface Series {
  readonly key: string
  readonly label: string
}

const lone: Series = { key: 'value', label: '' }

/** Returns the groups of an answer with names that people know. */
export function namedRows(
  summary: Pick<Summary, 'groups'> & Partial<Pick<Summary, 'other'>>,
  { groupBy = [], measures = [], convertTo }: Source,
): readonly Row[] {
  return rowsOf(
    summary,
    measures.length > 0 ? measures : ['count'],
    {
      rest: t('All others'),
      nameOf: ({ value, label }, at) => {
        const [, bucket] = groupBy[at]?.split(':') ?? []
        if (value === null) return t('Not set')
        if (typeof value === 'boolean') return value ? t('Yes') : t('No')
        if (bucket !== undefined) return bucketName(value, bucket)
        return label ?? codeNames[value] ?? (/^[A-Z][A-Z_]+$/.test(value) ? inWords(value) : value)
      },
    },
    convertTo,
  )
}

/** Returns the points and the series of a chart by the first measure; a second dimension makes the series. */
export function pointsOf(
  rows: readonly Row[],
  groupBy: readonly string[],
): {
  readonly points: readonly Point[]
  readonly series: readonly Series[]
} {
  const [, bucket] = groupBy[0]?.split(':') ?? []
  if (groupBy.length < 2)
    return {
      points: withoutGaps(
        rows.map(({ key, label, figures }) => ({ key, label, values: { [lone.key]: figures[0]?.value ?? 0 } })),
        bucket,
      ),
      series: [lone],
    }
  const points = new Map<string, { key: string; label: string; values: Record<string, number> }>()
  const series = new Map<string, Series>()
  for (const { key, values, label, figures } of rows) {
    // What was folded into one has the second dimension alone.
    const [first, second] = (values?.map(String) ?? [restKey, key.slice(restKey.length + 1)]) as [string, string]
    const [firstLabel = '', secondLabel = ''] = label.split(' · ')
    const point = points.get(first) ?? { key: first, label: firstLabel, values: {} }
    point.values[second] = figures[0]?.value ?? 0
    points.set(first, point)
    series.set(second, { key: second, label: secondLabel })
  }
  return { points: withoutGaps([...points.values()], bucket), series: [...series.values()] }
}

const filledMax = 120
/** The points that have no place on an axis of time. */
const unplaced: readonly string[] = ['null', restKey]

/** Adds the months and weeks in which nothing was counted; an axis of time must not leave them out. */
function withoutGaps(points: readonly Point[], bucket: string | undefined): readonly Point[] {
  const known = points
    .map(({ key }) => key)
    .filter((key) => !unplaced.includes(key))
    .toSorted()
  const [first, last] = [known.at(0), known.at(-1)]
  if ((bucket !== 'month' && bucket !== 'week') || first === undefined || last === undefined) return points
  const all: Point[] = []
  for (let key = first; key <= last && all.length < filledMax; key = nextBucket(key, bucket))
    all.push(points.find((point) => point.key === key) ?? { key, label: bucketName(key, bucket), values: {} })
  return all.length < filledMax ? [...all, ...points.filter(({ key }) => unplaced.includes(key))] : points
}

function nextBucket(key: string, bucket: 'month' | 'week'): string {
  const [year = 0, month = 0, day = 1] = key.split('-').map(Number)
  const next = bucket === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 7)
  return new Date(next).toISOString().slice(0, bucket === 'month' ? 7 : 10)
}

/** Formats a number; amounts of money without cents. */
export function describeFigure(value: number, currency: string | null): string {
  const options = currency === null ? {} : ({ style: 'currency', currency, maximumFractionDigits: 0 } as const)
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2, ...options }).format(value)
}

/** Formats a figure with everything that belongs to it, such as amounts in other currencies. */
export function describeWhole({ value, currency, besides = [] }: Figure): string {
  const own = value === 0 && besides.length > 0 ? [] : [[currency, value] as const]
  return [...own, ...besides].map(([unit, amount]) => describeFigure(amount, unit)).join(' + ')
}

/** Formats a number for an axis: `€1.2M`. */
export function describeBriefly(value: number, currency: string | null): string {
  const options = currency === null ? {} : ({ style: 'currency', currency } as const)
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1, ...options }).format(value)
}

const measureNames: Readonly<Record<string, string>> = {
  count: t('Count'),
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Lowest'),
  max: t('Highest'),
  weighted: t('Weighted'),
}

/** Returns the name of a measure, such as `Sum of amount`. */
export function describeMeasure(measure: string, labelOf: (field: string) => string): string {
  const [kind = 'count', field] = measure.split(':')
  const name = measureNames[kind] ?? kind
  return field === undefined
    ? name
    : t(kind === 'weighted' ? '{measure} {field}' : '{measure} of {field}', {
        measure: name,
        field: inSentence(labelOf(field)),
      })
}
