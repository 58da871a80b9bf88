import { fieldChanges, type TimelineEntry } from '@crm/db'
import type { RecordLink } from '../../../kinds/record-links.ts'
import type { ActivityRow } from '../../../kinds/activities.ts'

const kindOfType = {
  CALL: 'CALL_LOGGED',
  MEETING: 'MEETING_SCHEDULED',
  EMAIL: 'EMAIL_SENT',
  NOTE: 'NOTE_ADDED',
  SMS: 'NOTE_ADDED',
  OTHER: 'NOTE_ADDED',
} as const satisfies Record<ActivityRow['type'], string>

/**
 * Returns the entries in the history of the records to which an activity is linked. They leave out the content of the
 * activity: a person who sees such a record need not see the activity.
 */
function entriesOf(
  activity: ActivityRow,
  kind: string,
  links: readonly RecordLink[],
  changes?: TimelineEntry['changes'],
): TimelineEntry[] {
  const { type, direction, status, startAt, endAt } = activity
  return links.map((link) => ({
    ...link,
    kind,
    changes,
    data: { type, direction, status, startAt, endAt },
    relatedType: 'ACTIVITY',
    relatedId: activity.id,
  }))
}

/** Returns the entries of records to which an activity was linked now. */
export function entriesOfLinked(activity: ActivityRow, links: readonly RecordLink[]): TimelineEntry[] {
  return entriesOf(activity, kindOfType[activity.type], links)
}

/**
 * Returns the entries of records to which an activity was linked before: a meeting was moved or called off, a planned
 * activity was done.
 */
export function entriesOfChange(
  before: ActivityRow,
  after: ActivityRow,
  links: readonly RecordLink[],
): TimelineEntry[] {
  const kind = kindOfChange(before, after)
  const { status, startAt, endAt } = after
  return kind ? entriesOf(after, kind, links, fieldChanges(before, { status, startAt, endAt })) : []
}

function kindOfChange(before: ActivityRow, after: ActivityRow): string | undefined {
  if (after.type !== 'MEETING')
    return before.status !== 'DONE' && after.status === 'DONE' ? kindOfType[after.type] : undefined
  if (before.status !== 'CANCELLED' && after.status === 'CANCELLED') return 'MEETING_CANCELLED'
  const isMoved = before.startAt !== after.startAt || before.endAt !== after.endAt
  return after.status === 'PLANNED' && isMoved ? 'MEETING_RESCHEDULED' : undefined
}
