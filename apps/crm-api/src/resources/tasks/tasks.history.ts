import type { TimelineEntry } from '@crm/db'
import type { RecordLink } from '../../kinds/record-links.ts'
import type { TaskRow } from '../../kinds/tasks.ts'

/** A task as it was before a change, or as if it had not been there. */
interface Earlier {
  readonly status: TaskRow['status'] | null
  readonly projectId: string | null
}

/** What the records that a task hangs on know it by. */
export interface TaskPlaces {
  /** The records that it did not hang on before. */
  readonly added: readonly RecordLink[]
  /** All records that it hangs on now. */
  readonly links: readonly RecordLink[]
}

/**
 * The entries in the history of the project and the records that a task hangs on. What the task says is not in them: whoever
 * sees such a record need not see the task.
 */
export function entriesOfTask(before: Earlier, after: TaskRow, { added, links }: TaskPlaces): TimelineEntry[] {
  const project = after.projectId ? [{ entityType: 'PROJECT', entityId: after.projectId }] : []
  const isNewInProject = after.projectId !== before.projectId
  const isCompleted = after.status === 'DONE' && before.status !== 'DONE'
  return [
    ...entries(after, 'TASK_ADDED', [...added, ...(isNewInProject ? project : [])]),
    ...(isCompleted ? entries(after, 'TASK_COMPLETED', [...links, ...project]) : []),
  ]
}

function entries({ id, number, status }: TaskRow, kind: string, records: readonly RecordLink[]): TimelineEntry[] {
  const once = new Map(records.map((record) => [`${record.entityType}:${record.entityId}`, record]))
  return [...once.values()].map((record) => ({
    ...record,
    kind,
    data: { number, status },
    relatedType: 'TASK',
    relatedId: id,
  }))
}
