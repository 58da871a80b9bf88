import type { MeetingFate } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { and, eq, gt } from 'drizzle-orm'
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
  { workspace, caller, at }: CrmContext,
  id: string,
): Promise<{ readonly total: number } | undefined> {
  const since = new Date(Date.parse(at) - undoableMs).toISOString()
  const [job] = await db
    .select({ total: jobs.processed })
    .from(jobs)
    .where(
      and(
        eq(jobs.workspaceId, workspace.id),
        eq(jobs.id, id),
        eq(jobs.kind, handOverEvent),
        eq(jobs.employeeId, caller.employee.id),
        gt(jobs.finishedAt, since),
      ),
    )
  return job
}
