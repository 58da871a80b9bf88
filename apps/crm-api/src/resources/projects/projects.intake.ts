import type { ProjectInput, ProjectPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import { changeOf, planOwned, planOwnedChange, unique, type Change, type OwnedFacts } from '../../records/owned/plan.ts'
import type { ProjectRow, ProjectValues } from '../../kinds/projects.ts'

/** What is known of the workspace when a project begins or changes. */
export interface ProjectFacts extends OwnedFacts {
  /** ISO 4217, for budgets that name no currency. */
  readonly currency: string
}

/** The row of a new project but for its number, or the refusal. */
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

/** The columns that a PATCH changes and how they differ, or the refusal. */
export function planProjectChange(current: ProjectRow, patch: ProjectPatch, facts: ProjectFacts): Change {
  const set: Partial<ProjectValues> = planOwnedChange(current, patch, facts)
  if (patch.memberIds) set.memberIds = unique(patch.memberIds)
  if (patch.status && patch.status !== current.status)
    set.progress = patch.progress ?? progressIn(patch.status) ?? current.progress
  refuseBackwards({ ...current, ...set })
  return changeOf(current, { ...set })
}

/** What is completed is done in full. */
function progressIn(status: ProjectRow['status']): number | undefined {
  return status === 'COMPLETED' ? 100 : undefined
}

function refuseBackwards({ startDate, endDate }: Pick<ProjectInput, 'startDate' | 'endDate'>): void {
  if (startDate && endDate && endDate < startDate)
    throw invalidField('endDate', 'A project does not end before it starts')
}
