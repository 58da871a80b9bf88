import { isAnyOf, returned, rowReader, rowsOf, schema, writeRows, type Transaction } from '@crm/db'
import { and, eq, getTableColumns, getTableName, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { RecordKind } from './kind.ts'
import { joinTraces, leaveTrace, traceChanged } from './trace.ts'
import type { WriteContext } from './write.ts'

const { comments, dashboards, documentRecords, fileLinks, follows, recordLinks, savedFilters, timeline } = schema

/** A column of a table that points to records of a kind. */
export interface Children {
  readonly table: PgTable & { readonly workspaceId: PgColumn }
  readonly column: PgColumn
  /** The kind of record that has the column, and the field that it is; undefined for what is no record. */
  readonly of?: { readonly kind: RecordKind; readonly field: string }
}

/** The kind of the records, and what points to them. */
interface Pointed {
  readonly kind: Pick<RecordKind, 'entityType' | 'table'>
  readonly children: readonly Children[]
}

/** What a merge moved, by ids. */
export interface Moved {
  readonly rows: schema.MergedRows[]
  readonly links: schema.MergedLinks[]
}

/** What belongs to the records of a merge. */
interface Sides {
  readonly survivorId: string
  readonly sourceIds: readonly string[]
}

/** Everything that points to records of a kind by a column of its own, with the condition under which it does. */
function pointersTo({ kind: { entityType, table }, children }: Pointed): (Children & { readonly only?: SQL })[] {
  const ofEntity = [comments, timeline, documentRecords].map((each) => ({
    table: each,
    column: each.entityId,
    only: eq(each.entityType, entityType),
  }))
  return [...ofEntity, ...children, ...(table.mergedIntoId ? [{ table, column: table.mergedIntoId }] : [])]
}

/** The links that a record has once: of followers, of tasks and activities, and of files. */
const linkTables = [follows, recordLinks, fileLinks]

/** Lets everything that points to the sources of a merge point to the record that stays, and returns what moved. */
export async function moveToSurvivor(
  tx: Transaction,
  context: WriteContext,
  pointed: Pointed,
  sides: Sides,
): Promise<Moved> {
  const { survivorId, sourceIds } = sides
  const sources = sql`${sql.param([...sourceIds])}::uuid[]`
  const rows: schema.MergedRows[] = []
  for (const pointer of pointersTo(pointed)) {
    const { column } = pointer
    const moves = isList(column)
      ? {
          where: sql`${column} && ${sources}`,
          to: sql`ARRAY(SELECT DISTINCT CASE WHEN one = ANY(${sources}) THEN ${survivorId}::uuid ELSE one END FROM unnest(${column}) one)`,
        }
      : { where: sql`${column} = ANY(${sources})`, to: sql`${survivorId}::uuid` }
    const found = await movePointers(tx, context, pointer, moves)
    for (const from of sourceIds) {
      const ids = found.flatMap(({ id, before }) => ([before].flat().includes(from) ? [id] : []))
      if (ids.length > 0) rows.push({ table: getTableName(pointer.table), column: column.name, from, ids })
    }
  }
  const links: schema.MergedLinks[] = []
  for (const table of linkTables) links.push(await moveLinks(tx, context, pointed.kind.entityType, table, sides))
  await followViews(tx, context.workspace.id, sides)
  return { rows, links: links.filter(({ gone }) => gone.length > 0) }
}

/** Gives what a merge moved back to the sources that are there again, as far as it still points to the record that stayed. */
export async function giveBack(
  tx: Transaction,
  context: WriteContext,
  pointed: Pointed,
  { rows, links }: Moved,
  { survivorId, sourceIds }: Sides,
): Promise<void> {
  const pointers = pointersTo(pointed)
  for (const { table, column: name, from, ids } of rows) {
    const pointer = pointers.find((each) => getTableName(each.table) === table && each.column.name === name)
    if (!pointer || !sourceIds.includes(from)) continue
    const { column } = pointer
    const ofRow = isAnyOf(idOf(pointer), ids)
    await movePointers(
      tx,
      context,
      pointer,
      isList(column)
        ? {
            where: sql`${ofRow} AND ${survivorId} = ANY(${column})`,
            to: sql`array_replace(${column}, ${survivorId}::uuid, ${from}::uuid)`,
          }
        : { where: sql`${ofRow} AND ${column} = ${survivorId}`, to: sql`${from}::uuid` },
    )
  }
  for (const moved of links) await giveLinksBack(tx, context, pointed.kind.entityType, moved, { survivorId, sourceIds })
}

function isList(column: PgColumn): boolean {
  return column.getSQLType().endsWith('[]')
}

function idOf({ table }: Pick<Children, 'table'>): PgColumn {
  return (table as typeof table & { readonly id: PgColumn }).id
}

interface Moves {
  readonly where: SQL
  readonly to: SQL
}

/** A row that points elsewhere now. */
interface MovedRow {
  readonly id: string
  readonly before: string | readonly string[] | null
}

async function movePointers(
  tx: Transaction,
  context: WriteContext,
  pointer: Children & { readonly only?: SQL },
  { where, to }: Moves,
): Promise<readonly MovedRow[]> {
  const { table, column, of, only } = pointer
  const moves = { to, where: and(eq(table.workspaceId, context.workspace.id), only, where) as SQL }
  if (of) return moveRecords(tx, context, of, column, moves)
  const name = sql.identifier(column.name)
  const answer = returned({ id: idOf(pointer), before: sql`old.${name}` })
  const move = sql`UPDATE ${table} SET ${name} = ${to} WHERE ${moves.where}`
  return writeRows<MovedRow & Record<string, unknown>>(tx, table, move, answer)
}

/** Records of one statement: each leaves an entry and an event. */
const movedAtOnce = 500

/** Lets records point elsewhere; each has changed, and tells it as after any other change. */
async function moveRecords(
  tx: Transaction,
  context: WriteContext,
  { kind, field }: NonNullable<Children['of']>,
  column: PgColumn,
  { where, to }: Moves,
): Promise<readonly MovedRow[]> {
  const { table } = kind
  const name = sql.identifier(column.name)
  const moved: MovedRow[] = []
  const row = rowsOf(kind.rows, context.workspace.id)
  const around = returned({
    isThere: sql`${table.deletedAt} IS NULL`,
    before: sql`old.${name}`,
    after: sql`new.${name}`,
  })
  const answer = {
    selection: sql`${row.selection}, ${around.selection}`,
    names: sql`${row.names}, ${around.names}`,
  }
  for (;;) {
    const some = sql`
      UPDATE ${table} SET ${name} = ${to}, version = version + 1, updated_at = ${context.at}
      FROM (SELECT ${table.id} AS moved_id FROM ${table} WHERE ${where} ORDER BY ${table.id} LIMIT ${movedAtOnce} FOR NO KEY UPDATE) AS pointing
      WHERE ${table.workspaceId} = ${context.workspace.id} AND ${table.id} = moved_id`
    const found = await writeRows<{ isThere: boolean; before: MovedRow['before']; after: unknown }>(
      tx,
      table,
      some,
      answer,
    )
    const traces = found.map(({ isThere, before, after, ...raw }) => {
      const row = kind.rows.read(raw)
      moved.push({ id: row.id, before })
      return isThere ? traceChanged(kind, row, [{ field, from: before, to: after }]) : { timeline: [], events: [] }
    })
    await leaveTrace(tx, context, kind, joinTraces(traces))
    if (found.length < movedAtOnce) return moved
  }
}

type LinkTable = (typeof linkTables)[number]
/** A row of one of these tables, by the names of its columns in the schema. */
type Link = Readonly<Record<string, unknown>>

/** Rows of one statement. */
const linksAtOnce = 1_000

/** Writes links, and returns them as they are, or were. */
async function writeLinks(tx: Transaction, table: LinkTable, write: SQL): Promise<readonly Link[]> {
  const reader = rowReader(getTableColumns(table) as Readonly<Record<string, PgColumn>>)
  const rows = await writeRows(tx, table, write, rowsOf(reader, ''))
  return rows.map((row) => reader.read(row))
}

/** Moves the links of the sources; a link to several of the records becomes one link to the survivor. */
async function moveLinks(
  tx: Transaction,
  { workspace }: WriteContext,
  entityType: string,
  table: LinkTable,
  { survivorId, sourceIds }: Sides,
): Promise<schema.MergedLinks> {
  const ofKind = and(eq(table.workspaceId, workspace.id), eq(table.entityType, entityType))
  const sources = sql`DELETE FROM ${table} WHERE ${and(ofKind, isAnyOf(table.entityId, sourceIds))}`
  const gone = await writeLinks(tx, table, sources)
  const oldestFirst = gone.toSorted((one, other) => (sinceOf(one) < sinceOf(other) ? -1 : 1))
  const added = await insertLinks(
    tx,
    table,
    oldestFirst.map((link) => ({ ...link, entityId: survivorId })),
  )
  return { table: getTableName(table), gone, added }
}

function sinceOf({ createdAt = '' }: Link): string {
  return String(createdAt)
}

/** Writes links that are not there yet, and returns them. */
async function insertLinks(tx: Transaction, table: LinkTable, links: readonly Link[]): Promise<readonly Link[]> {
  const written: Link[] = []
  for (let at = 0; at < links.length; at += linksAtOnce) {
    const some = links.slice(at, at + linksAtOnce) as never
    written.push(...(await writeLinks(tx, table, tx.insert(table).values(some).onConflictDoNothing().getSQL())))
  }
  return written
}

async function giveLinksBack(
  tx: Transaction,
  { workspace }: WriteContext,
  entityType: string,
  { table: name, gone, added }: schema.MergedLinks,
  { survivorId, sourceIds }: Sides,
): Promise<void> {
  const table = linkTables.find((each) => getTableName(each) === name)
  if (!table) return
  const ofSurvivor = and(
    eq(table.workspaceId, workspace.id),
    eq(table.entityType, entityType),
    eq(table.entityId, survivorId),
  )
  const ends = Object.entries(getTableColumns(table)).filter(([key]) => !besideEnd.includes(key))
  const endOf = (link: Link): string => JSON.stringify(ends.map(([key]) => link[key]))
  const there: readonly Link[] = await tx.select().from(table).where(ofSurvivor)
  const kept = new Set(there.map(endOf))
  const back = (gone as Link[]).filter((link) => sourceIds.includes(String(link['entityId'])) && kept.has(endOf(link)))
  await insertLinks(tx, table, back)
  for (let at = 0; at < added.length; at += linksAtOnce) {
    const came = (added as Link[]).slice(at, at + linksAtOnce)
    const isOne = or(...came.map((link) => and(...ends.map(([key, column]) => eq(column, link[key])))))
    await writeRows(tx, table, sql`DELETE FROM ${table} WHERE ${and(ofSurvivor, isOne)}`)
  }
}

/** The columns of a link that do not name its other end. */
const besideEnd: readonly string[] = ['workspaceId', 'entityType', 'entityId', 'createdAt']

/** Lets saved views and dashboards that name a merged record name the one that stays. */
async function followViews(tx: Transaction, workspaceId: string, { survivorId, sourceIds }: Sides): Promise<void> {
  for (const [table, column] of [
    [savedFilters, savedFilters.query],
    [dashboards, dashboards.widgets],
  ] as const)
    for (const sourceId of sourceIds)
      await tx.execute(sql`
        UPDATE ${table} SET ${sql.identifier(column.name)} = replace(${column}::text, ${sourceId}, ${survivorId})::jsonb
        WHERE ${table.workspaceId} = ${workspaceId} AND position(${sourceId} IN ${column}::text) > 0`)
}
