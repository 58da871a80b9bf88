import type { ActivityInput, ActivityPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import { changeOf, planOwned, planOwnedChange, type Change, type OwnedFacts } from '../../../records/owned/plan.ts'
import type { ActivityRow, ActivityValues } from '../../../kinds/activities.ts'

/** Returns the row of a new activity: done, unless it lies in the future. */
export function planActivity(input: ActivityInput, facts: OwnedFacts, at: string): ActivityValues {
  const { links: _links, ...fields } = input
  const { customFields: _customFields, ...owned } = planOwned(input, facts)
  const isAhead = Boolean(input.startAt && input.startAt > at)
  const status = input.status ?? (isAhead ? 'PLANNED' : 'DONE')
  refuseBackwards(input)
  return {
    ...fields,
    ...owned,
    status,
    participants: input.participants ?? [],
    happenedAt: tookPlaceAt(null, { ...input, status, createdAt: at }, at),
  }
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
export function planActivityChange(current: ActivityRow, patch: ActivityPatch, facts: OwnedFacts, at: string): Change {
  const { links: _links, ...fields } = patch
  const set: Partial<ActivityValues> = planOwnedChange(current, fields, facts)
  const next = { ...current, ...set }
  refuseBackwards(next)
  const isMoved = (['status', 'startAt', 'endAt'] as const).some((field) => next[field] !== current[field])
  if (isMoved) set.happenedAt = tookPlaceAt(current, next, at)
  return changeOf(current, set, ['happenedAt'])
}

function refuseBackwards({ startAt, endAt }: Pick<ActivityInput, 'startAt' | 'endAt'>): void {
  if (startAt && endAt && endAt < startAt) throw invalidField('endAt', 'An activity does not end before it starts')
}

/**
 * Returns when an activity took place, for values that follow from it: the stated time, else the time at which it was marked
 * as done, and never later than now; null while it is not done.
 */
function tookPlaceAt(
  before: Pick<ActivityRow, 'status'> | null,
  after: Pick<ActivityRow, 'status' | 'createdAt'> & Pick<ActivityInput, 'startAt' | 'endAt'>,
  now: string,
): string | null {
  if (after.status !== 'DONE') return null
  const said = before?.status === 'DONE' ? after.createdAt : now
  const told = after.endAt ?? after.startAt ?? said
  return told < now ? told : now
}
