import { stageTimeMovesMax, success } from '@crm/contract'
import type { CrmContext } from '../../platform/context.ts'
import { listStageMoves } from '../../records/history.ts'
import { requireRecord } from '../../records/owned/handlers.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { stageTimes } from '../../records/stage-times.ts'

interface StagedRow extends OwnedRow {
  readonly stageId: string
  readonly stageChangedAt: string
}

/** Returns the handler that tells how long a record has been in each stage. */
export function stageTimesHandler<Row extends StagedRow>(kind: RecordKind<Row>) {
  return {
    stageTimes: async ({ params }: { readonly params: { readonly id: string } }, context: CrmContext) => {
      const record = await requireRecord(context, kind, params.id)
      const of = { entityType: kind.entityType, entityId: record.id }
      const { moves, areAll } = await listStageMoves(context.db, context.workspace.id, of, stageTimeMovesMax)
      return success({ stages: stageTimes(record, moves, areAll, context.at) })
    },
  }
}
