import type { Executor, Scope, Transaction } from '@crm/db'
import { brokenConstraint, given, insertRow, newId, runScoped, schema, scopedStatement, updateRow, visible } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { LeadFacts } from './leads.intake.ts'
import { leadRows, type LeadRow, type LeadValues } from './leads.record.ts'

const { leads } = schema

const leadById = scopedStatement((scope) => sql`SELECT ${leadRows.selection} FROM ${leads} WHERE ${existing(scope, sql`${leads.id} = ${given('id')}`)}`)

/** One lead within the scope, or undefined. */
export async function findLead(db: Executor, scope: Scope, id: string): Promise<LeadRow | undefined> {
  const [row] = await runScoped(db, leadById, scope, { id })
  return row && leadRows.read(row)
}

/** Leads within the scope, locked for a change, by id. */
export async function lockLeads(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<Map<string, LeadRow>> {
  const where = existing(scope, inArray(leads.id, [...ids]))
  const rows = await readLeads(tx, sql`SELECT ${leadRows.selection} FROM ${leads} WHERE ${where} ORDER BY ${leads.id} FOR UPDATE`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function readLeads(db: Executor, query: SQL): Promise<LeadRow[]> {
  return (await db.execute(query)).rows.map((row) => leadRows.read(row))
}

/** A stage can be deleted after it was chosen and before the lead is written. */
async function withStage<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (brokenConstraint(error) === 'leads_stage') throw new ApiError('STAGE_NOT_FOUND')
    throw error
  }
}

/** The lead that a merged one lives on in, if it was merged and its survivor is in the scope. */
export async function findSurvivor(db: Executor, scope: Scope, id: string): Promise<string | null> {
  const [row] = await db
    .select({ mergedIntoId: leads.mergedIntoId })
    .from(leads)
    .where(and(visible(scope, leads), eq(leads.id, id)))
  return row?.mergedIntoId ?? null
}

/** Writes a new lead and gives it back as it is read. */
export function insertLead(tx: Executor, workspaceId: string, createdById: string, values: LeadValues, at: string): Promise<LeadRow> {
  const row = { ...values, workspaceId, id: newId(), createdById, createdAt: at, updatedAt: at, statusChangedAt: at, stageChangedAt: at }
  return withStage(insertRow(tx, leads, row, leadRows))
}

/** Changes a lead that was locked before, and raises its version. */
export async function updateLead(tx: Executor, scope: Scope, id: string, set: Partial<LeadValues>, at: string): Promise<LeadRow> {
  const lead = await withStage(updateRow(tx, leads, { workspaceId: scope.workspaceId, id }, { ...set, updatedAt: at }, leadRows))
  return lead as LeadRow
}

/** Hides leads that were locked before; they can be restored for 30 days. */
export async function hideLeads(tx: Executor, scope: Scope, ids: readonly string[], at: string, mergedIntoId?: string): Promise<void> {
  await tx
    .update(leads)
    .set({ deletedAt: at, updatedAt: at, mergedIntoId })
    .where(and(eq(leads.workspaceId, scope.workspaceId), inArray(leads.id, [...ids])))
}

/** Ids of all leads that fulfil the conditions, at most so many. */
export async function selectLeadIds(db: Executor, where: SQL, limit: number): Promise<string[]> {
  const rows = await db.select({ id: leads.id }).from(leads).where(where).orderBy(leads.id).limit(limit)
  return rows.map((row) => row.id)
}

/** Whom and what a new or changed lead refers to. */
export interface LeadReferences {
  /** Absent: the default lead pipeline. */
  readonly pipelineId?: string
  readonly ownerId: string
  /** Absent: the direct source. */
  readonly sourceId?: string | null
}

/** Reads what decisions about a lead need, in one round trip. */
export async function readLeadFacts(db: Executor, workspaceId: string, references: LeadReferences): Promise<LeadFacts> {
  const { pipelineId = null, ownerId, sourceId = null } = references
  const { rows } = await db.execute<{ facts: LeadFacts }>(sql`
    SELECT json_build_object(
      'pipeline', (
        SELECT json_build_object('id', p.id, 'noSkipping', p.no_skipping, 'noBackwards', p.no_backwards, 'stages', coalesce((
          SELECT json_agg(json_build_object('id', s.id, 'position', s.position, 'type', s.type, 'mappedStatus', s.mapped_status,
            'requiredFields', s.required_fields) ORDER BY s.position, s.id)
          FROM stages s WHERE s.workspace_id = p.workspace_id AND s.pipeline_id = p.id), '[]'))
        FROM pipelines p
        WHERE p.workspace_id = ${workspaceId} AND p.entity_type = 'LEAD'
          AND CASE WHEN ${pipelineId}::uuid IS NULL THEN p.is_default ELSE p.id = ${pipelineId}::uuid END),
      'source', (
        SELECT json_build_object('id', s.id, 'systemKey', s.system_key) FROM lead_sources s
        WHERE s.workspace_id = ${workspaceId}
          AND CASE WHEN ${sourceId}::uuid IS NULL THEN s.system_key = 'direct' ELSE s.id = ${sourceId}::uuid END),
      'owner', (
        SELECT json_build_object('id', e.id, 'departmentId', e.department_id) FROM employees e
        WHERE e.workspace_id = ${workspaceId} AND e.id = ${ownerId}::uuid AND e.status <> 'TERMINATED'),
      'customFields', coalesce((
        SELECT json_agg(json_build_object('key', f.key, 'type', f.type, 'label', f.label, 'options', f.options, 'isRequired', f.is_required))
        FROM custom_fields f WHERE f.workspace_id = ${workspaceId} AND f.entity_type = 'LEAD'), '[]')
    ) AS facts`)
  return rows[0]?.facts as LeadFacts
}

/** The oldest unconverted lead that shares an e-mail address, phone or messenger handle, whoever may see it. */
export async function findExactDuplicate(tx: Transaction, workspaceId: string, values: LeadValues): Promise<LeadRow | undefined> {
  const same = sameContactPoint(values)
  if (!same) return undefined
  const where = and(eq(leads.workspaceId, workspaceId), isNull(leads.deletedAt), isNull(leads.convertedAt), same)
  return (await readLeads(tx, sql`SELECT ${leadRows.selection} FROM ${leads} WHERE ${where} ORDER BY ${leads.createdAt} LIMIT 1 FOR UPDATE`))[0]
}

function sameContactPoint({ email, phone, messengers }: LeadValues): SQL | undefined {
  const conditions = [
    email ? sql`lower(${leads.email}) = lower(${email})` : undefined,
    phone ? eq(leads.phone, phone) : undefined,
    ...(messengers ?? []).map((entry) => sql`${leads.messengers} @> ${JSON.stringify([entry])}::jsonb`),
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : sql`(${sql.join(conditions, sql` OR `)})`
}

/** Makes equal creates wait for each other, so that the second one finds the first. */
export async function lockContactPoints(tx: Transaction, workspaceId: string, { email, phone, messengers }: LeadValues): Promise<void> {
  const handles = (messengers ?? []).map(({ type, handle }) => `${type}:${handle.toLowerCase()}`)
  const points = [email?.toLowerCase(), phone, ...handles].filter((point) => typeof point === 'string')
  for (const point of [...new Set(points)].toSorted((a, b) => a.localeCompare(b))) {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`lead:${workspaceId}:${point}`}, 0))`)
  }
}

function existing(scope: Scope, condition: SQL): SQL {
  return and(visible(scope, leads), isNull(leads.deletedAt), condition) as SQL
}
