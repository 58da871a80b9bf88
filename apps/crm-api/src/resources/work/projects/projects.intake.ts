import type { ProjectInput, ProjectPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import {
  changeOf,
  planOwned,
  planOwnedChange,
  unique,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import type { ProjectRow, ProjectValues } from '../../../kinds/projects.ts'

/** The facts of the workspace that a new or changed project needs. */
export interface ProjectFacts extends OwnedFacts {
  /** ISO 4217, for budgets that name no currency. */
  readonly currency: string
}

/** Returns the row of a new project without its number, or refuses it. */
export function planProject(input: ProjectInput, facts: ProjectFacts): Omit<ProjectValues, 'number'> {
  const { customFields: _customFields, ...owned } = planOwned(input, facts)
  const status = input.status ?? 'PLANNED'
  refuseBackwards(input)
  return {
    ...input,
    ...owned,
    status,
    memberIds: unique(input.memberIds ?? []),
    currency: input.currency ?? facts.currency,
    progress: input.progress ?? progressIn(status) ?? 0,
  }
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
export function planProjectChange(current: ProjectRow, patch: ProjectPatch, facts: ProjectFacts): Change {
  const set: Partial<ProjectValues> = planOwnedChange(current, patch, facts)
  if (patch.memberIds) set.memberIds = unique(patch.memberIds)
  if (patch.status && patch.status !== current.status)
    set.progress = patch.progress ?? progressIn(patch.status) ?? current.progress
  refuseBackwards({ ...current, ...set })
  return changeOf(current, { ...set })
}

/** Returns the progress that a status implies: a completed project is done in full. */
function progressIn(status: ProjectRow['status']): number | undefined {
  return status === 'COMPLETED' ? 100 : undefined
}

function refuseBackwards({ startDate, endDate }: Pick<ProjectInput, 'startDate' | 'endDate'>): void {
  if (startDate && endDate && endDate < startDate)
    throw invalidField('endDate', 'A project does not end before it starts')
}
