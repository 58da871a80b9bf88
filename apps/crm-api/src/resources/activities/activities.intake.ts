import type { ActivityInput, ActivityPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import { changeOf, planOwned, planOwnedChange, type Change, type OwnedFacts } from '../../records/owned/plan.ts'
import type { ActivityRow, ActivityValues } from './activities.record.ts'

/** The row of a new activity: done, unless it lies ahead. */
export function planActivity(input: ActivityInput, facts: OwnedFacts, at: string): ActivityValues {
  const { links: _links, ...fields } = input
  const { customFields: _customFields, ...owned } = planOwned(input, facts)
  const isAhead = Boolean(input.startAt && input.startAt > at)
  refuseBackwards(input)
  return { ...fields, ...owned, status: input.status ?? (isAhead ? 'PLANNED' : 'DONE'), participants: input.participants ?? [] }
}

/** The columns that a PATCH changes and how they differ, or the refusal. */
export function planActivityChange(current: ActivityRow, patch: ActivityPatch, facts: OwnedFacts): Change {
  const { links: _links, ...fields } = patch
  const set = planOwnedChange(current, fields, facts)
  refuseBackwards({ ...current, ...set })
  return changeOf(current, set)
}

function refuseBackwards({ startAt, endAt }: Pick<ActivityInput, 'startAt' | 'endAt'>): void {
  if (startAt && endAt && endAt < startAt) throw invalidField('endAt', 'An activity does not end before it starts')
}

/** When an activity that is done took place, for what follows from it: never later than now. */
export function tookPlaceAt({ status, startAt, endAt }: Pick<ActivityRow, 'status' | 'startAt' | 'endAt'>, at: string): string | null {
  if (status !== 'DONE') return null
  const told = endAt ?? startAt ?? at
  return told < at ? told : at
}
