import { duplicateGroupMax } from '@crm/contract'
import { isAnyOf, someRows, type Executor, type Scope } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import type { OwnedRow, RecordKind } from './kind.ts'
import { existing } from './list.ts'
import { findRecords } from './repository.ts'
import { sliceSizeMax, slicesOf } from '../slices.ts'

/** One way in which two records of a kind can look alike. */
export interface Likeness<Row> {
  /** The shared value, in SQL; null: nothing to compare. */
  readonly key: SQL
  /** Returns the shared value of a record that was read. */
  valueOf(row: Row): string | null
  /** How strongly a shared value suggests that the two are the same, from 0 to 100. */
  readonly weight: number
}

/** The ways in which records of a kind can look alike, by name. */
export type Likenesses<Row, Name extends string> = Readonly<Record<Name, Likeness<Row>>>

/** Records that share a value. */
export interface DuplicateGroup<Row> {
  readonly value: string
  /** The number of records in the group. */
  readonly count: number
  /** The oldest of them, at most `duplicateGroupMax`. */
  readonly records: readonly Row[]
}

/** Returns groups of visible records that share a value, the largest first. */
export async function findDuplicateGroups<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  scope: Scope,
  key: SQL,
  page: { readonly limit: number; readonly offset: number },
): Promise<DuplicatePage<Row>> {
  const { table } = kind
  // A group may hold a whole table, so the database bounds the rows that it returns.
  const { rows } = await db.execute<{ value: string; n: number; ids: string[]; total: number }>(sql`
    SELECT ${key} AS value, count(*)::int AS n, (array_agg(${table.id} ORDER BY ${table.createdAt}, ${table.id}))[1:${sql.raw(String(duplicateGroupMax))}] AS ids, count(*) OVER ()::int AS total
    FROM ${table} WHERE ${existing(kind, scope)} AND ${key} IS NOT NULL
    GROUP BY 1 HAVING count(*) > 1 ORDER BY count(*) DESC, 1 LIMIT ${page.limit} OFFSET ${page.offset}`)
  const ids = rows.flatMap((row) => row.ids)
  const read =
    ids.length === 0 ? { rows: [], later: [] } : await someRows(db, inOrder(kind, scope, ids), {}, sliceSizeMax)
  const found = byId(read.rows.map((raw) => kind.rows.read(raw)))
  const sizes = new Map(read.later.map(({ id, size }) => [id, size]))
  const keys = rows.map((row) => ({
    value: row.value,
    count: row.n,
    ids: row.ids,
    size: row.ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0),
  }))
  const groupOf = (
    { value, count, ids: ofGroup }: GroupKey,
    records: ReadonlyMap<string, Row>,
  ): DuplicateGroup<Row> => ({ value, count, records: ofGroup.flatMap((id) => records.get(id) ?? []) })
  const at = keys.findIndex(({ size }) => size > 0)
  const [whole, others] = at < 0 ? [keys, []] : [keys.slice(0, at), keys.slice(at)]
  return {
    groups: whole.map((group) => groupOf(group, found)),
    later: slicesOf(others).map((slice) => async () => {
      const records = await findRecords(
        db,
        kind,
        scope,
        slice.flatMap((group) => group.ids),
      )
      return slice.map((group) => groupOf(group, records))
    }),
    total: rows[0]?.total ?? (page.offset === 0 ? 0 : await countGroups(db, kind, scope, key)),
  }
}

/** A page of groups: the groups that were read, and the groups that are too large to be read at once. */
interface DuplicatePage<Row> {
  readonly groups: readonly DuplicateGroup<Row>[]
  readonly later: readonly (() => Promise<DuplicateGroup<Row>[]>)[]
  readonly total: number
}

/** A group before its records are read. */
interface GroupKey {
  readonly value: string
  readonly count: number
  readonly ids: readonly string[]
}

function inOrder(kind: RecordKind, scope: Scope, ids: readonly string[]): SQL {
  const { table } = kind
  return sql`SELECT ${table.id} AS "rowId", ${kind.rows.selection} FROM ${table} WHERE ${existing(kind, scope)} AND ${isAnyOf(table.id, ids)} ORDER BY array_position(${sql.param([...ids])}::uuid[], ${table.id})`
}

function byId<Row extends OwnedRow>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(
    rows.map(({ rowId: _rowId, ...row }: Row & { readonly rowId?: string }) => [row.id, row as unknown as Row]),
  )
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

/** Finds the visible records that share a value with one record, the likeliest first. */
export async function findAlike<Row extends OwnedRow, Name extends string>(
  db: Executor,
  kind: RecordKind<Row>,
  likenesses: Likenesses<Row, Name>,
  scope: Scope,
  row: Row,
): Promise<Alike<Row, Name>[]> {
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

/** Returns how alike two records are, and which values they share. */
export function likeness<Row, Name extends string>(
  likenesses: Likenesses<Row, Name>,
  one: Row,
  other: Row,
): Alike<Row, Name> {
  const matchedOn = (Object.keys(likenesses) as Name[]).filter((name) => {
    const value = likenesses[name].valueOf(one)
    return Boolean(value) && folded(value) === folded(likenesses[name].valueOf(other))
  })
  return {
    record: other,
    matchedOn,
    score: Math.min(
      100,
      matchedOn.reduce((sum, name) => sum + likenesses[name].weight, 0),
    ),
  }
}

function folded(text: string | null): string | null {
  return text && text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
