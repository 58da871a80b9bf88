import { duplicateGroupMax } from '@crm/contract'
import type { Executor, Scope } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import type { OwnedRow, RecordKind } from './kind.ts'
import { existing } from './list.ts'
import { findRecords } from './repository.ts'

/** One way in which two records of a kind can look alike. */
export interface Likeness<Row> {
  /** What they share, in SQL; null: nothing to compare. */
  readonly key: SQL
  /** The same of a record that was read. */
  valueOf(row: Row): string | null
  /** How much a shared value says that the two are the same, from 0 to 100. */
  readonly weight: number
}

/** How records of a kind can look alike, by the name of the way. */
export type Likenesses<Row, Name extends string> = Readonly<Record<Name, Likeness<Row>>>

/** Records that share a value. */
export interface DuplicateGroup<Row> {
  readonly value: string
  /** How many there are. */
  readonly count: number
  /** The oldest of them, at most `duplicateGroupMax`. */
  readonly records: readonly Row[]
}

/** Groups of visible records that share a value, the largest first. */
export async function findDuplicateGroups<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  scope: Scope,
  key: SQL,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly groups: readonly DuplicateGroup<Row>[]; readonly total: number }> {
  const { table } = kind
  // A group may hold a whole table: what leaves the database is bounded there.
  const { rows } = await db.execute<{ value: string; n: number; ids: string[]; total: number }>(sql`
    SELECT ${key} AS value, count(*)::int AS n, (array_agg(${table.id} ORDER BY ${table.createdAt}, ${table.id}))[1:${sql.raw(String(duplicateGroupMax))}] AS ids, count(*) OVER ()::int AS total
    FROM ${table} WHERE ${existing(kind, scope)} AND ${key} IS NOT NULL
    GROUP BY 1 HAVING count(*) > 1 ORDER BY count(*) DESC, 1 LIMIT ${page.limit} OFFSET ${page.offset}`)
  const found = await findRecords(db, kind, scope, rows.flatMap((row) => row.ids))
  const groups = rows.map((row) => ({ value: row.value, count: row.n, records: row.ids.flatMap((id) => found.get(id) ?? []) }))
  return { groups, total: rows[0]?.total ?? (page.offset === 0 ? 0 : await countGroups(db, kind, scope, key)) }
}

async function countGroups(db: Executor, kind: RecordKind, scope: Scope, key: SQL): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT 1 FROM ${kind.table} WHERE ${existing(kind, scope)} AND ${key} IS NOT NULL GROUP BY ${key} HAVING count(*) > 1) groups`)
  return rows[0]?.total ?? 0
}

/** A record that looks like another one. */
export interface Alike<Row, Name extends string> {
  readonly record: Row
  readonly score: number
  readonly matchedOn: Name[]
}

const alikeMax = 100

/** The visible records that share something with one record, the likeliest first. */
export async function findAlike<Row extends OwnedRow, Name extends string>(db: Executor, kind: RecordKind<Row>, likenesses: Likenesses<Row, Name>, scope: Scope, row: Row): Promise<Alike<Row, Name>[]> {
  const shared = Object.values<Likeness<Row>>(likenesses).flatMap(({ key, valueOf }) => {
    const value = valueOf(row)
    return value ? [sql`${key} = crm_fold(${value})`] : []
  })
  if (shared.length === 0) return []
  const { table } = kind
  const { rows } = await db.execute(sql`
    SELECT ${kind.rows.selection} FROM ${table} WHERE ${existing(kind, scope)} AND ${table.id} <> ${row.id} AND (${sql.join(shared, sql` OR `)})
    ORDER BY ${table.createdAt} LIMIT ${alikeMax}`)
  return rows.map((raw) => likeness(likenesses, row, kind.rows.read(raw))).sort((a, b) => b.score - a.score)
}

/** How alike two records are, and in what. */
export function likeness<Row, Name extends string>(likenesses: Likenesses<Row, Name>, one: Row, other: Row): Alike<Row, Name> {
  const matchedOn = (Object.keys(likenesses) as Name[]).filter((name) => {
    const value = likenesses[name].valueOf(one)
    return Boolean(value) && folded(value) === folded(likenesses[name].valueOf(other))
  })
  return { record: other, matchedOn, score: Math.min(100, matchedOn.reduce((sum, name) => sum + likenesses[name].weight, 0)) }
}

function folded(text: string | null): string | null {
  return text && text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
