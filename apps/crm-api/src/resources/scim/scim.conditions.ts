import { ApiError } from '@crm/errors'
import { sql, type SQL } from 'drizzle-orm'
import { parseFilter, type ScimFilter, type ScimOperator, type ScimValue } from './scim.filter.ts'

/** An attribute that filters know. `exact`: letters in different case differ. */
export type ScimAttribute =
  | { readonly type: 'text' | 'exact' | 'boolean' | 'instant'; readonly sql: SQL }
  /** Values of other rows: `from` names and joins them. */
  | { readonly type: 'many'; readonly from: SQL; readonly attributes: ScimAttributes }

/** The attributes of a kind of resource, by their names in lower case. */
export type ScimAttributes = Readonly<Record<string, ScimAttribute>>

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
      return withAttribute(filter.attribute, attributes, (attribute) =>
        attribute.type === 'text' || attribute.type === 'exact'
          ? sql`(${attribute.sql} <> '') IS TRUE`
          : sql`${attribute.sql} IS NOT NULL`,
      )
    case 'compare':
      return withAttribute(filter.attribute, attributes, (attribute) =>
        compare(attribute, filter.operator, filter.value),
      )
    case 'some':
      return someOf(filter.attribute, filter.of, attributes)
  }
}

type Single = Exclude<ScimAttribute, { readonly type: 'many' }>

function withAttribute(name: string, attributes: ScimAttributes, condition: (attribute: Single) => SQL): SQL {
  const own = attributes[name]
  const [first = '', ...rest] = own ? [name, 'value'] : name.split(/\.(?=[^.]*$)/)
  const attribute = own ?? attributes[first]
  if (!attribute || (!own && attribute.type !== 'many')) throw unusable(`There is no attribute ${name}`)
  if (attribute.type !== 'many') return condition(attribute)
  const inner = withAttribute(rest.join('.'), attribute.attributes, condition)
  return sql`EXISTS (SELECT ${attribute.from} AND ${inner})`
}

/** A filter in brackets is about one value of an attribute that has several. */
function someOf(name: string, of: ScimFilter, attributes: ScimAttributes): SQL {
  const attribute = attributes[name]
  if (attribute?.type === 'many') return sql`EXISTS (SELECT ${attribute.from} AND ${toSql(of, attribute.attributes)})`
  const parts = Object.entries(attributes).filter(([known]) => known.startsWith(`${name}.`))
  if (parts.length === 0) throw unusable(`There is no attribute ${name}`)
  const inside = Object.fromEntries(parts.map(([known, part]) => [known.slice(name.length + 1), part]))
  return toSql(of, inside)
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
  const wanted = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value
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

function compareInstant(left: SQL, operator: ScimOperator, value: ScimValue): SQL {
  const sign = signs[operator]
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!sign || Number.isNaN(ms)) throw unusable('This attribute is a time')
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
