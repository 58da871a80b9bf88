import { seenInAutomation, type FindSeen } from '../automation/seen.ts'
import { findRunOf } from './workflow-runs.repository.ts'
import { findLastRequest } from './workflows.repository.ts'

/** Finds the workflows whose last call the caller may see: the call also reveals the records that its run has made. */
export const seenLastRequests: FindSeen = async (context, ids) => {
  const { db, workspace } = context
  const seen = new Set<string>()
  for (const id of ids) {
    const last = await findLastRequest(db, workspace.id, id)
    const runId = last && (await findRunOf(db, workspace.id, id, last.request['body']))
    if (!runId || (await seenInAutomation['workflow-run'](context, [runId])).has(runId)) seen.add(id)
  }
  return seen
}
