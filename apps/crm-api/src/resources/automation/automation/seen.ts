import type { RevealedObject } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'
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
