import type { timelineKinds } from '@crm/contract'
import { t } from '../base/texts.ts'

interface Change {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** An entry of a history, as far as folding needs it. */
interface Foldable {
  readonly kind: string
  readonly entityId: string
  readonly occurredAt: string
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly source: string
  readonly changes: readonly Change[]
}

const foldedMs = 10 * 60_000

/**
 * Folds the field changes that one person made to a record within ten minutes into one entry, which says each field once:
 * from its first value to its last one. The newest entry comes first.
 */
export function foldEntries<Entry extends Foldable>(entries: readonly Entry[]): readonly Entry[] {
  const folded: Entry[] = []
  let newest: Entry | undefined
  for (const entry of entries) {
    const above = folded.at(-1)
    if (above !== undefined && newest !== undefined && belongTogether(newest, above, entry)) {
      folded[folded.length - 1] = { ...above, changes: mergeChanges(entry.changes, above.changes) }
      continue
    }
    newest = entry
    folded.push(entry)
  }
  return folded
}

function belongTogether(newest: Foldable, above: Foldable, entry: Foldable): boolean {
  return (
    above.kind === 'UPDATED' &&
    entry.kind === 'UPDATED' &&
    above.changes.length > 0 &&
    entry.changes.length > 0 &&
    above.entityId === entry.entityId &&
    above.actor.id === entry.actor.id &&
    above.actor.name === entry.actor.name &&
    above.source === entry.source &&
    Date.parse(newest.occurredAt) - Date.parse(entry.occurredAt) <= foldedMs
  )
}

function mergeChanges(older: readonly Change[], newer: readonly Change[]): readonly Change[] {
  const all = new Map(older.map((change) => [change.field, change]))
  for (const change of newer) {
    const first = all.get(change.field)
    all.set(change.field, first ? { ...change, from: first.from } : change)
  }
  // A field that is again what it was did not change.
  return [...all.values()].filter(({ from, to }) => JSON.stringify(from ?? null) !== JSON.stringify(to ?? null))
}

type Kind = (typeof timelineKinds)[number]

/** The filters of a history, by the kinds of entry that each shows. */
export const feedFilters = {
  notes: ['COMMENT_ADDED', 'NOTE_ADDED'],
  meetings: ['CALL_LOGGED', 'MEETING_SCHEDULED', 'MEETING_RESCHEDULED', 'MEETING_CANCELLED', 'BOOKING_CREATED'],
  emails: ['EMAIL_SENT', 'QUOTE_SENT', 'INVOICE_SENT'],
  tasks: ['TASK_ADDED', 'TASK_COMPLETED'],
  files: ['FILE_ADDED', 'FILE_REMOVED'],
  changes: [
    'CREATED',
    'UPDATED',
    'STATUS_CHANGED',
    'STAGE_CHANGED',
    'OWNER_CHANGED',
    'CONVERTED',
    'MERGED',
    'RESTORED',
  ],
} as const satisfies Readonly<Record<string, readonly Kind[]>>

export type FeedFilter = keyof typeof feedFilters

/** The names of the filters. */
export const feedFilterNames: Readonly<Record<FeedFilter, string>> = {
  notes: t('activities.notes'),
  meetings: t('activities.callsAndMeetings'),
  emails: t('feed.emails'),
  tasks: t('common.tasks'),
  files: t('common.files'),
  changes: t('records.changesOfFields'),
}
