import { companyNameKey, isPlaceholder, nameKey } from '../placeholders.ts'
import { duplicateGroupMax } from '@crm/contract'
import { isAnyOf, someRows, type Executor, type Scope } from '@crm/db'
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { toE164 } from '../contact-points.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { existing } from './list.ts'
import { findRecords } from './repository.ts'
import { searchCondition } from '../search-terms.ts'
import { sliceSizeMax, slicesOf } from '../slices.ts'

/** One way in which two records of a kind can look alike. `Signs` are the fields that it depends on. */
interface Likeness<Signs> {
  /** The shared value, in SQL; null: nothing to compare. */
  readonly key: SQL
  /** The rows beside a record, each with one of its values, where it may have several: a lateral join. */
  readonly beside?: SQL
  /** What the shared value follows from, where that is dear to compute: records are grouped by the text first, and then the few texts. */
  readonly from?: FoldedText
  /** Returns the shared value of a record that was read, or of what was typed so far for a new one; null: nothing to compare. */
  valueOf(signs: Signs): string | null
  /** Returns the condition that a record has the value, as far as possible in words that an index answers. */
  has(value: string): SQL
  /** How strongly a shared value suggests that the two are the same, from 0 to 100. */
  readonly weight: number
}

/** A text of a record, and the shared value that follows from it, in SQL. */
export interface FoldedText {
  readonly text: SQL
  keyOf(text: SQLWrapper): SQL
}

/** The ways in which records of a kind can look alike, by name. */
export type Likenesses<Signs, Name extends string> = Readonly<Record<Name, Likeness<Signs>>>

/** What somebody typed so far for a new record, as it arrives. */
export type TypedSigns<Signs> = { readonly [Sign in keyof Signs]?: string | null | undefined }

/** Returns the condition that the text of a column is a given one, whatever the case and the accents; the search index finds it. */
export function sameText(key: SQL, value: string, searchText: SQLWrapper): SQL {
  return and(
    searchCondition(value, searchText, { shortWordsBegin: true }),
    sql`${key} = (SELECT crm_fold(${value}))`,
  ) as SQL
}

/** Returns the condition that a company has a name, apart from punctuation; its words are looked up first, as in `sameText`. */
export function sameCompany(key: SQL, name: string, searchText: SQLWrapper): SQL {
  const words = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  return and(
    searchCondition(words, searchText, { shortWordsBegin: true }),
    sql`${key} = (SELECT ${companyNameKey(sql`${name}::text`)})`,
  ) as SQL
}

interface NamedPerson {
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Returns the name of a person as text, and the form in which names are compared. */
export function personNameText({ firstName, lastName }: Readonly<Record<keyof NamedPerson, PgColumn>>): FoldedText {
  return {
    text: sql`trim(coalesce(${firstName}, '') || ' ' || coalesce(${lastName}, ''))`,
    keyOf: nameKey,
  }
}

/** Returns the name of a person in the form in which names are compared. */
export function personNameKey(person: Readonly<Record<keyof NamedPerson, PgColumn>>): SQL {
  const { text, keyOf } = personNameText(person)
  return keyOf(text)
}

/** Returns the name of a person; null when there is none. */
export function personName({ firstName, lastName }: NamedPerson): string | null {
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim()
  return name === '' || isPlaceholder(name) ? null : name
}

interface PersonSigns extends NamedPerson {
  readonly email: string | null
  readonly phone: string | null
}

/** Returns what is typed of a person in the form in which it is compared. */
export function personSigns({
  email = null,
  phone = null,
  firstName = null,
  lastName = null,
}: TypedSigns<PersonSigns>): PersonSigns {
  return { email, phone: phone && toE164(phone), firstName, lastName }
}

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
  likeness: Grouped,
  page: { readonly limit: number; readonly offset: number },
): Promise<DuplicatePage<Row>> {
  const { beside = sql`` } = likeness
  const { table } = kind
  // The ids are collected for the groups of the page alone. A group may hold a whole table, so the database bounds the rows that it returns.
  const { rows } = await db.execute<{ value: string; n: number; ids: string[]; total: number }>(sql`
    WITH ${groupsOf(kind, scope, likeness)},
    page AS MATERIALIZED (SELECT value, n, count(*) OVER ()::int AS total FROM groups ORDER BY n DESC, value LIMIT ${page.limit} OFFSET ${page.offset})
    SELECT page.value, page.n, page.total,
      (array_agg(${table.id} ORDER BY ${table.createdAt}, ${table.id}))[1:${sql.raw(String(duplicateGroupMax))}] AS ids
    FROM page ${likeness.from ? sql`JOIN texts ON texts.value = page.value,` : sql`,`} ${table} ${beside}
    WHERE ${existing(kind, scope)} AND ${likeness.from ? sql`${likeness.from.text} = texts.text` : sql`${likeness.key} = page.value`}
    GROUP BY page.value, page.n, page.total ORDER BY page.n DESC, page.value`)
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
    total: rows[0]?.total ?? (page.offset === 0 ? 0 : await countGroups(db, kind, scope, likeness)),
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
  return sql`SELECT ${table.id} AS "rowId", ${kind.rows.selection(scope.workspaceId)} FROM ${table} WHERE ${existing(kind, scope)} AND ${isAnyOf(table.id, ids)} ORDER BY array_position(${sql.param([...ids])}::uuid[], ${table.id})`
}

function byId<Row extends OwnedRow>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(
    rows.map(({ rowId: _rowId, ...row }: Row & { readonly rowId?: string }) => [row.id, row as unknown as Row]),
  )
}

type Grouped = Pick<Likeness<never>, 'key' | 'beside' | 'from'>

/** Returns the query named `groups` of the shared values with the number of their records, behind the ones that it needs. */
function groupsOf(kind: RecordKind, scope: Scope, { key, beside = sql``, from }: Grouped): SQL {
  const records = sql`FROM ${kind.table} ${beside} WHERE ${existing(kind, scope)}`
  if (!from)
    return sql`groups AS (SELECT ${key} AS value, count(*)::int AS n ${records} AND ${key} IS NOT NULL GROUP BY 1 HAVING count(*) > 1)`
  return sql`plain AS (SELECT ${from.text} AS text, count(*) AS n ${records} GROUP BY 1),
    texts AS MATERIALIZED (SELECT text, ${from.keyOf(sql`text`)} AS value, n FROM plain),
    groups AS (SELECT value, sum(n)::int AS n FROM texts WHERE value IS NOT NULL GROUP BY 1 HAVING sum(n) > 1)`
}

async function countGroups(db: Executor, kind: RecordKind, scope: Scope, likeness: Grouped): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`WITH ${groupsOf(kind, scope, likeness)} SELECT count(*)::int AS total FROM groups`,
  )
  return rows[0]?.total ?? 0
}

/** A record that looks like another one. */
export interface Alike<Row, Name extends string> {
  readonly record: Row
  readonly score: number
  readonly matchedOn: Name[]
}

/** What to compare, and how far to go. */
export interface AlikeQuestion<Signs> {
  readonly signs: Signs
  /** The id of the record that everything is compared with, once there is one. */
  readonly except?: string
  /** A record that shares no likelier value than this one is left out, 0 to 100. */
  readonly weightMin?: number
  readonly limit: number
}

/** Finds the visible records that share a value with a record, the likeliest first. */
export async function findAlike<Row extends OwnedRow, Name extends string, Signs>(
  db: Executor,
  kind: RecordKind<Row>,
  likenesses: Likenesses<Signs, Name>,
  scope: Scope,
  question: AlikeQuestion<Signs>,
): Promise<Alike<Row, Name>[]> {
  const statement = alikeStatement(kind, likenesses, scope, question)
  if (statement === null) return []
  const { rows } = await db.execute<{ alikeScore: number; alikeIn: Name[] }>(statement)
  return rows.map(({ alikeScore, alikeIn, ...raw }) => ({
    record: kind.rows.read(raw),
    score: alikeScore,
    matchedOn: alikeIn,
  }))
}

/** Returns the statement that finds the records; null when there is nothing to compare. */
export function alikeStatement<Row extends OwnedRow, Name extends string, Signs>(
  kind: RecordKind<Row>,
  likenesses: Likenesses<Signs, Name>,
  scope: Scope,
  { signs, except, weightMin = 0, limit }: AlikeQuestion<Signs>,
): SQL | null {
  const ways = Object.entries<Likeness<Signs>>(likenesses).flatMap(([name, { valueOf, has, weight }]) => {
    const value = valueOf(signs)
    return value ? [{ name, weight, condition: sql`(${has(value)})` }] : []
  })
  const telling = ways.filter(({ weight }) => weight >= weightMin).map(({ condition }) => condition)
  if (telling.length === 0) return null
  const { table } = kind
  const matched = ways.map(({ name, condition }) => sql`CASE WHEN ${condition} THEN ${name} END`)
  const score = ways.map(({ weight, condition }) => sql`CASE WHEN ${condition} THEN ${weight}::int ELSE 0 END`)
  const others = except === undefined ? sql`` : sql`AND ${table.id} <> ${except}`
  return sql`
    SELECT ${kind.rows.selection(scope.workspaceId)}, least(100, ${sql.join(score, sql` + `)}) AS "alikeScore", array_remove(ARRAY[${sql.join(matched, sql`, `)}]::text[], NULL) AS "alikeIn"
    FROM ${table} WHERE ${existing(kind, scope)} ${others} AND (${sql.join(telling, sql` OR `)})
    ORDER BY "alikeScore" DESC, ${table.createdAt} LIMIT ${limit}`
}
