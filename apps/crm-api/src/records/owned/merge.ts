import { fieldChanges, isAnyOf, schema, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { OwnedRow, RecordKind } from './kind.ts'
import { planMerge } from './plan.ts'
import { hideRecords, lockRecords, recordNotFound, updateRecord } from './repository.ts'
import { joinTraces, leaveTrace, traceChanged, traceDeleted, traceMerged } from './trace.ts'
import type { WriteContext } from './write.ts'

const { follows } = schema

/** The rules by which records of a kind are merged. */
export interface MergeRules<Row extends OwnedRow> {
  readonly kind: RecordKind<Row>
  /** The fields that can be taken from another record by choice. */
  readonly preferable: readonly string[]
  /** The fields that are never filled from another record automatically. */
  readonly notTaken?: readonly string[]
  /** Refuses a record that may not be merged into another one. */
  refuse?(source: Row): void
  /** Returns the columns that follow from all the records together: united lists, a place in a tree. */
  complete?(tx: Transaction, merging: Merging<Row>): Promise<object>
  /** The columns of other tables that point to records of the kind. */
  readonly children: readonly Children[]
}

/** A column of a table that points to records of a kind. */
interface Children {
  readonly table: PgTable & { readonly workspaceId: PgColumn }
  readonly column: PgColumn
  /** The kind of record that has the column, and the field that it is; undefined for what is no record. */
  readonly of?: { readonly kind: RecordKind; readonly field: string }
}

/** The locked records of a merge. */
export interface Merging<Row> {
  readonly workspaceId: string
  /** The record that stays, as it was. */
  readonly target: Row
  /** The record that stays, with its empty fields filled and the preferred values taken. */
  readonly filled: Row
  readonly sources: readonly Row[]
}

/** The request to merge records. */
export interface MergeWish {
  readonly sourceIds: readonly string[]
  /** For a field, the record whose value wins. */
  readonly prefer?: Readonly<Record<string, string>>
}

/** Merges other records into one: children move to it, and the other records answer 404 with its id (docs/guide/leads-and-deals.md). */
export async function mergeRecords<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  rules: MergeRules<Row>,
  scope: Scope,
  id: string,
  { sourceIds, prefer = {} }: MergeWish,
): Promise<Row> {
  const { kind } = rules
  if (sourceIds.includes(id)) throw invalidField('sourceIds', `A ${kind.noun} cannot be merged into itself`)
  const locked = await lockRecords(tx, kind, scope, [id, ...sourceIds])
  const target = locked.get(id)
  if (!target) throw await recordNotFound(tx, kind, scope, id)
  context.expectVersion(target.version)
  const sources = sourceIds.flatMap((sourceId) => locked.get(sourceId) ?? [])
  if (sources.length !== sourceIds.length) throw new ApiError('INVALID_REFERENCE', { details: { field: 'sourceIds' } })
  for (const source of sources) rules.refuse?.(source)
  const filled = sources.reduce<Record<string, unknown>>(
    (merged, source) => ({ ...merged, ...planMerge<Row>({ ...target, ...merged }, source, rules.notTaken) }),
    {},
  )
  const taken = { ...filled, ...preferred(rules, prefer, locked) }
  const completed = await rules.complete?.(tx, {
    workspaceId: scope.workspaceId,
    target,
    filled: { ...target, ...taken },
    sources,
  })
  const set = { ...taken, ...completed }
  const changes = fieldChanges<Row>(target, set as Partial<Row>)
  await moveChildren(tx, context, rules, id, sourceIds)
  await hideRecords(tx, kind, scope.workspaceId, sourceIds, context.at, id)
  const row = await updateRecord(tx, kind, scope.workspaceId, id, set, context.at)
  await leaveTrace(
    tx,
    context,
    kind,
    joinTraces([
      traceMerged(kind, row, sourceIds, changes),
      ...sources.map((source) => traceDeleted(kind, source, id)),
    ]),
  )
  return row
}

function preferred<Row extends OwnedRow>(
  { kind, preferable }: MergeRules<Row>,
  prefer: Readonly<Record<string, string>>,
  locked: ReadonlyMap<string, Row>,
): Record<string, unknown> {
  const entries = Object.entries(prefer).map(([field, recordId]) => {
    const record = locked.get(recordId)
    if (!preferable.includes(field)) throw invalidField(['prefer', field], 'Unknown field')
    if (!record)
      throw invalidField(['prefer', field], `Expected one of the records that are merged, each a ${kind.noun}`)
    return [field, record[field as keyof Row]]
  })
  return Object.fromEntries(entries)
}

async function moveChildren<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  { kind, children }: MergeRules<Row>,
  id: string,
  sourceIds: readonly string[],
): Promise<void> {
  const { id: workspaceId } = context.workspace
  for (const table of [schema.comments, schema.timeline, schema.documentRecords]) {
    await tx
      .update(table)
      .set({ entityId: id })
      .where(
        and(
          eq(table.workspaceId, workspaceId),
          eq(table.entityType, kind.entityType),
          isAnyOf(table.entityId, sourceIds),
        ),
      )
  }
  await moveFollows(tx, kind, workspaceId, id, sourceIds)
  await moveLinks(tx, kind, workspaceId, id, sourceIds)
  await moveFiles(tx, kind, workspaceId, id, sourceIds)
  const { mergedIntoId } = kind.table
  const all = mergedIntoId ? [...children, { table: kind.table, column: mergedIntoId }] : children
  for (const each of all) {
    const { table, of } = each
    const { points, moved, name } = pointing(each, id, sourceIds)
    const where = and(eq(table.workspaceId, workspaceId), points) as SQL
    if (of) await moveRecords(tx, context, of, { name, moved, where })
    else await tx.execute(sql`UPDATE ${table} SET ${name} = ${moved} WHERE ${where}`)
  }
  await followViews(tx, workspaceId, id, sourceIds)
}

/** Returns the condition that a row points to one of the sources, and where it points afterwards. */
function pointing({ column }: Pick<Children, 'column'>, id: string, sourceIds: readonly string[]) {
  const sources = sql`${sql.param([...sourceIds])}::uuid[]`
  const name = sql.raw(`"${column.name}"`)
  return column.getSQLType().endsWith('[]')
    ? {
        name,
        points: sql`${column} && ${sources}`,
        moved: sql`ARRAY(SELECT DISTINCT CASE WHEN one = ANY(${sources}) THEN ${id}::uuid ELSE one END FROM unnest(${column}) one)`,
      }
    : { name, points: sql`${column} = ANY(${sources})`, moved: sql`${id}::uuid` }
}

/** Rows of one statement: each leaves an entry and an event. */
const movedAtOnce = 500

/** Lets records point to the one that stays; each has changed, and tells it as after any other change. */
async function moveRecords(
  tx: Transaction,
  context: WriteContext,
  { kind, field }: NonNullable<Children['of']>,
  { name, moved, where }: { readonly name: SQL; readonly moved: SQL; readonly where: SQL },
): Promise<void> {
  const { table } = kind
  const ofWorkspace = eq(table.workspaceId, context.workspace.id)
  for (let rows = movedAtOnce; rows === movedAtOnce;) {
    const found = await tx.execute<MovedRow>(sql`
      UPDATE ${table} SET ${name} = ${moved}, version = version + 1, updated_at = ${context.at}
      FROM (SELECT ${table.id} AS moved_id FROM ${table} WHERE ${where} ORDER BY ${table.id} LIMIT ${movedAtOnce} FOR NO KEY UPDATE) AS pointing
      WHERE ${ofWorkspace} AND ${table.id} = moved_id
      RETURNING ${kind.rows.selection}, ${table.deletedAt} IS NULL AS "isThere", old.${name} AS "movedFrom", new.${name} AS "movedTo"`)
    rows = found.rows.length
    const traces = found.rows.flatMap(({ isThere, movedFrom, movedTo, ...row }) =>
      isThere ? [traceChanged(kind, kind.rows.read(row), [{ field, from: movedFrom, to: movedTo }])] : [],
    )
    await leaveTrace(tx, context, kind, joinTraces(traces))
  }
}

interface MovedRow extends Record<string, unknown> {
  readonly isThere: boolean
  readonly movedFrom: unknown
  readonly movedTo: unknown
}

/** Lets saved views and dashboards that name a merged record name the one that stays. */
async function followViews(
  tx: Transaction,
  workspaceId: string,
  id: string,
  sourceIds: readonly string[],
): Promise<void> {
  const { dashboards, savedFilters } = schema
  for (const [table, column] of [
    [savedFilters, savedFilters.query],
    [dashboards, dashboards.widgets],
  ] as const)
    for (const sourceId of sourceIds)
      await tx.execute(sql`
        UPDATE ${table} SET ${sql.identifier(column.name)} = replace(${column}::text, ${sourceId}, ${id})::jsonb
        WHERE ${table.workspaceId} = ${workspaceId} AND position(${sourceId} IN ${column}::text) > 0`)
}

/** Lets the followers of merged records follow the one that stays. */
async function moveFollows(
  tx: Transaction,
  { entityType }: { readonly entityType: string },
  workspaceId: string,
  id: string,
  sourceIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    WITH gone AS (
      DELETE FROM ${follows} WHERE ${follows.workspaceId} = ${workspaceId} AND ${follows.entityType} = ${entityType}
        AND ${isAnyOf(follows.entityId, sourceIds)}
      RETURNING *
    )
    INSERT INTO ${follows} (workspace_id, employee_id, entity_type, entity_id, created_at)
    SELECT workspace_id, employee_id, entity_type, ${id}::uuid, min(created_at) FROM gone
    GROUP BY workspace_id, employee_id, entity_type
    ON CONFLICT DO NOTHING`)
}

/** Moves the links of tasks and activities; a link to several of the records becomes one link to the survivor. */
async function moveLinks(
  tx: Transaction,
  { entityType }: RecordKind,
  workspaceId: string,
  id: string,
  sourceIds: readonly string[],
): Promise<void> {
  const { recordLinks } = schema
  const ofSources = sql`${recordLinks.workspaceId} = ${workspaceId} AND ${recordLinks.entityType} = ${entityType} AND ${recordLinks.entityId} = ANY(${sql.param([...sourceIds])}::uuid[])`
  await tx.execute(sql`
    INSERT INTO ${recordLinks} (workspace_id, from_type, from_id, entity_type, entity_id)
    SELECT workspace_id, from_type, from_id, entity_type, ${id}::uuid FROM ${recordLinks} WHERE ${ofSources} ON CONFLICT DO NOTHING`)
  await tx.execute(sql`DELETE FROM ${recordLinks} WHERE ${ofSources}`)
}

/** Moves the links of files; a link to several of the records becomes one link to the survivor. */
async function moveFiles(
  tx: Transaction,
  { entityType }: RecordKind,
  workspaceId: string,
  id: string,
  sourceIds: readonly string[],
): Promise<void> {
  const { fileLinks } = schema
  const ofSources = sql`${fileLinks.workspaceId} = ${workspaceId} AND ${fileLinks.entityType} = ${entityType} AND ${fileLinks.entityId} = ANY(${sql.param([...sourceIds])}::uuid[])`
  await tx.execute(sql`
    INSERT INTO ${fileLinks} (workspace_id, file_id, entity_type, entity_id, created_at)
    SELECT workspace_id, file_id, entity_type, ${id}::uuid, created_at FROM ${fileLinks} WHERE ${ofSources} ON CONFLICT DO NOTHING`)
  await tx.execute(sql`DELETE FROM ${fileLinks} WHERE ${ofSources}`)
}
