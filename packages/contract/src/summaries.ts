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

const groupedTexts: readonly string[] = ['currency', 'lostReason', 'utmSource', 'utmMedium', 'utmCampaign']
/** Whole numbers that are no quantities. */
const ordinals: readonly string[] = ['version', 'number', 'position']

/** Returns the dimensions and measures of the records that a schema describes. */
export function summarizedOf({ shape }: z.ZodObject): Summarized {
  const fields = Object.entries(shape).filter(([name]) => name !== 'id')
  const hasCurrency = 'currency' in shape
  return {
    dimensions: defined(fields.map(([name, schema]) => [name, dimensionOf(name, schema as z.ZodType)])),
    measures: defined(fields.map(([name, schema]) => [name, measureOf(name, schema as z.ZodType, hasCurrency)])),
    weighted: 'amount' in shape && 'probability' in shape ? 'amount' : null,
  }
}

function dimensionOf(name: string, schema: z.ZodType): Dimension | undefined {
  const inner = withoutNull(schema)
  if (name === 'tags') return { type: 'list' }
  if (groupedTexts.includes(name)) return { type: 'text' }
  if (inner instanceof z.ZodEnum) return { type: 'enum', values: inner.options.map(String) }
  if (inner instanceof z.ZodBoolean) return { type: 'boolean' }
  const format = formatOf(schema)
  if (format === 'uuid') return { type: 'id' }
  return timeTypeOf(format) && { type: timeTypeOf(format) as 'instant' | 'day' }
}

function measureOf(name: string, schema: z.ZodType, hasCurrency: boolean): MeasureType | undefined {
  const format = formatOf(schema)
  if (format === 'decimal') return hasCurrency ? 'money' : 'number'
  if (withoutNull(schema) instanceof z.ZodNumber) return ordinals.includes(name) ? undefined : 'number'
  return timeTypeOf(format)
}

function timeTypeOf(format: unknown): 'instant' | 'day' | undefined {
  if (format === 'date-time') return 'instant'
  return format === 'date' ? 'day' : undefined
}

function withoutNull(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema
}

function formatOf(schema: z.ZodType): unknown {
  return schema.meta()?.['format'] ?? withoutNull(schema).meta()?.['format']
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
export function withSummary<const Operations extends OwnedOperations>(operations: Operations) {
  const list = operations.list as Operations['list']
  return {
    ...operations,
    list: { ...list, mayLag: true } as Operations['list'],
    summary: summaryOf(list, operations.get.reply.body.shape.data),
  }
}

function summaryOf<const List extends Operation>(
  { path, summary: title, query, params, access, customFields }: List,
  record: z.ZodObject,
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
    summarized: summarizedOf(record),
  } as const
}
