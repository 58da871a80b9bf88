import type { UndoResult } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { undoneAtOnce, undoNextActs, undoNextRecords } from '../across/agents/undo-session.ts'
import type { SessionSpan } from '../domain/agents/sessions.repository.ts'
import type { CrmContext } from '../platform/context.ts'
import type { Undoable } from '../records/owned/trace.ts'
import { rehearsed } from '../records/rehearsal.ts'
import type { JobHandler } from './job-handler.ts'
import { runStep, type Step } from './job-steps.ts'

const nothingYet: UndoResult = { undone: 0, kept: [] }

/** Begins the cursor when the records are done. */
const ofActs = 'acts:'

/** Up to this size a rehearsal does its records once more, and all at once, before it looks at what they used. */
const rehearsedWholeMax = 500

interface Undo {
  readonly span: SessionSpan
  readonly dryRun: boolean
  readonly cursor: string | null
  readonly before: UndoResult
  readonly total: number
}

/**
 * Undoes what an agent did in a session, the records that it touched last first, then files and choices, which the records may have used;
 * or tells what that would do.
 */
export const undoSession: JobHandler = (work) =>
  runStep(work, async (tx, context, job) => {
    const { span, dryRun } = job.payload as { readonly span: SessionSpan; readonly dryRun: boolean }
    const before = (job.result ?? nothingYet) as UndoResult
    const undo = { span, dryRun, before, cursor: job.cursor, total: job.total }
    return job.cursor?.startsWith(ofActs) ? stepOverActs(tx, context, undo) : stepOverRecords(tx, context, undo)
  })

async function stepOverRecords(
  tx: Transaction,
  { operationId: _operationId, ...context }: Undoable<CrmContext>,
  { span, dryRun, cursor, before }: Undo,
): Promise<Step> {
  const { touched, result } = await rehearsed(dryRun, tx, (inner) =>
    undoNextRecords(inner, context, span, { after: cursor, before }),
  )
  return {
    ids: touched.map(({ entityId }) => entityId),
    results: [],
    cursor: touched.length < undoneAtOnce ? ofActs : touched.at(-1)?.newest,
    isOver: false,
    result,
  }
}

async function stepOverActs(
  tx: Transaction,
  context: Undoable<CrmContext>,
  { span, dryRun, cursor, before, total }: Undo,
): Promise<Step> {
  const after = cursor?.slice(ofActs.length) || null
  const isWhole = !dryRun || total <= rehearsedWholeMax
  // Each step of a rehearsal gives back what it took, and what the next step looks at may be used by that.
  const limit = dryRun && isWhole ? rehearsedWholeMax : undoneAtOnce
  const { acted, result } = await rehearsed(dryRun, tx, async (inner) => {
    if (dryRun && isWhole) await undoAllRecords(inner, context, span)
    return undoNextActs(inner, context, span, { after, before, limit, isWhole })
  })
  return {
    ids: acted.map(({ entityId }) => entityId),
    results: [],
    cursor: `${ofActs}${acted.at(-1)?.newest ?? after ?? ''}`,
    isOver: acted.length < limit,
    result,
  }
}

async function undoAllRecords(
  tx: Transaction,
  { operationId: _operationId, ...context }: Undoable<CrmContext>,
  span: SessionSpan,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    const { touched } = await undoNextRecords(tx, context, span, { after, before: nothingYet })
    after = touched.at(-1)?.newest ?? null
    if (touched.length < undoneAtOnce || after === null) return
  }
}
