import { holdsFolded, isFoldedAny } from '@crm/db'
import {
  boundOfDay,
  conditionsIn,
  customFieldOperators,
  customFieldPrefix,
  dayOf,
  describeCustomRecords,
  describeKind,
  id,
  own,
  rangeParam,
  type Condition,
  type ConditionGroup,
  type ConditionValue,
  type FilterOperator,
  type RecordField,
} from '@crm/contract'
import { invalidQueryParam, suggestionsFor } from '@crm/errors'
import type { Module } from '@crm/permissions'
import { and, not, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  customFieldHas,
  customFieldIs,
  customFieldValue,
  customFieldValues,
  isPlainNumber,
  type CustomFieldKind,
} from '../custom-field-filters.ts'
import type { Moment } from '../moment.ts'
import { commonFilters } from './common-filters.ts'
import { contains, equals, taggedWith, type Filter, type RecordKind } from './kind.ts'

/** The parameter in which a structured filter comes. */
const param = 'filter'

/** The caller and the records that a structured filter is for. */
export interface Filtered {
  readonly kind: RecordKind
  /** The custom fields that the records have; they are needed where the filter names one. */
  readonly customFields: readonly CustomFieldKind[]
  readonly moment: Moment
  /** The employee that `me` stands for. */
  readonly employeeId: string
}

/** Whether a structured filter compares custom fields. */
export function namesCustomFields(group: ConditionGroup | undefined): boolean {
  return group !== undefined && conditionsIn(group).some(({ field }) => field.startsWith(customFieldPrefix))
}

/**
 * Returns the SQL condition of a structured filter (docs/guide/lists.md).
 * @throws ApiError INVALID_QUERY_PARAM for an unknown field, an operator that a field does not have, and a value that does not fit it
 */
export function structuredCondition(group: ConditionGroup, filtered: Filtered): SQL {
  const join = group.match === 'and' ? and : or
  return join(
    ...group.members.map((member) =>
      'match' in member ? structuredCondition(member, filtered) : sql`(${conditionOf(member, filtered)})`,
    ),
  ) as SQL
}

/** Returns the modules that must be on for the fields of a structured filter. */
export function modulesNamedBy(group: ConditionGroup, { filters, fieldModules = {} }: RecordKind): readonly Module[] {
  return conditionsIn(group).flatMap(({ field }) => own(filters, field)?.module ?? own(fieldModules, field) ?? [])
}

/** A field that can be compared. */
interface Comparable {
  readonly key: string
  readonly type: string
  readonly operators: readonly FilterOperator[]
  /** The known values, where they are the same in every workspace. */
  readonly options: readonly string[]
  /** The kind that a reference refers to. */
  readonly references: string | null
  readonly custom: CustomFieldKind | undefined
}

function conditionOf(condition: Condition, filtered: Filtered): SQL {
  const field = fieldOf(condition, filtered)
  if (!field.operators.includes(condition.op))
    throw refuse(
      `${field.key} has no operator ${condition.op}: expected one of ${field.operators.join(', ')}`,
      condition.op,
      field.operators,
    )
  return shapeOf(field)(condition, field, filtered)
}

function fieldOf({ field: name }: Condition, { kind, customFields }: Filtered): Comparable {
  const known = comparableFields(kind)
  const field = known.get(name)
  if (field) return field
  const custom = customFields.find(({ key }) => `${customFieldPrefix}${key}` === name)
  if (custom)
    return {
      key: name,
      type: custom.type,
      operators: customFieldOperators(custom.type),
      options: [],
      references: null,
      custom,
    }
  throw refuse(`There is no field ${name} to filter by`, name, [
    ...known.keys(),
    ...customFields.map(({ key }) => `${customFieldPrefix}${key}`),
  ])
}

/** Bounded: the declared fields of each kind of record. */
const fieldsByType = new WeakMap<readonly RecordField[], ReadonlyMap<string, Comparable>>()

/** Returns the built-in fields of a kind that have operators. */
function comparableFields({ entityType }: RecordKind): ReadonlyMap<string, Comparable> {
  const fields = describeKind(entityType)?.fields ?? describeCustomRecords()
  const known =
    fieldsByType.get(fields) ??
    new Map(
      fields
        .filter(({ operators }) => operators.length > 0)
        .map(({ options, ...field }) => [
          field.key,
          { ...field, options: options.map(({ value }) => value), custom: undefined },
        ]),
    )
  fieldsByType.set(fields, known)
  return known
}

type Shape = (condition: Condition, field: Comparable, filtered: Filtered) => SQL

function shapeOf({ type }: Comparable): Shape {
  return shapes[type] ?? compareTexts
}

const compareTexts: Shape = ({ op, values }, field, filtered) => {
  const value = sql`(${valueOf(field, filtered)})::text`
  const texts = values.map((text) => textOf(field, text))
  return byEmptiness(op, sql`coalesce(${value}, '') = ''`, () => {
    if (op === 'contains') return holdsFolded(value, texts[0] ?? '')
    if (op === 'startsWith') return holdsFolded(value, texts[0] ?? '', 'start')
    return isFoldedAny(value, texts)
  })
}

/** Compares fields that hold one of several known values; null stands for `none`. */
const compareChoices: Shape = ({ op, values }, field, filtered) => {
  const wanted = values.map((value) => choiceOf(field, value, filtered))
  const { custom } = field
  if (custom) {
    const { customFields } = filtered.kind.table
    return byEmptiness(op, sql`${customFields} ->> ${custom.key} IS NULL`, () =>
      anyOf(
        wanted.map((value) =>
          value === null ? isNoValue(custom, filtered) : customFieldIs(custom, customFields, value),
        ),
      ),
    )
  }
  const filter = filterOf(field, filtered)
  const has = (some: readonly (string | boolean | null)[]): SQL => filter.condition(some as never, filtered.moment)
  return byEmptiness(
    op,
    () => has([null]),
    () => has(wanted),
  )
}

const compareFlags: Shape = ({ op, values }, field, filtered) => {
  const wanted = flagOf(field, values[0])
  const { custom } = field
  if (custom) {
    const { customFields } = filtered.kind.table
    return byEmptiness(op, sql`${customFields} ->> ${custom.key} IS NULL`, () =>
      customFieldIs(custom, customFields, wanted),
    )
  }
  const filter = filterOf(field, filtered)
  return byEmptiness(op, sql`${valueOf(field, filtered)} IS NULL`, () =>
    filter.condition(wanted as never, filtered.moment),
  )
}

/** Compares fields that hold several values. */
const compareLists: Shape = ({ op, values }, field, filtered) => {
  const wanted = values.map((value) => choiceOf(field, value, filtered))
  const { custom } = field
  if (custom) {
    const { customFields } = filtered.kind.table
    const isEmpty = sql`NOT EXISTS (SELECT FROM ${customFieldValues(custom, customFields)} AS listed)`
    const texts = wanted.filter((value) => value !== null)
    return byEmptiness(op, isEmpty, () =>
      anyOf([
        ...(texts.length > 0 ? [customFieldHas(custom, customFields, texts)] : []),
        ...(texts.length < wanted.length ? [isEmpty] : []),
      ]),
    )
  }
  const column = columnOf(field, filtered)
  const filter = field.type === 'TAGS' ? taggedWith(column) : contains(column)
  const has = (some: readonly (string | null)[]): SQL => filter.condition(some as never, filtered.moment)
  return byEmptiness(
    op,
    () => has([null]),
    () => has(wanted),
  )
}

const compareNumbers: Shape = ({ op, values }, field, filtered) => {
  const value = sql`(${valueOf(field, filtered)})::numeric`
  const [low, high = low] = values.map((number) => sql`${numberOf(field, number)}::numeric`)
  return byOrder(op, value, { low, high })
}

const compareDays: Shape = ({ op, values }, field, filtered) => {
  const value = sql`(${valueOf(field, filtered)})::date`
  const [low, high = low] = values.map((day) => sql`${dayMeant(field, day, filtered)}::date`)
  return byOrder(op, value, { low, high })
}

/** Compares moments. A day is a range: after a day means after its end. */
const compareMoments: Shape = ({ op, values }, field, filtered) => {
  const value = valueOf(field, filtered)
  const [from, to = from] = values
  if (from === undefined || to === undefined) return byOrder(op, value, {})
  const bounds = { low: momentMeant(field, from, 'from', filtered), high: momentMeant(field, to, 'to', filtered) }
  if (op === 'gt') return sql`${value} > ${momentMeant(field, from, 'to', filtered)}`
  if (op === 'lte') return sql`${value} <= ${bounds.high}`
  if (op === 'is' || op === 'isNot')
    return byEmptiness(op, sql`false`, () => sql`${value} BETWEEN ${bounds.low} AND ${bounds.high}`)
  return byOrder(op, value, bounds)
}

const shapes: Readonly<Record<string, Shape>> = {
  SELECT: compareChoices,
  REFERENCE: compareChoices,
  BOOLEAN: compareFlags,
  MULTI_SELECT: compareLists,
  REFERENCE_LIST: compareLists,
  TAGS: compareLists,
  TEXT_LIST: compareLists,
  NUMBER: compareNumbers,
  CURRENCY: compareNumbers,
  PERCENTAGE: compareNumbers,
  RATING: compareNumbers,
  DATE: compareDays,
  DATETIME: compareMoments,
}

/** Applies the operators about emptiness and negation; a record without a value is not the wanted one. */
function byEmptiness(op: FilterOperator, isEmpty: SQL | (() => SQL), matches: () => SQL): SQL {
  const empty = (): SQL => (typeof isEmpty === 'function' ? isEmpty() : isEmpty)
  if (op === 'empty') return empty()
  if (op === 'notEmpty') return not(sql`(${empty()})`)
  return op === 'isNot' ? sql`NOT coalesce((${matches()}), false)` : matches()
}

const signs: Partial<Record<FilterOperator, SQL>> = {
  is: sql`=`,
  isNot: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}

function byOrder(
  op: FilterOperator,
  value: SQL,
  { low, high }: { low?: SQL | undefined; high?: SQL | undefined },
): SQL {
  return byEmptiness(op, sql`${value} IS NULL`, () =>
    op === 'between' ? sql`${value} BETWEEN ${low} AND ${high}` : sql`${value} ${signs[op]} ${low}`,
  )
}

/** Returns the filter that a list has for a field, so that both mean the same. */
function filterOf(field: Comparable, { kind }: Filtered): Filter {
  return kind.filters[field.key] ?? commonFilters(kind.table)[field.key] ?? equals(columnOf(field, { kind }))
}

function valueOf(field: Comparable, filtered: Filtered): SQL {
  const { kind, moment } = filtered
  if (field.custom) return customFieldValue(field.custom, kind.table.customFields)
  return kind.computed?.[field.key]?.(moment) ?? sql`${columnOf(field, filtered)}`
}

function columnOf({ key }: Comparable, { kind }: Pick<Filtered, 'kind'>): PgColumn {
  const column = (kind.table as unknown as Readonly<Record<string, PgColumn | undefined>>)[key]
  if (!column) throw new Error(`${kind.entityType} has no column ${key} to filter by`)
  return column
}

function isNoValue({ key }: CustomFieldKind, { kind }: Filtered): SQL {
  return sql`${kind.table.customFields} ->> ${key} IS NULL`
}

function anyOf(conditions: readonly SQL[]): SQL {
  return or(...conditions) as SQL
}

const textCharactersMax = 500

function textOf({ key }: Comparable, value: ConditionValue): string {
  const text = String(value).trim()
  if (typeof value !== 'string' || text === '' || text.length > textCharactersMax)
    throw refuse(`${key}: expected a text of 1 to ${textCharactersMax} characters`)
  return text
}

function choiceOf(field: Comparable, value: ConditionValue, { employeeId }: Filtered): string | null {
  const { key, options, references, operators } = field
  const text = textOf(field, value)
  if (text === 'none' && operators.includes('empty')) return null
  if (references === 'EMPLOYEE' && text === 'me') return employeeId
  if (references !== null && references !== 'CURRENCY') {
    const known = id.safeParse(text).data
    if (known === undefined) throw refuse(`${key}: ${text} is not a valid id`)
    return known
  }
  if (options.length > 0 && !options.includes(text))
    throw refuse(`${key}: ${text} is none of ${options.join(', ')}`, text, options)
  return text
}

function flagOf({ key }: Comparable, value: ConditionValue | undefined): boolean {
  if (value === undefined) return true
  if (value !== true && value !== false && value !== 'true' && value !== 'false')
    throw refuse(`${key}: expected true or false`)
  return String(value) === 'true'
}

function numberOf({ key }: Comparable, value: ConditionValue): string {
  const text = String(value)
  if (typeof value === 'boolean' || !isPlainNumber(text)) throw refuse(`${key}: expected a number`)
  return text
}

function dayMeant({ key }: Comparable, value: ConditionValue, { moment: { calendar } }: Filtered): string {
  const day = typeof value === 'string' ? dayOf(value, calendar) : undefined
  if (day === undefined || !rangeParam('from').safeParse(day).success)
    throw refuse(`${key}: expected a date, or a word such as today, startOfMonth or -30d`)
  return day
}

function momentMeant(
  { key }: Comparable,
  value: ConditionValue,
  bound: 'from' | 'to',
  { moment: { calendar } }: Filtered,
): SQL {
  const parsed = rangeParam(bound).safeParse(typeof value === 'string' ? boundOfDay(value, bound, calendar) : undefined)
  if (!parsed.success)
    throw refuse(`${key}: expected a date-time, a date, or a word such as today, startOfMonth or -30d`)
  return sql`${parsed.data.toISOString()}::timestamptz`
}

function refuse(message: string, wrong?: string, known: readonly string[] = []) {
  return invalidQueryParam(param, message, wrong === undefined ? undefined : suggestionsFor([wrong], known))
}
