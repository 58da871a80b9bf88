import {
  boundOfDay,
  customFieldEntities,
  dayOf,
  filterValuesMax,
  rangeParam,
  type Calendar,
  type CustomFieldType,
  dayParam,
} from '@crm/contract'
import { invalidQueryParam } from '@crm/errors'
import { schema, type Executor, inNameOrder } from '@crm/db'
import { and, eq, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { RecordKind } from './owned/kind.ts'

/** The properties of a custom field that filters need. */
export interface CustomFieldKind {
  readonly key: string
  readonly type: string
}

/** The types of custom fields whose values are numbers. */
export const rangedNumbers: readonly string[] = [
  'NUMBER',
  'CURRENCY',
  'PERCENTAGE',
  'RATING',
] satisfies CustomFieldType[]
const rangedDates: readonly string[] = ['DATE', 'DATETIME'] satisfies CustomFieldType[]

/** Reads the custom fields that a workspace has for an entity type. */
function listCustomFieldKinds(db: Executor, workspaceId: string, entityType: string): Promise<CustomFieldKind[]> {
  const { customFields } = schema
  return db
    .select({ key: customFields.key, type: customFields.type })
    .from(customFields)
    .where(and(eq(customFields.workspaceId, workspaceId), eq(customFields.entityType, entityType)))
}

/** Reads the custom fields of any entity type; a custom entity brings its own fields. */
export async function customFieldKindsOf(
  db: Executor,
  workspaceId: string,
  entityType: string,
): Promise<readonly CustomFieldKind[]> {
  if (customFieldEntities.some((known) => known === entityType))
    return listCustomFieldKinds(db, workspaceId, entityType)
  if (!/^[A-Z][A-Z0-9_]*$/.test(entityType)) return []
  const { customEntities } = schema
  const [entity] = await db
    .select({ fields: customEntities.fields })
    .from(customEntities)
    .where(and(eq(customEntities.workspaceId, workspaceId), eq(customEntities.key, entityType.toLowerCase())))
  return entity?.fields ?? []
}

/** Reads the custom fields of a kind of record, whether the workspace or the kind declares them. */
export async function customFieldsOf(
  db: Executor,
  workspaceId: string,
  { customFields }: Pick<RecordKind, 'customFields'>,
): Promise<readonly CustomFieldKind[]> {
  if (customFields === null) return []
  return typeof customFields === 'string' ? listCustomFieldKinds(db, workspaceId, customFields) : customFields
}

/** Returns the query parameters by which a custom field can be filtered (docs/guide/lists.md). */
export function customFieldParamNames({ key, type }: CustomFieldKind): string[] {
  if (rangedNumbers.includes(type)) return [`cf_${key}Min`, `cf_${key}Max`]
  if (rangedDates.includes(type)) return [`cf_${key}From`, `cf_${key}To`]
  return [`cf_${key}`]
}

/**
 * Returns the SQL conditions of custom-field filters, with days in a calendar; a value that does not fit the field is
 * INVALID_QUERY_PARAM.
 */
export function customFieldConditions(
  fields: readonly CustomFieldKind[],
  filters: ReadonlyMap<string, string>,
  column: SQLWrapper,
  calendar: Calendar,
): SQL | undefined {
  return and(...fields.flatMap((field) => conditionsOf(field, filters, column, calendar)))
}

function conditionsOf(
  field: CustomFieldKind,
  filters: ReadonlyMap<string, string>,
  column: SQLWrapper,
  calendar: Calendar,
): SQL[] {
  return customFieldParamNames(field).flatMap((param) => {
    const value = filters.get(param)
    return value === undefined ? [] : [conditionOf(field, param, value, column, calendar)]
  })
}

function conditionOf(
  field: CustomFieldKind,
  param: string,
  value: string,
  column: SQLWrapper,
  calendar: Calendar,
): SQL {
  if (rangedNumbers.includes(field.type)) {
    if (!isPlainNumber(value)) throw invalidQueryParam(param, 'Expected a number')
    return compareNumber(field, column, param.endsWith('Min'), value)
  }
  if (rangedDates.includes(field.type)) {
    const isLower = param.endsWith('From')
    // A date has no zone: it is the same day in every time zone of a workspace, and a moment is no day.
    const bound = (field.type === 'DATE' ? dayParam : rangeParam(isLower ? 'from' : 'to')).safeParse(value)
    if (!bound.success)
      throw invalidQueryParam(param, bound.error.issues[0]?.message ?? 'Expected an ISO 8601 date-time or date')
    const moment =
      field.type === 'DATE' ? dayOf(value, calendar) : rangeOf(boundOfDay(value, isLower ? 'from' : 'to', calendar))
    return compare(instantIn(field, column), isLower, sql`${moment}::timestamptz`)
  }
  if (field.type === 'MULTI_SELECT') return customFieldHas(field, column, partsOf(param, value))
  const isExactly = (wanted: string | boolean): SQL => customFieldIs(field, column, wanted)
  if (field.type === 'SELECT') return or(...partsOf(param, value).map(isExactly)) as SQL
  return isExactly(field.type === 'BOOLEAN' ? booleanOf(param, value) : value)
}

/** Whether a text is a number that PostgreSQL can compare exactly. */
export function isPlainNumber(text: string): boolean {
  return /^-?\d{1,30}(\.\d{1,30})?$/.test(text)
}

/** Returns the condition that a custom field has exactly a value; it says what the index of records with such values leaves out. */
export function customFieldIs({ key }: CustomFieldKind, column: SQLWrapper, value: string | boolean): SQL {
  return sql`(${column} <> '{}' AND ${column} @> ${JSON.stringify({ [key]: value })}::jsonb)`
}

/** Returns the condition that a custom field with several values has one of the given ones. */
export function customFieldHas({ key }: CustomFieldKind, column: SQLWrapper, values: readonly string[]): SQL {
  return sql`(${column} -> ${key}) ?| ${sql.param([...values])}::text[]`
}

/** Returns the values of a filter by options; no option contains a comma. */
function partsOf(param: string, value: string): string[] {
  const parts = value.split(',').map((part) => part.trim())
  if (parts.length > filterValuesMax)
    throw invalidQueryParam(param, `Expected up to ${filterValuesMax} values, separated by commas`)
  return parts
}

/** Compares a number as it is stored; a text is read as a number first, which takes ten times as long. */
function compareNumber(field: CustomFieldKind, column: SQLWrapper, isLower: boolean, bound: string): SQL {
  const stored = sql`(${column} -> ${field.key})`
  const asText = compare(numberIn(field, column), isLower, sql`${bound}::numeric`)
  return sql`CASE jsonb_typeof(${stored}) WHEN 'number' THEN ${compare(stored, isLower, sql`to_jsonb(${bound}::numeric)`)} WHEN 'string' THEN ${asText} END`
}

/** Returns the value as a number, or NULL: a stored value may be older than the field, and a failing cast would fail the whole list. */
function numberIn({ key }: CustomFieldKind, column: SQLWrapper): SQL {
  return sql`(CASE WHEN ${column} ->> ${key} ~ '^-?[0-9]{1,30}([.][0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$' THEN (${column} ->> ${key})::numeric END)`
}

/** Returns the value as a moment, or NULL: a stored value may be older than the field. */
function instantIn({ key }: CustomFieldKind, column: SQLWrapper): SQL {
  const text = sql`(${column} ->> ${key})`
  return sql`(CASE WHEN ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' AND pg_input_is_valid(${text}, 'timestamptz') THEN ${text}::timestamptz END)`
}

const rangeOf = (value: string): string => new Date(value).toISOString()

function compare(left: SQL, isLower: boolean, bound: SQL): SQL {
  return isLower ? sql`${left} >= ${bound}` : sql`${left} <= ${bound}`
}

function booleanOf(param: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalidQueryParam(param, 'Expected true or false')
  return value === 'true'
}

/** Returns the expression to sort by for `sortBy=cf_<key>`. */
export function customFieldOrder(field: CustomFieldKind, column: SQLWrapper, locale: string): SQL {
  if (rangedNumbers.includes(field.type)) return numberIn(field, column)
  const text = sql`(${column} ->> ${field.key})`
  return rangedDates.includes(field.type) ? text : inNameOrder(text, locale)
}

/** Returns the value of a custom field as text, as a number or as a moment; NULL where the stored value has another type. */
export function customFieldValue(field: CustomFieldKind, column: SQLWrapper): SQL {
  if (rangedNumbers.includes(field.type)) return numberIn(field, column)
  return rangedDates.includes(field.type) ? instantIn(field, column) : sql`(${column} ->> ${field.key})`
}

/** Returns the values of a custom field with several values, as rows with a `value`. */
export function customFieldValues({ key }: CustomFieldKind, column: SQLWrapper): SQL {
  return sql`(SELECT DISTINCT value FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(${column} -> ${key}) = 'array' THEN ${column} -> ${key} ELSE '[]' END))`
}
