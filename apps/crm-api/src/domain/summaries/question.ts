import {
  own,
  timeBuckets,
  type DimensionType,
  type MeasureType,
  type Summarized,
  type SummaryQuestion,
  type TimeBucket,
} from '@crm/contract'
import { invalidQueryParam, suggestionsFor, type ApiError } from '@crm/errors'
import { rangedNumbers, type CustomFieldKind } from '../../records/custom-field-filters.ts'

/** A field of the record itself, or a custom field. */
interface Field {
  readonly name: string
  readonly custom: CustomFieldKind | null
}

export interface AskedDimension extends Field {
  readonly type: DimensionType
  /** The values of an enum, in their own order. */
  readonly values: readonly string[]
  /** The length of the buckets of a date. */
  readonly bucket: TimeBucket | null
}

const measureFunctions = ['sum', 'avg', 'min', 'max', 'weighted'] as const
type MeasureFunction = (typeof measureFunctions)[number]

export interface AskedMeasure extends Field {
  readonly fn: MeasureFunction
  readonly type: MeasureType
}

/** The sort key of groups: their key, their number of records or a measure; undefined for their natural order. */
interface AskedSort {
  readonly by: 'key' | 'count' | AskedMeasure
  readonly direction: 'asc' | 'desc'
}

/** A question of which every word is known. */
export interface Asked {
  readonly dimensions: readonly AskedDimension[]
  readonly measures: readonly AskedMeasure[]
  readonly sort: AskedSort | undefined
  readonly top: number | undefined
  readonly convertTo: string | undefined
}

const customTypes: Readonly<Record<string, DimensionType>> = {
  SELECT: 'text',
  MULTI_SELECT: 'list',
  BOOLEAN: 'boolean',
  DATE: 'day',
  DATETIME: 'instant',
}

/**
 * Parses a question about the records of a list.
 * @throws ApiError INVALID_QUERY_PARAM, naming the parameter and the word in it that cannot be used
 */
export function readQuestion(
  question: SummaryQuestion,
  { dimensions: known, measures: measured, weighted }: Summarized,
  customFields: readonly CustomFieldKind[],
  isOneCurrency: boolean,
): Asked {
  const dimensions = question.groupBy.map((word) => readDimension(word, known, customFields))
  refuseRepeated('groupBy', question.groupBy)
  if (dimensions.filter(({ type }) => type === 'list').length > 1)
    throw unusable('groupBy', 'Only one field whose records have several values can be grouped by')
  const measures = [...new Set(question.measures)]
    .filter((word) => word !== 'count')
    .map((word) => readMeasure(word, measured, weighted, customFields))
  const { top, convertTo } = question
  if (top !== undefined && dimensions.length === 0)
    throw unusable('top', 'There is nothing to take the first of without groupBy')
  const sort = question.sort === undefined ? undefined : readSort(question.sort, measures)
  const isMixed =
    typeof sort?.by === 'object' &&
    sort.by.type === 'money' &&
    convertTo === undefined &&
    !isOneCurrency &&
    !dimensions.some(({ name }) => name === 'currency')
  if (isMixed)
    throw unusable('sort', 'Money is sorted by with convertTo, with one currency as filter, or grouped by currency')
  return { dimensions, measures, sort, top, convertTo }
}

function readDimension(
  word: string,
  known: Summarized['dimensions'],
  customFields: readonly CustomFieldKind[],
): AskedDimension {
  const [name = '', bucketName, ...more] = word.split(':')
  const custom = customOf(name, customFields)
  const type = custom ? customTypes[custom.type] : own(known, name)?.type
  if (!type || more.length > 0)
    throw unusable('groupBy', `${word} is nothing that records are grouped by`, name, [
      ...Object.keys(known),
      ...customFields.map(({ key }) => `cf_${key}`),
    ])
  const values = own(known, name)?.values ?? []
  if (type !== 'instant' && type !== 'day') {
    if (bucketName !== undefined) throw unusable('groupBy', `${name} is no date and takes no ${bucketName}`)
    return { name, custom, type, values, bucket: null }
  }
  const bucket = timeBuckets.find((one) => one === bucketName)
  if (!bucket)
    throw unusable(
      'groupBy',
      `Expected ${timeBuckets.map((one) => `${name}:${one}`).join(', ')}`,
      bucketName,
      timeBuckets,
    )
  return { name, custom, type, values, bucket }
}

function readMeasure(
  word: string,
  measured: Summarized['measures'],
  weighted: string | null,
  customFields: readonly CustomFieldKind[],
): AskedMeasure {
  const [fnName = '', name = '', ...more] = word.split(':')
  const fn = measureFunctions.find((one) => one === fnName)
  if (!fn || more.length > 0)
    throw unusable(
      'measures',
      `${word} is no measure: expected count, or ${measureFunctions.join(', ')} with a field, such as sum:amount`,
      fnName,
      ['count', ...measureFunctions],
    )
  if (fn === 'weighted') {
    if (name !== weighted)
      throw unusable(
        'measures',
        weighted ? `Only weighted:${weighted} is known` : 'Nothing of these records is weighted',
      )
    return { fn, name, custom: null, type: 'money' }
  }
  const custom = customOf(name, customFields)
  const type = custom ? customMeasure(custom) : own(measured, name)
  if (!type) throw unusable('measures', `${name} is nothing that can be computed with`, name, Object.keys(measured))
  const isTime = type === 'instant' || type === 'day'
  if (isTime && fn !== 'min' && fn !== 'max')
    throw unusable('measures', `${name} is a date, of which there is min and max`)
  return { fn, name, custom, type }
}

function readSort(text: string, measures: readonly AskedMeasure[]): AskedSort {
  const at = text.lastIndexOf(':')
  const [word, direction] = [text.slice(0, at), text.slice(at + 1)]
  const by = word === 'key' || word === 'count' ? word : measures.find((measure) => wordOf(measure) === word)
  if (!by || (direction !== 'asc' && direction !== 'desc')) {
    throw unusable(
      'sort',
      `Expected one of ${['key', 'count', ...measures.map(wordOf)].join(', ')}, then :asc or :desc`,
    )
  }
  return { by, direction }
}

/** Returns a measure as it is written in a request, such as `sum:amount`. */
function wordOf({ fn, name }: Pick<AskedMeasure, 'fn' | 'name'>): string {
  return `${fn}:${name}`
}

function customOf(name: string, customFields: readonly CustomFieldKind[]): CustomFieldKind | null {
  return customFields.find(({ key }) => `cf_${key}` === name) ?? null
}

function customMeasure({ type }: CustomFieldKind): MeasureType | undefined {
  if (rangedNumbers.includes(type)) return 'number'
  if (type === 'DATE') return 'day'
  return type === 'DATETIME' ? 'instant' : undefined
}

function refuseRepeated(param: string, words: readonly string[]): void {
  if (new Set(words).size < words.length) throw unusable(param, 'The same field stands twice')
}

function unusable(param: string, message: string, wrong = '', known: readonly string[] = []): ApiError {
  return invalidQueryParam(param, message, suggestionsFor([wrong], known))
}
