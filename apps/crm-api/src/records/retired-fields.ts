import { writeRows, kindTables, schema, type Database, type Executor, type Transaction } from '@crm/db'
import { doDueWork, isNotPutOff, type DueWork, type RoundDeps } from '@crm/jobs'
import { and, asc, desc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { customFieldEntities } from '@crm/contract'
import { customKind } from './custom-kinds.ts'
import type { RecordKind } from './owned/kind.ts'

const { retiredFields: fields, retiredFieldValues: values, timeline } = schema

/** A retired field as it is stored. */
export type RetiredField = typeof fields.$inferSelect

/** The place of the values of a field: the kind of record, and the key. */
export interface FieldPlace {
  readonly workspaceId: string
  readonly kind: Pick<RecordKind, 'entityType' | 'table' | 'base'>
  readonly key: string
}

/** The retired field, the person who retired it and the time. */
export interface Retirement {
  readonly id: string
  readonly definition: RetiredField['definition']
  readonly by: string | null
  readonly at: string
}

const dayMs = 86_400_000
/** How long the values of a retired field can be restored. */
const retiredKeptMs = 30 * dayMs

const purgedAtOnce = 5_000
const fieldsAtOnce = 20
/** How often retired fields are looked for whose time is over. */
export const fieldsRoundMs = 10 * 60_000
const purgeWork = 'purge-retired-fields'

/** Returns the number of records, deleted ones included, with a value in a field. */
export async function countFieldValues(db: Executor, place: FieldPlace): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${place.kind.table} WHERE ${holds(place)}`,
  )
  return rows[0]?.n ?? 0
}

/** Moves the values of a field out of its records into a store from which they can be restored. */
export async function retireField(
  tx: Transaction,
  place: FieldPlace,
  { id, definition, by, at }: Retirement,
): Promise<void> {
  const { workspaceId, kind, key } = place
  const purgeAt = new Date(Date.parse(at) + retiredKeptMs).toISOString()
  await tx.insert(fields).values({
    workspaceId,
    id,
    entityType: kind.entityType,
    key,
    definition,
    valueCount: 0,
    retiredAt: at,
    purgeAt,
    retiredById: by,
  })
  const kept = await tx.execute(sql`
    INSERT INTO ${values} (workspace_id, field_id, record_id, value)
    SELECT ${kind.table.workspaceId}, ${id}::uuid, ${kind.table.id}, ${kind.table.customFields} -> ${key} FROM ${kind.table} WHERE ${holds(place)} FOR UPDATE`)
  await tx
    .update(fields)
    .set({ valueCount: kept.rowCount ?? 0 })
    .where(isField(workspaceId, id))
  await eraseFieldValues(tx, place)
}

/** Erases the values of a field in its records. */
export async function eraseFieldValues(tx: Transaction, place: FieldPlace): Promise<void> {
  const { table } = place.kind
  await writeRows(
    tx,
    table,
    sql`UPDATE ${table} SET custom_fields = custom_fields - ${place.key}::text WHERE ${holds(place)}`,
  )
}

/** Erases the values of a field in the history of its records, deleted ones included; the entries themselves stay. */
export async function eraseFieldHistory(
  db: Database | Transaction,
  { workspaceId, entityType, key }: Pick<RetiredField, 'workspaceId' | 'entityType' | 'key'>,
): Promise<void> {
  // A distributed database writes a CASE of an expression wrongly to the machine with the rows.
  const without = (side: 'from' | 'to'): SQL =>
    sql`CASE WHEN jsonb_typeof(change -> ${side}) = 'object' THEN (change -> ${side}) - ${key}::text ELSE change -> ${side} END`
  await db.execute(sql`
    UPDATE ${timeline} SET changes = (
      SELECT jsonb_agg(CASE WHEN change ->> 'field' = 'customFields' THEN jsonb_build_object('field', 'customFields', 'from', ${without('from')}, 'to', ${without('to')}) ELSE change END ORDER BY n)
      FROM jsonb_array_elements(changes) WITH ORDINALITY AS one(change, n))
    WHERE ${timeline.workspaceId} = ${workspaceId} AND ${timeline.entityType} = ${entityType} AND changes @> '[{"field": "customFields"}]'
      AND strpos(changes::text, to_json(${key}::text)::text) > 0`)
}

/** Restores the kept values in the records that still exist; a newer value of a record stays. */
export async function restoreFieldValues(
  tx: Transaction,
  { workspaceId, id, entityType, key }: RetiredField,
): Promise<void> {
  const { table } = kindOfField(entityType)
  const restore = sql`
    UPDATE ${table} SET custom_fields = jsonb_set('{}', ARRAY[${key}::text], kept.value) || custom_fields FROM ${values} AS kept
    WHERE kept.workspace_id = ${workspaceId} AND kept.field_id = ${id} AND ${table.workspaceId} = kept.workspace_id AND ${table.id} = kept.record_id`
  await writeRows(tx, table, restore)
  await tx.delete(fields).where(isField(workspaceId, id))
}

/** Returns a retired field, locked; undefined when there is none. */
export async function lockRetiredField(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<RetiredField | undefined> {
  const [field] = await tx.select().from(fields).where(isField(workspaceId, id)).for('update')
  return field
}

/** Returns the retired field that holds a key, if there is one. */
export async function findRetiredKey(
  db: Executor,
  workspaceId: string,
  entityType: string,
  key: string,
): Promise<RetiredField | undefined> {
  const [field] = await db
    .select()
    .from(fields)
    .where(and(eq(fields.workspaceId, workspaceId), eq(fields.entityType, entityType), eq(fields.key, key)))
  return field
}

/** Returns the retired fields of a workspace, the latest first. */
export function listRetiredFields(db: Executor, workspaceId: string, entityType?: string): Promise<RetiredField[]> {
  return db
    .select()
    .from(fields)
    .where(
      and(
        eq(fields.workspaceId, workspaceId),
        entityType === undefined ? undefined : eq(fields.entityType, entityType),
      ),
    )
    .orderBy(desc(fields.retiredAt), desc(fields.id))
}

/** Erases retired fields of a type of record that is gone. */
export async function forgetRetiredFields(tx: Transaction, workspaceId: string, entityType: string): Promise<void> {
  await tx.delete(fields).where(and(eq(fields.workspaceId, workspaceId), eq(fields.entityType, entityType)))
}

/** Erases one retired field for good, in batches, with its values and their traces in the history of records. */
export async function purgeRetiredField(
  db: Database | Transaction,
  field: Pick<RetiredField, 'workspaceId' | 'id' | 'entityType' | 'key'>,
): Promise<void> {
  const { workspaceId, id } = field
  await eraseFieldHistory(db, field)
  for (let purged = purgedAtOnce; purged === purgedAtOnce;) {
    const batch = await db.execute(sql`
      DELETE FROM ${values} WHERE workspace_id = ${workspaceId} AND field_id = ${id}
        AND record_id = ANY (ARRAY(SELECT record_id FROM ${values} WHERE workspace_id = ${workspaceId} AND field_id = ${id} LIMIT ${purgedAtOnce}))`)
    purged = batch.rowCount ?? 0
  }
  await db.delete(fields).where(isField(workspaceId, id))
}

/** Purges the retired fields of all workspaces whose time is over; returns their number. */
export async function purgeDueFields(deps: RoundDeps): Promise<number> {
  const { db } = deps
  const purge: DueWork<Pick<RetiredField, 'workspaceId' | 'id' | 'entityType' | 'key'>> = {
    name: purgeWork,
    everyMs: fieldsRoundMs,
    batch: fieldsAtOnce,
    find: (at, limit) =>
      db
        .select({ workspaceId: fields.workspaceId, id: fields.id, entityType: fields.entityType, key: fields.key })
        .from(fields)
        .where(
          and(lte(fields.purgeAt, at), isNotPutOff(purgeWork, { workspaceId: fields.workspaceId, row: fields.id }, at)),
        )
        .orderBy(asc(fields.purgeAt))
        .limit(limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (due) => {
      for (const field of due) await purgeRetiredField(db, field)
    },
  }
  return (await doDueWork(deps, purge)).done
}

/** Returns the kind of record that holds the values of the fields of an entity type. */
export function kindOfField(entityType: string): FieldPlace['kind'] {
  const known = customFieldEntities.find((entity) => entity === entityType)
  return known ? { entityType, table: kindTables[known] } : customKind(entityType)
}

function isField(workspaceId: string, id: string): SQL {
  return and(eq(fields.workspaceId, workspaceId), eq(fields.id, id)) as SQL
}

function holds({ workspaceId, kind: { table, base }, key }: FieldPlace): SQL {
  return and(eq(table.workspaceId, workspaceId), base, sql`${table.customFields} ? ${key}`) as SQL
}
