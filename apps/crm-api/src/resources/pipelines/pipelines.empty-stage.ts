import { fieldChanges, schema, systemScope, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, count, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { CrmContext } from '../../context.ts'
import { statusInStage } from '../../records/stage-moves.ts'
import { joinTraces, traceChanged } from '../leads/leads.changes.ts'
import { leaveTrace } from '../leads/leads.commands.ts'
import { lockLeads, selectLeadIds } from '../leads/leads.repository.ts'
import type { PipelineRecord, StageRow } from './pipelines.repository.ts'

const { leads, deals } = schema

const leadsAtOnce = 500

/** Moves everything out of a stage into another one of its pipeline; the history of a lead tells it like any other move. */
export async function emptyStage(tx: Transaction, context: CrmContext, pipeline: PipelineRecord, from: StageRow, to: StageRow): Promise<void> {
  const status = statusInStage({ ...pipeline, ...pipeline.rules }, to)
  if (status === 'CONVERTED') await refuseUnconverted(tx, context, from)
  while (await moveSomeLeads(tx, context, from, to, status));
  const inStage = and(eq(leads.workspaceId, context.workspace.id), eq(leads.stageId, from.id))
  await tx.update(leads).set({ stageId: to.id, updatedAt: context.at }).where(inStage)
  await tx.update(deals).set({ stageId: to.id, status: to.type, updatedAt: context.at })
    .where(and(eq(deals.workspaceId, context.workspace.id), eq(deals.stageId, from.id)))
}

/** A lead becomes converted by its conversion alone. */
async function refuseUnconverted(tx: Transaction, { workspace }: CrmContext, from: StageRow): Promise<void> {
  const [row] = await tx.select({ n: count() }).from(leads)
    .where(and(eq(leads.workspaceId, workspace.id), eq(leads.stageId, from.id), isNull(leads.convertedAt)))
  if (!row?.n) return
  const message = 'Leads that are not converted cannot move to the stage of converted leads'
  throw new ApiError('INVALID_QUERY_PARAM', { message, details: { param: 'moveToStageId', message } })
}

/** Moves some of the leads that are left, and says whether there were any. */
async function moveSomeLeads(tx: Transaction, context: CrmContext, from: StageRow, to: StageRow, status: StatusOfLead): Promise<boolean> {
  const { workspace, at } = context
  const left = and(eq(leads.workspaceId, workspace.id), eq(leads.stageId, from.id), isNull(leads.deletedAt))
  const ids = await selectLeadIds(tx, left ?? sql`false`, leadsAtOnce)
  if (ids.length === 0) return false
  const scope = systemScope(workspace.id)
  const before = await lockLeads(tx, scope, ids)
  const these = and(eq(leads.workspaceId, workspace.id), inArray(leads.id, ids))
  await tx.update(leads).set({ stageId: to.id, stageChangedAt: at, updatedAt: at, version: sql`${leads.version} + 1` }).where(these)
  await tx.update(leads).set({ status, statusChangedAt: at }).where(and(these, isNull(leads.convertedAt), ne(leads.status, status)))
  const after = await lockLeads(tx, scope, ids)
  const traces = [...after.values()].map((lead) => {
    const old = before.get(lead.id) ?? lead
    return traceChanged(lead, fieldChanges(old, { stageId: lead.stageId, status: lead.status }))
  })
  await leaveTrace(tx, context, joinTraces(traces))
  return true
}

type StatusOfLead = ReturnType<typeof statusInStage>
