import * as z from 'zod'
import { boundOfDay, dayOf, expectedDate, expectedDay, isRelativeDate, plainCalendar, type Bound } from './days.ts'
import { hasStorableYear, id, timeZone, wholeNumber } from './fields.ts'
import { commaParts, oncePerInput, textForms } from '@crm/model/values'
import { conditionsParam } from './condition-groups.ts'
import { idFilter, personFilter } from './filters.ts'

/** A whole number in a query parameter. */
export const integerParam = oncePerInput(({ min, max }: { min: number; max?: number }) => {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const error = `Expected a whole number ${range}`
  return z
    .string()
    .regex(/^-?\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && (max === undefined || value <= max), error)
    .meta({ integer: { min, max } })
})

/** A page size that is silently cut to the maximum. */
export const cappedParam = oncePerInput(({ fallback, max }: { fallback: number; max: number }) =>
  integerParam({ min: 1 })
    .transform((value) => Math.min(value, max))
    .default(fallback)
    .meta({ integer: { min: 1 }, default: fallback }),
)

/** `true` or `false` in a query parameter. */
export const booleanParam = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Ids in one query parameter, separated by commas. */
export const idsParam = oncePerInput((max: number) =>
  z
    .string()
    .max(max * 40)
    .transform(commaParts)
    .pipe(z.array(id).max(max))
    .register(textForms, { form: 'ids' })
    .meta({ description: 'Ids separated by commas' }),
)

/**
 * One bound of a date-time range in a query: a date-time, a date, or a relative date. A day means the whole day in the zone of the
 * workspace. Parsing without a zone gives the day in UTC.
 */
export const rangeParam = oncePerInput((bound: Bound) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date(), z.string().refine(isRelativeDate)], { error: expectedDate })
    .transform((value) => boundOfDay(value, bound, plainCalendar))
    .refine(hasStorableYear, 'Expected a year from 0001 to 9999')
    .transform((value) => new Date(value))
    .meta(bound === 'from' ? { description: 'Date-time, date, today, -30d, startOfMonth-1m' } : {}),
)

/** A day in a query of a field without time: a date or a relative date, in the zone of the workspace. */
export const dayParam = z
  .union([z.iso.date(), z.string().refine(isRelativeDate)], { error: expectedDay })
  .transform((value) => dayOf(value, plainCalendar) ?? value)
  .refine(hasStorableYear, 'Expected a year from 0001 to 9999')
  .meta({ description: 'Date, today, -30d' })

/** Whether a query parameter is a day for a field without time. */
export function isDayParam(param: z.core.$ZodType | undefined): boolean {
  return (param instanceof z.ZodOptional ? param.unwrap() : param) === dayParam
}

const bounds: readonly Bound[] = ['from', 'to']

/** Returns the bound of a range that a parameter stands for, if it is one. */
export function rangeBound(param: z.core.$ZodType | undefined): Bound | undefined {
  const inner = param instanceof z.ZodOptional ? param.unwrap() : param
  return bounds.find((bound) => rangeParam(bound) === inner)
}

/** The treatment of a page size over the maximum (docs/guide/limits.md). */
export interface PageRule {
  readonly pageSize: number
  readonly pageSizeMax: number
  readonly overMax: 'refuse' | 'cap'
}

const pageSizeParam = oncePerInput((rule: PageRule) =>
  rule.overMax === 'refuse'
    ? integerParam({ min: 1, max: rule.pageSizeMax })
        .default(rule.pageSize)
        .meta({ integer: { min: 1, max: rule.pageSizeMax }, default: rule.pageSize })
    : cappedParam({ fallback: rule.pageSize, max: rule.pageSizeMax }),
)

const pageParam = integerParam({ min: 1 })
  .default(1)
  .meta({ integer: { min: 1 }, default: 1 })

/** Returns the parameters of a paged list without filters. */
export function pagedQuery(rule: PageRule) {
  return { page: pageParam, pageSize: pageSizeParam(rule) }
}

const sortOrder = z.enum(['asc', 'desc'])
const sortOrderParam = sortOrder.default('desc')

/** Returns `sortBy` and `sortOrder` with a closed set of fields. */
export function orderQuery<const Field extends string>(fields: readonly [Field, ...Field[]]) {
  return { sortBy: z.enum(fields).optional(), sortOrder: sortOrderParam }
}

/** The most fields that a list is sorted by after the first one. */
export const furtherSortsMax = 3

/** Returns the parameter `thenBy=-field,field`: the fields that sort records whose first field is the same. */
function thenByParam(
  fields: readonly string[],
  takesCustom = false,
): z.ZodOptional<z.ZodType<readonly SortedBy<string>[], string>> {
  const isKnown = (field: string) => fields.includes(field) || (takesCustom && /^cf_./.test(field))
  return z
    .string()
    .max(300)
    .transform((text) =>
      commaParts(text).map((part): SortedBy<string> => {
        const isDescending = part.startsWith('-')
        return { sortBy: isDescending ? part.slice(1) : part, sortOrder: isDescending ? 'desc' : 'asc' }
      }),
    )
    .refine((sorts) => sorts.length <= furtherSortsMax, `Expected ${furtherSortsMax} fields at most`)
    .refine(
      (sorts) => sorts.every(({ sortBy }) => isKnown(sortBy)),
      `Expected fields by commas, each with - for descending: ${fields.join(', ')}${takesCustom ? ' or cf_<name>' : ''}`,
    )
    .optional()
    .meta({ description: 'Further fields to sort by: -field,field' })
}

/** Returns `sortBy`, `sortOrder` and `thenBy` with a closed set of fields. */
export function sortQuery<const Field extends string>(fields: readonly [Field, ...Field[]]) {
  return { ...orderQuery(fields), thenBy: thenByParam(fields) }
}

/** Returns `sortBy`, `sortOrder` and `thenBy` for records with custom fields, which can be sorted by too: `cf_<name>`. */
export function customSortQuery<const Field extends string>(fields: readonly [Field, ...Field[]]) {
  const custom = z.templateLiteral(['cf_', z.string()])
  return {
    ...orderQuery(fields),
    thenBy: thenByParam(fields, true),
    sortBy: z
      .union([z.enum(fields), custom], { error: `Expected one of ${fields.join(', ')} or cf_<name>` })
      .optional(),
  }
}

const orNone = idFilter({ canBeEmpty: true })

/** The filters that the main lists share (docs/guide/lists.md). */
export const commonFilters = {
  search: z.string().max(200).optional().meta({ description: 'Free text' }),
  ownerId: personFilter.optional(),
  createdById: personFilter.optional(),
  departmentId: orNone.optional(),
  tag: z.string().max(50).optional(),
  createdFrom: rangeParam('from').optional(),
  createdTo: rangeParam('to').optional(),
  updatedFrom: rangeParam('from').optional(),
  updatedTo: rangeParam('to').optional(),
  externalSource: z.string().max(60).optional().meta({ description: 'Program it came from' }),
  externalId: z.string().max(200).optional().meta({ description: 'Its key there' }),
  savedFilterId: id.optional().meta({ description: 'A saved filter' }),
  filter: conditionsParam.optional(),
  timezone: timeZone.optional().meta({ description: 'Zone of days in filters' }),
}

/** Returns the body of a paged list (docs/guide/lists.md). */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: wholeNumber,
    page: wholeNumber,
    pageSize: wholeNumber,
    pageCount: wholeNumber,
  })
}

/** Declares a list by page and page size. */
export function pagedList<const Filters extends z.ZodRawShape, Item extends z.ZodType>(
  item: Item,
  rule: PageRule,
  filters: Filters,
) {
  return { query: z.object({ ...pagedQuery(rule), ...filters }), reply: { status: 200, body: page(item) } } as const
}

/** Declares a list by cursor: `limit`, `cursor`, then `nextCursor` and `hasMore`. */
export function cursorList<const Filters extends z.ZodRawShape, Item extends z.ZodType>(item: Item, filters: Filters) {
  const query = z.object({
    limit: cappedParam({ fallback: 50, max: 100 }),
    cursor: z.string().max(500).optional(),
    ...filters,
  })
  const body = z.object({ items: z.array(item), nextCursor: z.string().nullable(), hasMore: z.boolean() })
  return { query, reply: { status: 200, body } } as const
}

/** Declares a lookup: the first matches of a search and whether there are more, without pages. */
export function lookupList<const Filters extends z.ZodRawShape, Item extends z.ZodType>(
  item: Item,
  { limit, limitMax }: { limit: number; limitMax: number },
  filters: Filters,
) {
  const query = z.object({
    search: z.string().max(200).optional().meta({ description: 'Matched against names' }),
    limit: cappedParam({ fallback: limit, max: limitMax }),
    ...filters,
  })
  return {
    query,
    reply: { status: 200, body: z.object({ items: z.array(item), returned: wholeNumber, hasMore: z.boolean() }) },
  } as const
}

/** The sorting of a list. */
export interface SortedBy<Field extends string> {
  readonly sortBy: Field
  readonly sortOrder: z.output<typeof sortOrder>
}

/** Returns the parameter `sort=field:direction` with a closed set of fields. */
function sortParam<const Field extends string>(
  fields: readonly [Field, ...Field[]],
): z.ZodOptional<z.ZodType<SortedBy<Field>, string>> {
  const known = z.enum(fields)
  return z
    .string()
    .transform((value) => value.split(':'))
    .pipe(z.tuple([known, sortOrder], { error: `Expected one of ${fields.join(', ')}, then :asc or :desc` }))
    .transform(([sortBy, sortOrder]) => ({ sortBy, sortOrder }))
    .optional()
    .meta({ description: `field:direction, of ${fields.join(', ')}`, examples: [`${fields[0]}:desc`] })
}

/** Declares a list with `limit` as page size, one parameter to sort by, and no count of pages (docs/guide/lists.md). */
export function limitList<const Filters extends z.ZodRawShape, const Field extends string, Item extends z.ZodType>(
  item: Item,
  fields: readonly [Field, ...Field[]],
  filters: Filters,
) {
  const query = z.object({
    page: pageParam,
    limit: cappedParam({ fallback: 50, max: 100 }),
    sort: sortParam(fields),
    thenBy: thenByParam(fields),
    ...filters,
  })
  const body = z.object({ items: z.array(item), total: wholeNumber, page: wholeNumber, pageSize: wholeNumber })
  return { query, reply: { status: 200, body } } as const
}

/** Declares a small reference list: all entries at once in `data`. */
export function referenceList<Item extends z.ZodType>(item: Item) {
  return { reply: { status: 200, body: z.object({ data: z.array(item) }) } } as const
}

/** The paging of most lists: 50 by default; a page size over 100 is cut to 100. */
export const usualPages: PageRule = { pageSize: 50, pageSizeMax: 100, overMax: 'cap' }

/** The paging of contacts, companies and deals: 50 by default, more than 100 is refused (docs/guide/limits.md). */
export const refusingPages: PageRule = { pageSize: 50, pageSizeMax: 100, overMax: 'refuse' }
