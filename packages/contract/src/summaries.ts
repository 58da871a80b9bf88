import { everyRecord, type Field, type FieldType } from '@crm/model'
import * as z from 'zod'
import { commaParts, textForms } from '@crm/model/values'
import { weekStarts } from './days.ts'
import { currencyCode, timeZone, wholeNumber } from './fields.ts'
import { booleanParam, integerParam } from './lists.ts'
import type { CustomFieldEntity, Dimension, MeasureType, Operation, Summarized } from './operation.ts'

/** The periods by which dates are grouped. */
export const timeBuckets = ['day', 'week', 'month', 'quarter', 'year'] as const
export type TimeBucket = (typeof timeBuckets)[number]

export const summaryLimits = { measures: 8, groups: 500, budgetMs: 5_000 } as const

type Fields = Readonly<Record<string, Field>>

/** Returns the dimensions and measures of records with these fields. */
export function summarizedOf(own: Fields): Summarized {
  const fields = Object.entries({ ...everyRecord, ...own })
  const hasCurrency = 'currency' in own
  return {
    dimensions: defined(fields.map(([name, field]) => [name, dimensionOf(field)])),
    measures: defined(fields.map(([name, field]) => [name, measureOf(field, hasCurrency)])),
    weighted: 'amount' in own && 'probability' in own ? 'amount' : null,
  }
}

function dimensionOf({ type, rules: { grouped, values = [] } }: Field): Dimension | undefined {
  if (type === 'choice') return { type: 'enum', values: [...values] }
  return type === 'text' && !grouped ? undefined : dimensions[type]
}

const dimensions: Readonly<Partial<Record<FieldType, Dimension>>> = {
  text: { type: 'text' },
  currency: { type: 'text' },
  tags: { type: 'list' },
  flag: { type: 'boolean' },
  reference: { type: 'id' },
  pointer: { type: 'id' },
  instant: { type: 'instant' },
  day: { type: 'day' },
}

function measureOf({ type, rules: { ordinal } }: Field, hasCurrency: boolean): MeasureType | undefined {
  if (type === 'money') return hasCurrency ? 'money' : 'number'
  if (type === 'integer' || type === 'percent') return ordinal ? undefined : 'number'
  return type === 'instant' || type === 'day' ? type : undefined
}

function defined<T>(entries: readonly (readonly [string, T | undefined])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => entry[1] !== undefined))
}

const commaList = (max: number) =>
  z
    .string()
    .max(max * 80)
    .transform(commaParts)
    .pipe(z.array(z.string()).max(max, `Expected at most ${max}, separated by commas`))
    .register(textForms, { form: 'names' })

/** The parameters that page and sort a list without a choice of records. */
export const pagingParams = ['page', 'pageSize', 'limit', 'cursor', 'sort', 'sortBy', 'sortOrder', 'thenBy'] as const

const asked = {
  measures: commaList(summaryLimits.measures)
    .default([])
    .meta({ description: 'count, sum:amount, avg:, min:, max:; weighted:amount' }),
  groupBy: commaList(2)
    .default([])
    .meta({ description: 'Up to two fields; createdAt:month (day, week, quarter, year)' }),
  sort: z.string().max(120).optional().meta({ description: 'count:desc, sum:amount:asc, key:asc' }),
  top: integerParam({ min: 1, max: summaryLimits.groups })
    .optional()
    .meta({ description: 'The first values of the first field', integer: { min: 1, max: summaryLimits.groups } }),
  convertTo: currencyCode.optional().meta({ description: 'A currency' }),
  timezone: timeZone.optional(),
  filterTimezone: timeZone.optional(),
  weekStart: z.enum(weekStarts).optional(),
  compact: booleanParam.optional(),
}

/** The question of a summary, besides the filters of its list. */
export type SummaryQuestion = z.output<z.ZodObject<typeof asked>>

/** The parameters of a summary that its list does not have. */
export const summaryParams: readonly string[] = Object.keys(asked)

const byCurrency = z.record(z.string(), z.string())
const value = z.union([z.string(), byCurrency]).nullable()
const values = z.record(z.string(), value).optional()

const cell = {
  count: wholeNumber,
  sum: values.meta({ description: 'By field: a decimal string; money by currency' }),
  avg: values,
  min: values,
  max: values,
  weighted: values.meta({ description: 'Amounts × probability' }),
}

const by = z.array(
  z.object({ value: z.union([z.string(), z.boolean()]).nullable(), label: z.string().nullable().optional() }),
)

const summary = z.object({
  groups: z.array(z.object({ by, ...cell })),
  other: z.array(z.object({ by, groups: wholeNumber, ...cell })).meta({ description: 'What `top` folds' }),
  totals: z.object(cell),
  overlapping: z.boolean().meta({ description: 'Whether a record may count in several groups' }),
  timezone: z.string(),
  asOf: z.string().meta({ format: 'date-time' }),
  rates: byCurrency.optional().meta({ description: 'What one unit is worth in the currency asked for' }),
})
export type Summary = z.output<typeof summary>

/** The list and the get of a resource with owned records. */
interface OwnedOperations {
  readonly list: Operation
  readonly get: { readonly reply: { readonly body: z.ZodObject<{ readonly data: z.ZodObject }> } }
}

type Filters<List> = List extends { readonly query: z.ZodObject<infer Shape> }
  ? Omit<Shape, (typeof pagingParams)[number]>
  : object

/** Adds the summary to an owned list: it takes the filters of the list and questions about the matches (docs/guide/summaries.md). */
export function withSummary<const Operations extends OwnedOperations>(operations: Operations, fields: Fields) {
  const list = operations.list as Operations['list']
  return {
    ...operations,
    list: { ...list, mayLag: true } as Operations['list'],
    summary: summaryOf(list, fields),
  }
}

function summaryOf<const List extends Operation>(
  { path, summary: title, query, params, access, customFields }: List,
  fields: Fields,
) {
  const filters = Object.fromEntries(
    Object.entries(query?.shape ?? {}).filter(([name]) => !(pagingParams as readonly string[]).includes(name)),
  )
  return {
    method: 'GET',
    mayLag: true,
    path: `${path}/summary`,
    summary: title.replace(/^List( the)?/, 'Summarize'),
    access: access as List['access'],
    ...((params ? { params } : {}) as List extends { readonly params: infer Params }
      ? { readonly params: Params }
      : object),
    ...((customFields ? { customFields } : {}) as { readonly customFields?: CustomFieldEntity | 'BY_KEY' }),
    query: z.object({ ...(filters as Filters<List>), ...asked }),
    queryPolicy: 'strict',
    reply: { status: 200, body: summary },
    errors: ['RATE_MISSING', 'TOO_MANY_GROUPS', 'SUMMARY_TOO_EXPENSIVE'],
    summarized: summarizedOf(fields),
  } as const
}
