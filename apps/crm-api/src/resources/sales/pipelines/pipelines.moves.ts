import { lead } from '@crm/model'
import { writeRows, fieldChanges, isAnyOf, schema, systemScope, type Transaction } from '@crm/db'
import { and, count, eq, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'
import type { OwnedRow, RecordKind } from '../../../records/owned/kind.ts'
import { lockRecords, selectRecordIds } from '../../../records/owned/repository.ts'
import { joinTraces, leaveTrace, traceChanged } from '../../../records/owned/trace.ts'
import { statusInStage } from '../../../records/stage-moves.ts'
import { dealKind } from '../../../kinds/deals.ts'
import { leadKind } from '../../../kinds/leads.ts'
import type { PipelineRecord, StageRow } from './pipelines.repository.ts'

const { leads, deals } = schema

const recordsAtOnce = 500

/** A stage, and the stage that takes its records, with the pipeline. */
export interface StageMove {
  readonly from: StageRow
  readonly pipeline: PipelineRecord
  readonly to: StageRow
}

/** Whether a move would mark leads as converted that were never converted; only a conversion may do that. */
export async function convertsLeads(tx: Transaction, { workspace }: CrmContext, move: StageMove): Promise<boolean> {
  if (statusAt(move) !== 'CONVERTED') return false
  const [row] = await tx
    .select({ n: count() })
    .from(leads)
    .where(and(inStage(leads, workspace.id, move.from), isNull(leads.convertedAt)))
  return (row?.n ?? 0) > 0
}

/** Moves all records out of a stage; each history shows it like any other move. Returns the number of moved records. */
export async function emptyStage(tx: Transaction, context: CrmContext, move: StageMove): Promise<number> {
  const isOfLeads = move.pipeline.entityType === lead.entity
  let moved = 0
  for (;;) {
    const some = isOfLeads
      ? await moveSome(tx, context, leadKind, move, moveLeads)
      : await moveSome(tx, context, dealKind, move, moveDeals)
    if (some === 0) break
    moved += some
  }
  await moveDeleted(tx, context, move)
  return moved
}

type MoveRows = (tx: Transaction, context: CrmContext, move: StageMove, ids: readonly string[]) => Promise<void>

/** The fields of a record that a move can change. */
const moving: readonly string[] = ['pipelineId', 'stageId', 'status', 'probability']

/** Moves some of the remaining records, and returns their number. */
async function moveSome<Row extends OwnedRow>(
  tx: Transaction,
  context: CrmContext,
  kind: RecordKind<Row>,
  move: StageMove,
  moveRows: MoveRows,
): Promise<number> {
  const table = kind.entityType === lead.entity ? leads : deals
  const ids = await selectRecordIds(
    tx,
    kind,
    and(inStage(table, context.workspace.id, move.from), isNull(table.deletedAt)) as SQL,
    recordsAtOnce,
  )
  if (ids.length === 0) return 0
  const scope = systemScope(context.workspace.id)
  const before = await lockRecords(tx, kind, scope, ids)
  await moveRows(tx, context, move, ids)
  const after = await lockRecords(tx, kind, scope, ids)
  const traces = [...after.values()].map((row) => {
    const moved = Object.fromEntries(Object.entries(row).filter(([field]) => moving.includes(field))) as Partial<Row>
    return traceChanged(kind, row, fieldChanges<Row>(before.get(row.id) ?? row, moved))
  })
  await leaveTrace(tx, context, kind, joinTraces(traces))
  return ids.length
}

const moveLeads: MoveRows = async (tx, { workspace, at }, move, ids) => {
  const these = and(eq(leads.workspaceId, workspace.id), isAnyOf(leads.id, ids))
  const status = statusAt(move)
  const place = { ...placeOf(move), stageChangedAt: at, updatedAt: at, version: sql`${leads.version} + 1` }
  await writeRows(tx, leads, tx.update(leads).set(place).where(these).getSQL())
  const others = and(these, isNull(leads.convertedAt), ne(leads.status, status))
  await writeRows(tx, leads, tx.update(leads).set({ status, statusChangedAt: at }).where(others).getSQL())
}

const moveDeals: MoveRows = async (tx, { workspace, at }, move, ids) => {
  const { type: status, probability } = move.to
  const closedAt = status === 'OPEN' ? null : sql`coalesce(${deals.closedAt}, ${at})`
  const chance = probability === null ? {} : { probability }
  const place = {
    ...placeOf(move),
    status,
    ...chance,
    closedAt,
    stageChangedAt: at,
    updatedAt: at,
    version: sql`${deals.version} + 1`,
  }
  const these = and(eq(deals.workspaceId, workspace.id), isAnyOf(deals.id, ids))
  await writeRows(tx, deals, tx.update(deals).set(place).where(these).getSQL())
}

/** Moves deleted records without a trace: they can be restored, and a stage that holds them cannot be deleted. */
async function moveDeleted(tx: Transaction, { workspace, at }: CrmContext, move: StageMove): Promise<void> {
  const place = { ...placeOf(move), updatedAt: at }
  const table = move.pipeline.entityType === lead.entity ? leads : deals
  const moved = table === leads ? tx.update(leads).set(place) : tx.update(deals).set({ ...place, status: move.to.type })
  await writeRows(tx, table, moved.where(inStage(table, workspace.id, move.from)).getSQL())
}

function statusAt({ pipeline, to }: StageMove) {
  return statusInStage({ ...pipeline, ...pipeline.rules }, to)
}

function placeOf({ pipeline, to }: StageMove) {
  return { pipelineId: pipeline.id, stageId: to.id }
}

function inStage(table: typeof leads | typeof deals, workspaceId: string, { id }: StageRow): SQL {
  return and(eq(table.workspaceId, workspaceId), eq(table.stageId, id)) as SQL
}
