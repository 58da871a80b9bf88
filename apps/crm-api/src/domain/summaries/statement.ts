import { daysBeforeMonday, summaryLimits, type TimeBucket, type WeekStart } from '@crm/contract'
import { folded, schema, type Scope } from '@crm/db'
import { offsetSteps } from '@crm/scheduling'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { customFieldValue, customFieldValues } from '../../records/custom-field-filters.ts'
import type { Moment } from '../../records/moment.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import type { Asked, AskedDimension, AskedMeasure } from './question.ts'

const { pipelines, stages, recordCounts } = schema

/** The records that are summed up, and the time zone that cuts days. */
export interface Records {
  readonly scope: Scope
  readonly kind: RecordKind
  readonly where: SQL
  /** The rows of the ledger that count these records, when it has every filter. */
  readonly ledger: SQL | undefined
  readonly moment: Moment
  readonly timezone: string
  readonly weekStart: WeekStart
  /** The currency of amounts without a currency of their own. */
  readonly currency: string
}

/** The worth of one unit of a currency in the currency of the workspace. */
export type Rates = ReadonlyMap<string, string>

/**
 * Returns the statement that answers a question: one row for each group and currency, and the rows of the totals.
 *
 * First the records become cells, one for each pair of keys and each currency. Then the values of the first dimension get
 * their positions, and cells after the last requested position are folded.
 */
export function summaryStatement(records: Records, asked: Asked, rates: Rates): SQL {
  const { dimensions, measures } = asked
  const isListed = dimensions.some(({ type }) => type === 'list')
  const [first, second] = [0, 1].map((at) => keyOf(dimensions[at], at))
  const computing = commaList([sql`count(*)::bigint AS n`, ...measures.flatMap(aggregates)])
  const merging = commaList([sql`sum(n)::bigint AS n`, ...measures.flatMap(merged)])
  const cells =
    fromLedger(records, asked) ??
    sql`SELECT ${first} AS k1, ${second} AS k2, cur, ${computing} FROM hits ${isListed ? listed(dimensions) : sql``} GROUP BY 1, 2, 3`
  // A record counts once in the totals, in however many cells it is.
  const totals = isListed
    ? sql`SELECT cur, ${computing} FROM hits GROUP BY 1`
    : sql`SELECT cur, ${merging} FROM cells GROUP BY 1`
  const shown = commaList([sql`n`, ...measures.flatMap(written)])
  const top = asked.top ?? null
  const secondOrder = dimensions[1] && naturalOrder(records, dimensions[1], 'k2')
  const rank =
    secondOrder && asked.sort === undefined
      ? sql`dense_rank() OVER (ORDER BY ${secondOrder} NULLS LAST, k2 COLLATE "C")`
      : sql`NULL::bigint`
  return sql`
    WITH rates AS (SELECT * FROM unnest(${sql.param([...rates.keys()])}::text[], ${sql.param([...rates.values()])}::numeric[]) AS r (code, rate)),
    hits AS (${hitsOf(records, asked)}), ${spelledOf(dimensions)} cells AS (${cells}), totals AS (${totals}),
    ranked AS (SELECT cells.*, ${orderOf(records, asked, dimensions[0])} AS o FROM cells LEFT JOIN rates ON rates.code = cells.cur WINDOW w AS (PARTITION BY k1)),
    placed AS (SELECT ranked.*, dense_rank() OVER (ORDER BY o ${sql.raw(directionOf(records, asked, dimensions[0]))} NULLS LAST, k1 COLLATE "C" NULLS LAST) AS place FROM ranked),
    folded AS (SELECT placed.*, coalesce(place > ${top}::int, false) AS is_other FROM placed),
    counted AS (SELECT folded.*, dense_rank() OVER (PARTITION BY is_other, k2 ORDER BY place) AS nth FROM folded),
    grouped AS (
      SELECT is_other, CASE WHEN NOT is_other THEN k1 END AS k1, k2, cur, CASE WHEN NOT is_other THEN place END AS place, max(nth) AS folds, ${merging}
      FROM counted GROUP BY 1, 2, 3, 4, 5
    ),
    numbered AS (SELECT grouped.*, dense_rank() OVER (PARTITION BY is_other ORDER BY place, k2 COLLATE "C" NULLS LAST) AS number, ${rank} AS rank FROM grouped)
    SELECT 'TOTAL' AS part, NULL AS k1, NULL AS k2, cur, NULL::bigint AS place, NULL::bigint AS rank, NULL::bigint AS folds, ${shown} FROM totals
    UNION ALL
    SELECT CASE WHEN is_other THEN 'OTHER' ELSE 'GROUP' END, k1, k2, cur, place, rank, folds, ${shown} FROM numbered
    WHERE ${dimensions.length > 0} AND number <= ${summaryLimits.groups + 1}`
}

/** Returns the records with all columns for groups and measures. */
function hitsOf(records: Records, { dimensions, measures }: Asked): SQL {
  const { kind, where } = records
  const keys = dimensions.map(
    (dimension, at) =>
      sql`${dimension.type === 'list' ? listSource(kind, dimension) : keyValue(records, dimension)} AS ${sql.raw(`d${at}`)}`,
  )
  const values = measures.map((measure, at) => sql`${valueOf(records, measure)} AS ${sql.raw(`m${at}`)}`)
  const currency = measures.some(({ type }) => type === 'money')
    ? sql`coalesce(${columnOf(kind, 'currency')}, ${records.currency})`
    : sql`NULL::text`
  return sql`SELECT ${commaList([sql`${currency} AS cur`, ...keys, ...values])} FROM ${kind.table} WHERE ${where}`
}

/** Returns the source of a dimension with several values: the column itself, which is split later. */
function listSource(kind: RecordKind, { custom, name }: AskedDimension): SQL {
  return custom ? sql`${kind.table.customFields}` : sql`${columnOf(kind, name)}`
}

function listed(dimensions: readonly AskedDimension[]): SQL {
  const at = dimensions.findIndex(({ type }) => type === 'list')
  const column = sql.raw(`d${at}`)
  const custom = dimensions[at]?.custom
  if (custom) return sql`LEFT JOIN LATERAL ${customFieldValues(custom, column)} AS listed (value) ON true`
  // One tag may be spelled in several ways, and a record has it once.
  const spellings = sql`SELECT DISTINCT spelled.value FROM unnest(${column}) AS tag JOIN spelled ON spelled.text = ${folded(sql`tag`)}`
  return sql`LEFT JOIN LATERAL (${spellings}) AS listed (value) ON true`
}

/** Returns the tags of the records: each by its most frequent spelling. */
function spelledOf(dimensions: readonly AskedDimension[]): SQL {
  const at = dimensions.findIndex(({ type, custom }) => type === 'list' && !custom)
  if (at < 0) return sql``
  const counts = sql`SELECT ${folded(sql`tag`)} AS text, tag, count(*) AS n FROM hits, unnest(${sql.raw(`d${at}`)}) AS tag GROUP BY 1, 2`
  return sql`spelled AS (SELECT DISTINCT ON (text) text, tag AS value FROM (${counts}) AS each ORDER BY text, n DESC, tag COLLATE "C"),`
}

function keyOf(dimension: AskedDimension | undefined, at: number): SQL {
  if (!dimension) return sql`NULL::text`
  return dimension.type === 'list' ? sql`listed.value` : sql.raw(`d${at}`)
}

function keyValue(records: Records, dimension: AskedDimension): SQL {
  const { kind, moment } = records
  const value = dimension.custom
    ? customFieldValue(dimension.custom, kind.table.customFields)
    : (kind.computed?.[dimension.name]?.(moment) ?? sql`${columnOf(kind, dimension.name)}`)
  return dimension.bucket
    ? bucketOf(
        dimension.type === 'instant' || dimension.custom
          ? localTime(value, dimension, records.timezone)
          : sql`${value}::timestamp`,
        dimension.bucket,
        records.weekStart,
      )
    : sql`(${value})::text`
}

/** Returns the local time of a value. A custom date is the same day in every zone; it is stored as the first moment of the day in UTC. */
function localTime(value: SQL, { type }: AskedDimension, timezone: string): SQL {
  const inUtc = sql`(${value} AT TIME ZONE 'UTC')`
  if (type === 'day') return inUtc
  // PostgreSQL has rules of its own, and reads names such as CET as fixed offsets; it gets the offsets that all other days are cut by.
  const { offsets, since } = offsetSteps(timezone)
  const place = sql`1 + width_bucket(${value}, ${sql.param(since)}::timestamptz[])`
  return sql`(${inUtc} + (${sql.param(offsets)}::int[])[${place}] * interval '1 second')`
}

const bucketFormats: Readonly<Record<TimeBucket, string>> = {
  day: 'YYYY-MM-DD',
  week: 'YYYY-MM-DD',
  month: 'YYYY-MM',
  quarter: 'YYYY"-Q"Q',
  year: 'YYYY',
}

function bucketOf(local: SQL, bucket: TimeBucket, weekStart: WeekStart): SQL {
  const days = bucket === 'week' ? daysBeforeMonday[weekStart] : 0
  const shift = sql.raw(`interval '${days} days'`)
  return sql`to_char(date_trunc(${sql.raw(`'${bucket}'`)}, ${local} + ${shift}) - ${shift}, ${sql.raw(`'${bucketFormats[bucket]}'`)})`
}

function valueOf({ kind, moment }: Records, { fn, name, custom, type }: AskedMeasure): SQL {
  if (custom) return customFieldValue(custom, kind.table.customFields)
  const computed = kind.computed?.[fn === 'weighted' ? 'weighted' : name]?.(moment)
  const value = computed ?? sql`${columnOf(kind, name)}`
  return type === 'money' || type === 'number' ? sql`(${value})::numeric` : value
}

function columnOf({ table, entityType }: RecordKind, name: string): PgColumn {
  const column = (table as unknown as Readonly<Record<string, PgColumn | undefined>>)[name]
  if (!column) throw new Error(`${entityType} has no column ${name} to be summed up`)
  return column
}

const isNumeric = ({ type }: AskedMeasure): boolean => type === 'money' || type === 'number'

/** The column of the statement that holds a part of a measure: its sum, count, least or highest value. */
const columnFor = (letter: 's' | 'c' | 'l' | 'h', at: number): SQL => sql.raw(`${letter}${at}`)

/** Returns the aggregates of a measure over the records of one cell. */
function aggregates(measure: AskedMeasure, at: number): SQL[] {
  const value = sql.raw(`m${at}`)
  return [
    ...(isNumeric(measure) ? [sql`sum(${value}) AS ${columnFor('s', at)}`] : []),
    sql`count(${value})::bigint AS ${columnFor('c', at)}`,
    sql`min(${value}) AS ${columnFor('l', at)}`,
    sql`max(${value}) AS ${columnFor('h', at)}`,
  ]
}

/** Returns the aggregates of a measure over several cells. */
function merged(measure: AskedMeasure, at: number): SQL[] {
  const again = (fn: string, letter: 's' | 'l' | 'h') =>
    sql`${sql.raw(fn)}(${columnFor(letter, at)}) AS ${columnFor(letter, at)}`
  const count = columnFor('c', at)
  return [
    ...(isNumeric(measure) ? [again('sum', 's')] : []),
    sql`sum(${count})::bigint AS ${count}`,
    again('min', 'l'),
    again('max', 'h'),
  ]
}

/** Returns the aggregates of a measure as texts, which keep every digit. */
function written(measure: AskedMeasure, at: number): SQL[] {
  const text = (letter: 's' | 'l' | 'h') => sql`${textOf(measure, columnFor(letter, at))} AS ${columnFor(letter, at)}`
  return [...(isNumeric(measure) ? [text('s')] : []), columnFor('c', at), text('l'), text('h')]
}

function textOf({ type, custom }: AskedMeasure, value: SQL): SQL {
  if (type === 'instant') return sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  if (type === 'day' && custom) return sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  return sql`${value}::text`
}

/** Returns the order that gives the values of the first dimension their positions; over the cells of one value in the window `w`. */
function orderOf(records: Records, { sort, measures, convertTo }: Asked, dimension: AskedDimension | undefined): SQL {
  if (!dimension) return sql`NULL::int`
  if (sort === undefined) return naturalOrder(records, dimension, 'k1') ?? sql`sum(n) OVER w`
  if (sort.by === 'key') return sql`k1 COLLATE "C"`
  if (sort.by === 'count') return sql`sum(n) OVER w`
  const at = measures.indexOf(sort.by)
  const rate = convertTo !== undefined && sort.by.type === 'money' ? sql`* rates.rate` : sql``
  if (sort.by.fn === 'min') return sql`min(${columnFor('l', at)} ${rate}) OVER w`
  if (sort.by.fn === 'max') return sql`max(${columnFor('h', at)} ${rate}) OVER w`
  const sum = sql`sum(${columnFor('s', at)} ${rate}) OVER w`
  return sort.by.fn === 'avg' ? sql`${sum} / nullif(sum(${columnFor('c', at)}) OVER w, 0)` : sql`coalesce(${sum}, 0)`
}

function directionOf(records: Records, { sort }: Asked, dimension: AskedDimension | undefined): 'ASC' | 'DESC' {
  if (sort) return sort.direction === 'asc' ? 'ASC' : 'DESC'
  return dimension && naturalOrder(records, dimension, 'k1') ? 'ASC' : 'DESC'
}

/** Returns the natural order of values: by time, or as stages and enums are ordered. */
function naturalOrder(
  { scope }: Pick<Records, 'scope'>,
  { bucket, name, values, custom }: AskedDimension,
  key: 'k1' | 'k2',
): SQL | undefined {
  const column = sql.raw(key)
  if (bucket) return sql`${column} COLLATE "C"`
  if (values.length > 0) return sql`array_position(${sql.param([...values])}::text[], ${column})`
  if (name !== 'stageId' || custom) return undefined
  return sql`(SELECT ARRAY[p.position, s.position] FROM ${stages} s JOIN ${pipelines} p ON p.workspace_id = s.workspace_id AND p.id = s.pipeline_id
    WHERE s.workspace_id = ${scope.workspaceId} AND s.id = ${column}::uuid)`
}

/** Returns the cells from the ledger of counts, where only numbers of records are requested and it has every dimension. */
function fromLedger({ ledger, kind }: Records, { dimensions, measures }: Asked): SQL | undefined {
  if (!ledger || measures.length > 0) return undefined
  const columns = dimensions.map((dimension) => ledgerColumn(kind, dimension))
  if (columns.includes(undefined)) return undefined
  const [first, second] = [0, 1].map((at) => (columns[at] ? sql`${columns[at]}::text` : sql`NULL::text`))
  return sql`SELECT ${first} AS k1, ${second} AS k2, NULL::text AS cur, sum(n)::bigint AS n FROM ${recordCounts} WHERE ${ledger} GROUP BY 1, 2 HAVING sum(n) <> 0`
}

function ledgerColumn(kind: RecordKind, { name, custom }: AskedDimension): SQLWrapper | undefined {
  if (custom || kind.computed?.[name]) return undefined
  if (name === 'ownerId') return recordCounts.ownerId
  return name === 'departmentId' ? recordCounts.departmentId : kind.filters[name]?.ledger
}

function commaList(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `)
}
