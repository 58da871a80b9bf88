import type { TimelineEntry } from '@crm/db'
import type { RecordLink } from '../../../kinds/record-links.ts'
import type { TaskRow } from '../../../kinds/tasks.ts'

/** A task before a change, or an empty task before its creation. */
interface Earlier {
  readonly status: TaskRow['status'] | null
  readonly projectId: string | null
}

/** The links of a task after a change. */
export interface TaskPlaces {
  /** The newly linked records. */
  readonly added: readonly RecordLink[]
  /** All records to which it is linked now. */
  readonly links: readonly RecordLink[]
}

/**
 * Returns the entries in the history of the project and the records to which a task is linked. They leave out the content of
 * the task: a person who sees such a record need not see the task.
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
