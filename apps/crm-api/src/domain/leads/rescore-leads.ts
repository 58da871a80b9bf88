import { writeRows, isAnyOf, schema, type Transaction } from '@crm/db'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { scoreOf } from './lead-score.ts'
import { leadKind } from '../../kinds/leads.ts'

const { leads, leadSources } = schema

/** Computes the scores of leads again after an activity. Their version stays, since nobody changed them. */
export async function rescoreLeads(
  tx: Transaction,
  workspaceId: string,
  leadIds: readonly string[],
  at: string,
): Promise<void> {
  if (leadIds.length === 0) return
  const { rows } = await tx.execute<{ sourceKey: string | null }>(sql`
    SELECT ${leadKind.rows.selection(workspaceId)}, (SELECT system_key FROM ${leadSources} WHERE ${leadSources.workspaceId} = ${workspaceId} AND ${leadSources.id} = ${leads.sourceId}) AS "sourceKey"
    FROM ${leads} WHERE ${and(eq(leads.workspaceId, workspaceId), isAnyOf(leads.id, leadIds), isNull(leads.deletedAt))} ORDER BY ${leads.id} FOR NO KEY UPDATE`)
  for (const { sourceKey, ...raw } of rows) {
    const lead = leadKind.rows.read(raw)
    const score = scoreOf(lead, sourceKey, lead.lastActivityAt ?? lead.createdAt, at)
    if (score === lead.score) continue
    const isThis = and(eq(leads.workspaceId, workspaceId), eq(leads.id, lead.id))
    await writeRows(tx, leads, tx.update(leads).set({ score }).where(isThis).getSQL())
  }
}
