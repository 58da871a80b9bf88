import { writeRows, newId, schema, type Executor, type Transaction } from '@crm/db'
import { entityActions } from '@crm/permissions'
import { and, count, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { toEntity, type CustomEntity } from '../../../records/custom-kinds.ts'

const { apiKeys, customEntities, customRecords, oauthGrants, roles } = schema

type Values = Omit<typeof customEntities.$inferInsert, 'workspaceId' | 'id'>

/** Writes a new type; undefined when its key is taken. */
export async function insertEntity(
  tx: Transaction,
  workspaceId: string,
  values: Values,
): Promise<CustomEntity | undefined> {
  const [row] = await tx
    .insert(customEntities)
    .values({ ...values, workspaceId, id: newId() })
    .onConflictDoNothing()
    .returning()
  return row && toEntity(row)
}

/** Returns a type, locked: no record of it can be created until the transaction ends. */
export async function lockEntity(tx: Transaction, workspaceId: string, id: string): Promise<CustomEntity | undefined> {
  const [row] = await tx.select().from(customEntities).where(isEntity(workspaceId, id)).for('update')
  return row && toEntity(row)
}

/** Protects a type from deletion until the transaction ends; false when it is gone. */
export async function holdEntity(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: customEntities.id })
    .from(customEntities)
    .where(isEntity(workspaceId, id))
    .for('key share')
  return rows.length === 1
}

/** Changes a type. */
export async function updateEntity(
  tx: Transaction,
  workspaceId: string,
  id: string,
  set: Partial<Values>,
): Promise<CustomEntity> {
  const [row] = await tx.update(customEntities).set(set).where(isEntity(workspaceId, id)).returning()
  if (!row) throw new Error('The custom entity was not written')
  return toEntity(row)
}

/** Returns the number of records of a type, regardless of sight. */
export async function countRecords(db: Executor, workspaceId: string, key: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(customRecords)
    .where(and(ofType(workspaceId, key), isNull(customRecords.deletedAt)))
  return row?.n ?? 0
}

/** Deletes a type with its records that were deleted before. */
export async function deleteEntity(
  tx: Transaction,
  workspaceId: string,
  { id, key }: Pick<CustomEntity, 'id' | 'key'>,
): Promise<void> {
  const deleted = tx.delete(customRecords).where(and(ofType(workspaceId, key), isNotNull(customRecords.deletedAt)))
  await writeRows(tx, customRecords, deleted.getSQL())
  await tx.delete(customEntities).where(isEntity(workspaceId, id))
}

/** Returns the four permissions of a type. */
function permissionsOf({ entityType }: Pick<CustomEntity, 'entityType'>): string[] {
  return entityActions.map((action) => `${action}_${entityType}`)
}

/** Grants the administrators all permissions of a new type. */
export async function grantToAdministrators(tx: Transaction, workspaceId: string, entity: CustomEntity): Promise<void> {
  await tx
    .update(roles)
    .set({ permissions: sql`${roles.permissions} || ${sql.param(permissionsOf(entity))}::text[]` })
    .where(and(eq(roles.workspaceId, workspaceId), eq(roles.isSystem, true), eq(roles.name, 'Administrator')))
}

/** Removes the permissions of a deleted type from roles, keys and clients, so that a later type of the same name starts without them. */
export async function withdrawPermissions(tx: Transaction, workspaceId: string, entity: CustomEntity): Promise<void> {
  const names = sql`${sql.param(permissionsOf(entity))}::text[]`
  const without = (column: SQL) =>
    sql`ARRAY(SELECT name FROM unnest(${column}) WITH ORDINALITY AS held (name, at) WHERE name <> ALL (${names}) ORDER BY at)`
  await tx.execute(sql`
    UPDATE ${roles} SET permissions = ${without(sql`permissions`)},
      access = (SELECT coalesce(jsonb_agg(rule), '[]') FROM jsonb_array_elements(access) AS rule WHERE rule ->> 'entityType' <> ${entity.entityType})
    WHERE ${roles.workspaceId} = ${workspaceId}
      AND (permissions && ${names} OR access @> ${JSON.stringify([{ entityType: entity.entityType }])}::jsonb)`)
  for (const table of [apiKeys, oauthGrants]) {
    await tx.execute(
      sql`UPDATE ${table} SET scopes = ${without(sql`scopes`)} WHERE ${table.workspaceId} = ${workspaceId} AND scopes && ${names}`,
    )
  }
}

function isEntity(workspaceId: string, id: string): SQL {
  return and(eq(customEntities.workspaceId, workspaceId), eq(customEntities.id, id)) as SQL
}

function ofType(workspaceId: string, key: string): SQL {
  return and(eq(customRecords.workspaceId, workspaceId), eq(customRecords.entityKey, key)) as SQL
}
