import type { WorkflowStep } from '@crm/contract'
import { isAnyOf, schema, visible } from '@crm/db'
import { entityTypes } from '@crm/permissions'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'
import { customKind } from '../../../records/custom-kinds.ts'
import { kindOf } from '../../../kinds/kinds.ts'
import { isOwnBooking } from '../../../domain/booking/own-bookings.ts'

/** A record that the log of automation mentions. */
export interface Mention {
  readonly entityType: string
  readonly entityId: string
}

/** The columns of a log row that name the record of its request. */
export interface Subject {
  readonly subjectType: string | null
  readonly subjectId: string | null
}

/** Returns the record of a log row; none where its request was about no record. */
export function subjectOf({ subjectType, subjectId }: Subject): Mention[] {
  return subjectType !== null && subjectId !== null ? [{ entityType: subjectType, entityId: subjectId }] : []
}

/** Whether the reader may see every one of some records. */
export type SeesAll = (mentions: readonly Mention[]) => boolean

/**
 * Finds which records of a log the reader may see now. A deleted record counts as long as it can be restored: a person who
 * could see it may see the log of it.
 */
export async function findSeen(context: CrmContext, mentions: readonly Mention[]): Promise<SeesAll> {
  const seen = new Set<string>()
  for (const [entityType, ofType] of Map.groupBy(mentions, (mention) => mention.entityType)) {
    const ids = [...new Set(ofType.map(({ entityId }) => entityId))]
    for (const id of await seenOfType(context, entityType, ids)) seen.add(`${entityType}:${id}`)
  }
  return (asked) => asked.every(({ entityType, entityId }) => seen.has(`${entityType}:${entityId}`))
}

async function seenOfType(context: CrmContext, entityType: string, ids: readonly string[]): Promise<readonly string[]> {
  if (entityType === 'BOOKING')
    return idsOf(context, sql`${schema.bookings}`, and(isOwnBooking(context), isAnyOf(schema.bookings.id, ids)) as SQL)
  if (entityType === 'IMPORT') return context.caller.effective.has('IMPORT_DATA') ? ids : []
  const scope = context.scopeIfAllowed(entityType)
  if (!scope) return []
  const known = kindOf(entityType)
  // People, departments and files are not owned like records: a person with the level ALL sees each of them.
  if (!known && (entityTypes as readonly string[]).includes(entityType)) return scope.level === 'ALL' ? ids : []
  const { table, base } = known ?? customKind(entityType)
  return idsOf(context, sql`${table}`, and(visible(scope, table), base, isAnyOf(table.id, ids)) as SQL)
}

async function idsOf({ db }: CrmContext, table: SQL, where: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM ${table} WHERE ${where}`)
  return rows.map(({ id }) => id)
}

const { workflowRuns, workflowStepRuns, workflowVersions } = schema

const recordSteps: readonly WorkflowStep['type'][] = ['CREATE_RECORD', 'UPDATE_RECORD', 'FIND_RECORDS', 'ASSIGN_OWNER']

/** Returns the records that workflow runs received, made, changed or found, by the id of the run. */
export async function mentionsOfRuns(
  { db, workspace }: Pick<CrmContext, 'db' | 'workspace'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Mention[]>> {
  if (runIds.length === 0) return new Map()
  const runs = await db
    .select({
      id: workflowRuns.id,
      subjectType: workflowRuns.subjectType,
      subjectId: workflowRuns.subjectId,
      startedById: workflowRuns.startedByRunId,
      steps: workflowVersions.steps,
    })
    .from(workflowRuns)
    .innerJoin(
      workflowVersions,
      and(
        eq(workflowVersions.workspaceId, workflowRuns.workspaceId),
        eq(workflowVersions.workflowId, workflowRuns.workflowId),
        eq(workflowVersions.version, workflowRuns.version),
      ),
    )
    .where(and(eq(workflowRuns.workspaceId, workspace.id), isAnyOf(workflowRuns.id, runIds)))
  const { rows: touched } = await db.execute<{ runId: string; key: string; ids: string[] }>(sql`
    SELECT run_id AS "runId", step_key AS key, jsonb_path_query_array(output, '$.id ? (@.type() == "string")') || jsonb_path_query_array(output, '$.items[*].id') AS ids
    FROM ${workflowStepRuns}
    WHERE ${and(eq(workflowStepRuns.workspaceId, workspace.id), isAnyOf(workflowStepRuns.runId, runIds), isAnyOf(workflowStepRuns.type, recordSteps))}`)
  const byRun = Map.groupBy(touched, ({ runId }) => runId)
  // A run has the data of the run that started it, so it is seen by those who see that one.
  const startedBy = await mentionsOfRuns(
    { db, workspace },
    runs.flatMap(({ startedById }) => startedById ?? []),
  )
  return new Map(
    runs.map(({ id, steps, startedById, ...subject }) => {
      const types = typesByKey(steps)
      const ofSteps = (byRun.get(id) ?? []).flatMap(({ key, ids }) =>
        (ids ?? []).map((entityId) => ({ entityType: types.get(key) ?? '', entityId })),
      )
      const inherited = startedById === null ? [] : (startedBy.get(startedById) ?? [deletedRun(startedById)])
      return [id, [...subjectOf(subject), ...ofSteps, ...inherited]]
    }),
  )
}

/** Stands for the records of a run that is deleted: nobody is known to see them. */
function deletedRun(entityId: string): Mention {
  return { entityType: 'WORKFLOW_RUN', entityId }
}

/** Returns the entity types of the steps that work with records, forks included, by the key of the step. */
function typesByKey(steps: readonly Readonly<Record<string, unknown>>[]): Map<string, string> {
  return new Map(
    steps.flatMap((step): [string, string][] => {
      const own: [string, string][] =
        typeof step['entityType'] === 'string' ? [[String(step['key']), step['entityType']]] : []
      const inside = [step['then'], step['else']].flatMap((branch) =>
        Array.isArray(branch) ? [...typesByKey(branch as Record<string, unknown>[])] : [],
      )
      return [...own, ...inside]
    }),
  )
}
