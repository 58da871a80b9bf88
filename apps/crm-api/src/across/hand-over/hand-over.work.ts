import type { MeetingFate } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { and, desc, eq, gt, not, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { MovedOther } from './belonging-others.ts'
import type { MovedMeeting } from './meetings.ts'

const { jobs } = schema

/** The background work that gives what belongs to a person to others, and the one that gives it back. */
export const handOverEvent = 'hand-over.run'
export const handBackEvent = 'hand-over.undo'

/** For how long a hand-over can be undone. */
const undoableMs = 72 * 3_600_000

/** What the background work of a hand-over needs to know. */
export interface HandOverWork {
  readonly personId: string
  readonly toIds: readonly string[]
  /** Entity types and types of other things, in the order in which they are handed over. */
  readonly kinds: readonly string[]
  readonly meetings: MeetingFate
  readonly includeOver: boolean
  /** By which way the caller came. */
  readonly source: string
  /** What was moved besides records, whose history tells what was done to them. */
  readonly moved?: Moved
}

/** What a hand-over moved besides records. */
export interface Moved {
  readonly others: readonly MovedOther[]
  readonly meetings: readonly MovedMeeting[]
}

/** Returns how many things a hand-over of the caller's own moved, while it can be undone. */
export async function findHandOver(
  db: Executor,
  context: CrmContext,
  id: string,
): Promise<{ readonly total: number } | undefined> {
  const [job] = await db
    .select({ total: jobs.processed })
    .from(jobs)
    .where(and(isUndoable(context), eq(jobs.id, id)))
  return job
}

/** Returns the last hand-over of a person by the caller that can be undone, and that nobody has undone. */
export async function findLastHandOver(
  db: Executor,
  context: CrmContext,
  personId: string,
): Promise<{ readonly undoId: string; readonly finishedAt: string } | undefined> {
  const isUndone = sql`EXISTS (SELECT 1 FROM ${jobs} u WHERE u.workspace_id = ${context.workspace.id}
    AND u.employee_id = ${context.caller.employee.id} AND u.kind = ${handBackEvent} AND u.payload ->> 'handOverId' = ${jobs.id}::text)`
  const [job] = await db
    .select({ undoId: jobs.id, finishedAt: sql<string>`${jobs.finishedAt}` })
    .from(jobs)
    .where(and(isUndoable(context), sql`${jobs.payload} ->> 'personId' = ${personId}`, not(isUndone)))
    .orderBy(desc(jobs.finishedAt))
    .limit(1)
  return job
}

function isUndoable({ workspace, caller, at }: CrmContext): SQL {
  const since = new Date(Date.parse(at) - undoableMs).toISOString()
  return and(
    eq(jobs.workspaceId, workspace.id),
    eq(jobs.employeeId, caller.employee.id),
    eq(jobs.kind, handOverEvent),
    gt(jobs.finishedAt, since),
  ) as SQL
}
