import type { RevealedObject } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'
import { findRunOf } from '../workflows/workflow-runs.repository.ts'
import { findLastRequest } from '../workflows/workflows.repository.ts'
import { findSeen, mentionsOfRuns, subjectOf, type Mention } from './sight.ts'

const { deliveries, ruleRuns } = schema

/** Finds the objects that reveal only records that the caller may see now. */
export type FindSeen = (context: CrmContext, ids: readonly string[]) => Promise<ReadonlySet<string>>

/** The finders for the log of automation, by the kinds of object in it. */
export const seenInAutomation = {
  'workflow-run': async (context, ids) => seenAmong(context, ids, await mentionsOfRuns(context, ids)),

  'rule-run': async (context, ids) => {
    const rows = await context.db
      .select({ id: ruleRuns.id, subjectType: ruleRuns.subjectType, subjectId: ruleRuns.subjectId })
      .from(ruleRuns)
      .where(and(eq(ruleRuns.workspaceId, context.workspace.id), isAnyOf(ruleRuns.id, ids)))
    return seenAmong(context, ids, new Map(rows.map((row) => [row.id, subjectOf(row)])))
  },

  delivery: async (context, ids) => {
    const rows = await context.db
      .select({
        id: deliveries.id,
        runId: deliveries.runId,
        subjectType: deliveries.subjectType,
        subjectId: deliveries.subjectId,
      })
      .from(deliveries)
      .where(and(eq(deliveries.workspaceId, context.workspace.id), isAnyOf(deliveries.id, ids)))
    const ofRuns = await mentionsOfRuns(
      context,
      rows.flatMap(({ runId }) => runId ?? []),
    )
    const mentionsOf = (row: (typeof rows)[number]) =>
      row.runId === null ? subjectOf(row) : (ofRuns.get(row.runId) ?? [])
    return seenAmong(context, ids, new Map(rows.map((row) => [row.id, mentionsOf(row)])))
  },

  // The id is that of a workflow. It stands for the last call of its webhook, which also reveals the records that its run has made.
  'last-request': async (context, ids) => {
    const { db, workspace } = context
    const seen = new Set<string>()
    for (const id of ids) {
      const last = await findLastRequest(db, workspace.id, id)
      const runId = last && (await findRunOf(db, workspace.id, id, last.request['body']))
      if (!runId || (await seenInAutomation['workflow-run'](context, [runId])).has(runId)) seen.add(id)
    }
    return seen
  },
} satisfies Partial<Record<RevealedObject, FindSeen>>

async function seenAmong(
  context: CrmContext,
  ids: readonly string[],
  mentions: ReadonlyMap<string, readonly Mention[]>,
): Promise<ReadonlySet<string>> {
  const seesAll = await findSeen(context, [...mentions.values()].flat())
  return new Set(
    ids.filter((id) => {
      const told = mentions.get(id)
      return told !== undefined && seesAll(told)
    }),
  )
}
