import type { TaskInput, TaskPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import {
  changeOf,
  planOwned,
  planOwnedChange,
  unique,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import type { TaskRow, TaskValues } from '../../../kinds/tasks.ts'

/** Returns the row of a new task without its number, or refuses it. */
export function planTask(input: TaskInput, facts: OwnedFacts, at: string): Omit<TaskValues, 'number'> {
  const { links: _links, checklist: _checklist, ...fields } = input
  const { customFields: _customFields, ...owned } = planOwned(input, facts)
  const status = input.status ?? 'TODO'
  refuseBackwards(input)
  return { ...fields, ...owned, status, memberIds: unique(input.memberIds ?? []), completedAt: completedIn(status, at) }
}

/**
 * Returns the columns that a PATCH changes and their differences, or refuses the PATCH; a task is completed for as long as
 * its status says so.
 */
export function planTaskChange(current: TaskRow, patch: TaskPatch, facts: OwnedFacts, at: string): Change {
  const { links: _links, ...fields } = patch
  const set: Partial<TaskValues> = planOwnedChange(current, fields, facts)
  if (patch.memberIds) set.memberIds = unique(patch.memberIds)
  if (patch.status && patch.status !== current.status) set.completedAt = completedIn(patch.status, at)
  refuseBackwards({ ...current, ...set })
  return changeOf(current, set)
}

function completedIn(status: TaskRow['status'], at: string): string | null {
  return status === 'DONE' ? at : null
}

function refuseBackwards({ startAt, dueAt }: Pick<TaskInput, 'startAt' | 'dueAt'>): void {
  if (startAt && dueAt && dueAt < startAt) throw invalidField('dueAt', 'A task is not due before it starts')
}
