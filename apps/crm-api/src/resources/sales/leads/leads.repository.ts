import { emailKey } from '../../../records/contact-points.ts'
import { given, run, schema, statement, type Executor, type Transaction, isAddress } from '@crm/db'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { WriteContext } from '../../../records/owned/write.ts'
import { leadKind, type LeadRow, type LeadValues } from '../../../kinds/leads.ts'

const { leads } = schema

/** The source of a lead. */
export interface SourceFacts {
  readonly id: string
  readonly systemKey: string | null
}

const sourceFacts = statement(sql`
  SELECT id, system_key AS "systemKey" FROM lead_sources
  WHERE workspace_id = ${given('workspaceId')}
    AND CASE WHEN ${given('sourceId')}::uuid IS NULL THEN system_key = 'direct' ELSE id = ${given('sourceId')}::uuid END`)

/** Returns a lead source, the direct one when none is named; null when it does not exist. */
export async function recallSource(
  db: Executor,
  { workspace, remembered }: Pick<WriteContext, 'workspace' | 'remembered'>,
  sourceId: string | null | undefined,
): Promise<SourceFacts | null> {
  const known = await remembered(`lead-source:${sourceId ?? ''}`, async () => {
    const [row] = await run<{ id: string; systemKey: string | null }>(db, sourceFacts, {
      workspaceId: workspace.id,
      sourceId: sourceId ?? null,
    })
    return { source: row ?? null }
  })
  return known.source
}

/** Finds the oldest unconverted lead that shares an email address, phone or messenger handle, regardless of sight. */
export async function findExactDuplicate(
  tx: Transaction,
  workspaceId: string,
  values: LeadValues,
): Promise<LeadRow | undefined> {
  const same = sameContactPoint(values)
  if (!same) return undefined
  const where = and(eq(leads.workspaceId, workspaceId), isNull(leads.deletedAt), isNull(leads.convertedAt), same)
  const { rows } = await tx.execute(
    sql`SELECT ${leadKind.rows.selection(workspaceId)} FROM ${leads} WHERE ${where} ORDER BY ${leads.createdAt} LIMIT 1 FOR UPDATE`,
  )
  return rows[0] && leadKind.rows.read(rows[0])
}

function sameContactPoint({ email, phone, messengers }: LeadValues): SQL | undefined {
  const conditions = [
    email ? isAddress(leads.email, email) : undefined,
    phone ? eq(leads.phone, phone) : undefined,
    // Few leads have any, and their index is used where the condition says so.
    ...(messengers ?? []).map(
      (entry) => sql`(${leads.messengers} <> '[]' AND ${leads.messengers} @> ${JSON.stringify([entry])}::jsonb)`,
    ),
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : sql`(${sql.join(conditions, sql` OR `)})`
}

/** Makes equal creates wait for each other, so that the second one finds the first. */
export async function lockContactPoints(
  tx: Transaction,
  workspaceId: string,
  { email, phone, messengers }: LeadValues,
): Promise<void> {
  const handles = (messengers ?? []).map(({ type, handle }) => `${type}:${emailKey(handle)}`)
  const points = [email && emailKey(email), phone, ...handles].filter((point) => typeof point === 'string')
  for (const point of [...new Set(points)].toSorted()) {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`lead:${workspaceId}:${point}`}, 0))`)
  }
}
