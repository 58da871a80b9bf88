import { ApiError } from '@crm/errors'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { parseFilter, type ScimFilter, type ScimOperator, type ScimValue } from './scim.filter.ts'

/** An attribute that filters know. `exact`: letters in different case differ. */
export type ScimAttribute =
  | { readonly type: 'text' | 'exact' | 'boolean' | 'instant'; readonly sql: SQL }
  /** Values of other rows: `from` names and joins them. */
  | { readonly type: 'many'; readonly from: SQL; readonly attributes: ScimAttributes }

/** The attributes of a kind of resource, by their names in lower case. */
export type ScimAttributes = ReadonlyMap<string, ScimAttribute>

/** Returns the condition of a filter in SQL. Throws `invalidFilter` for unknown attributes and comparisons without sense. */
export function scimCondition(filter: string | undefined, attributes: ScimAttributes): SQL | undefined {
  return filter === undefined ? undefined : toSql(parseFilter(filter), attributes)
}

/** Returns the condition of a filter that is read already. */
export function toSql(filter: ScimFilter, attributes: ScimAttributes): SQL {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        filter.parts.map((part) => toSql(part, attributes)),
        filter.kind === 'and' ? sql` AND ` : sql` OR `,
      )})`
    case 'not':
      return sql`NOT coalesce(${toSql(filter.part, attributes)}, false)`
    case 'present':
      return isPresent(filter.attribute, attributes)
    case 'compare':
      return withAttribute(filter.attribute, attributes, (attribute) =>
        compare(attribute, filter.operator, filter.value),
      )
    case 'some':
      return someOf(filter.attribute, filter.of, attributes)
  }
}

type Single = Exclude<ScimAttribute, { readonly type: 'many' }>

/** An attribute with parts is there when one of them is. */
function isPresent(name: string, attributes: ScimAttributes): SQL {
  const parts = attributes.has(name) ? [] : [...partsOf(name, attributes).values()]
  if (parts.length > 0)
    return sql`(${sql.join(
      parts.map((part) => hasValue(part)),
      sql` OR `,
    )})`
  return withAttribute(name, attributes, hasValue)
}

function hasValue(attribute: ScimAttribute): SQL {
  switch (attribute.type) {
    case 'text':
    case 'exact':
      return sql`(${attribute.sql} <> '') IS TRUE`
    case 'boolean':
    case 'instant':
      return sql`${attribute.sql} IS NOT NULL`
    case 'many':
      return sql`EXISTS (SELECT ${attribute.from})`
  }
}

/** Returns the parts of an attribute, or the attributes of an extension, by their names without its own. */
function partsOf(name: string, attributes: ScimAttributes): ScimAttributes {
  return new Map(
    [...attributes].flatMap(([known, part]) =>
      known.startsWith(`${name}.`) || known.startsWith(`${name}:`) ? [[known.slice(name.length + 1), part]] : [],
    ),
  )
}

function withAttribute(name: string, attributes: ScimAttributes, condition: (attribute: Single) => SQL): SQL {
  const own = attributes.get(name)
  const [first = '', ...rest] = own ? [name, 'value'] : name.split(/\.(?=[^.]*$)/)
  const attribute = own ?? attributes.get(first)
  if (!attribute || (!own && attribute.type !== 'many')) throw unusable(`There is no attribute ${name}`)
  if (attribute.type !== 'many') return condition(attribute)
  const inner = withAttribute(rest.join('.'), attribute.attributes, condition)
  return sql`EXISTS (SELECT ${attribute.from} AND ${inner})`
}

/** A filter in brackets is about one value of an attribute that has several. */
function someOf(name: string, of: ScimFilter, attributes: ScimAttributes): SQL {
  const attribute = attributes.get(name)
  if (attribute?.type === 'many') return sql`EXISTS (SELECT ${attribute.from} AND ${toSql(of, attribute.attributes)})`
  const parts = partsOf(name, attributes)
  if (parts.size === 0) throw unusable(`There is no attribute ${name}`)
  return toSql(of, parts)
}

function compare(attribute: Single, operator: ScimOperator, value: ScimValue): SQL {
  if (value === null) {
    if (operator === 'eq') return sql`${attribute.sql} IS NULL`
    if (operator === 'ne') return sql`${attribute.sql} IS NOT NULL`
    throw unusable('null is only equal or not')
  }
  switch (attribute.type) {
    case 'boolean':
      return compareBoolean(attribute.sql, operator, value)
    case 'instant':
      return compareInstant(attribute.sql, operator, value)
    case 'text':
    case 'exact':
      return compareText(attribute, operator, value)
  }
}

function compareBoolean(left: SQL, operator: ScimOperator, value: ScimValue): SQL {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined
  const wanted = text === 'true' || text === 'false' ? text === 'true' : value
  if (typeof wanted !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
    throw unusable('This attribute is true or false')
  return sql`${left} IS NOT DISTINCT FROM ${operator === 'eq' ? wanted : !wanted}`
}

const signs: Partial<Record<ScimOperator, SQL>> = {
  eq: sql`=`,
  ne: sql`IS DISTINCT FROM`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

/** A day that does not exist is no time; Date.parse takes 30 February for 2 March. */
const aTime = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])
/** The years that both sides write with four digits. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')

function compareInstant(left: SQL, operator: ScimOperator, value: ScimValue): SQL {
  const sign = signs[operator]
  const ms = aTime.safeParse(value).success ? Date.parse(value as string) : Number.NaN
  if (!sign || !(ms >= earliestMs && ms <= latestMs)) throw unusable('This attribute is a time')
  return sql`${left} ${sign} ${new Date(ms).toISOString()}::timestamptz`
}

function compareText({ type, sql: column }: Single, operator: ScimOperator, value: ScimValue): SQL {
  if (typeof value !== 'string') throw unusable('This attribute is a text')
  const [left, right] =
    type === 'exact' ? [column, sql`${value}::text`] : [sql`lower(${column})`, sql`lower(${value}::text)`]
  switch (operator) {
    case 'co':
      return sql`position(${right} IN ${left}) > 0`
    case 'sw':
      return sql`starts_with(${left}, ${right})`
    case 'ew':
      return sql`right(${left}, length(${right})) = ${right}`
    case 'eq':
    case 'ne':
      return sql`${left} ${signs[operator]} ${right}`
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return sql`(${left} COLLATE "C") ${signs[operator]} ${right}`
  }
}

function unusable(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { message, reason: 'invalidFilter' })
}
