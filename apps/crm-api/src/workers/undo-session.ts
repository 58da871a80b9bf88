import type { UndoResult } from '@crm/contract'
import { undoneAtOnce, undoNextRecords } from '../across/agents/undo-session.ts'
import type { SessionSpan } from '../domain/agents/sessions.repository.ts'
import { rehearsed } from '../records/rehearsal.ts'
import type { JobHandler } from './job-handler.ts'
import { runStep } from './job-steps.ts'

const nothingYet: UndoResult = { undone: 0, kept: [] }

/** Undoes what an agent did in a session, the records that it touched last first; or tells what that would do. */
export const undoSession: JobHandler = (work) =>
  runStep(work, async (tx, { operationId: _operationId, ...context }, job) => {
    const { span, dryRun } = job.payload as { readonly span: SessionSpan; readonly dryRun: boolean }
    const before = (job.result ?? nothingYet) as UndoResult
    const { touched, result } = await rehearsed(dryRun, tx, (inner) =>
      undoNextRecords(inner, context, span, { after: job.cursor, before }),
    )
    return {
      ids: touched.map(({ entityId }) => entityId),
      results: [],
      cursor: touched.at(-1)?.newest,
      isOver: touched.length < undoneAtOnce,
      result,
    }
  })
