import type { timelineKinds } from '@crm/contract'
import { t } from '../base/texts.ts'

type Kind = (typeof timelineKinds)[number]

interface Change {
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** An entry of a history, as far as folding needs it. */
interface Foldable {
  readonly id: string
  readonly groupId: string | null
  readonly kind: Kind
  readonly entityType: string
  readonly entityId: string
  readonly occurredAt: string
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly source: string
  readonly changes: readonly Change[]
  /** The objects that the changes name. */
  readonly links: readonly { readonly id: string }[]
}

/** One thing that somebody did, made of the entries that tell of it. */
export interface Told<Entry> {
  /** The entry that tells it best, with all changes of its record. */
  readonly entry: Entry
  /** The entries that tell the same of other records, such as of those that were changed together. */
  readonly others: readonly Entry[]
}

/** The kinds of entry, the one that tells an operation best first. A comment is always told by itself. */
const ranks: readonly Kind[] = [
  'CONVERTED',
  'MERGED',
  'BOOKING_CREATED',
  'MEETING_RESCHEDULED',
  'MEETING_CANCELLED',
  'QUOTE_ACCEPTED',
  'QUOTE_DECLINED',
  'QUOTE_SENT',
  'INVOICE_SENT',
  'INVOICE_ISSUED',
  'PAYMENT_RECORDED',
  'PAYMENT_REVERSED',
  'EMAIL_FAILED',
  'CALL_LOGGED',
  'EMAIL_SENT',
  'MEETING_SCHEDULED',
  'NOTE_ADDED',
  'TASK_COMPLETED',
  'TASK_ADDED',
  'FILE_ADDED',
  'FILE_REMOVED',
  'DELETED',
  'RESTORED',
  'STAGE_CHANGED',
  'OWNER_CHANGED',
  'STATUS_CHANGED',
  'UPDATED',
  'CREATED',
  'WORKFLOW_RUN',
]

const rankOf = ({ kind }: Foldable): number => {
  const rank = ranks.indexOf(kind)
  return rank < 0 ? ranks.length : rank
}

/** Returns one told thing for each operation, then folds changes that belong together. The newest comes first, as in the list. */
export function foldEntries<Entry extends Foldable>(entries: readonly Entry[]): readonly Told<Entry>[] {
  return foldChanges(foldOperations(entries))
}

/** Folds the entries of each operation. */
function foldOperations<Entry extends Foldable>(entries: readonly Entry[]): readonly Told<Entry>[] {
  const isAlone = ({ groupId, kind }: Entry) => groupId === null || kind === 'COMMENT_ADDED'
  const groups = Map.groupBy(entries, (entry) => (isAlone(entry) ? entry.id : (entry.groupId ?? entry.id)))
  return [...groups.values()].flatMap(foldOperation)
}

/** Folds the entries of one operation; records to which something else happened than to the first are told apart. */
function foldOperation<Entry extends Foldable>(group: readonly Entry[]): readonly Told<Entry>[] {
  const [newest] = group
  if (newest === undefined) return []
  const best = group.reduce((known, entry) => (rankOf(entry) < rankOf(known) ? entry : known))
  const isSame = (entry: Entry) => entry.entityType === best.entityType && entry.entityId === best.entityId
  const ofRecord = group.filter(isSame)
  // The fields of the entry that is told stand before the others.
  const fields = ofRecord.flatMap((entry) => entry.changes.map(({ field }) => field))
  const changes = joinChanges(ofRecord.toReversed().flatMap((entry) => entry.changes)).toSorted(
    (one, other) => fields.indexOf(one.field) - fields.indexOf(other.field),
  )
  const elsewhere = group.filter((entry) => entry.kind === best.kind && !isSame(entry))
  const others = elsewhere.filter((entry) => targetOf(entry) === targetOf(best))
  const apart = elsewhere.filter((entry) => !others.includes(entry))
  const entry = { ...best, changes: told(best, changes), links: ofRecord.flatMap(({ links }) => links) }
  return [{ entry, others }, ...foldOperation(apart)]
}

/** Returns what happened to a record: for a move the new values, for other changes the fields. */
function targetOf({ kind, changes }: Foldable): string {
  return JSON.stringify(changes.map(({ field, to }) => (kind === 'UPDATED' ? field : [field, to])))
}

/** Returns the changes that an entry tells: those that follow from the stage, or from the operation, need no words. */
function told({ kind }: Foldable, changes: readonly Change[]): readonly Change[] {
  if (kind === 'CONVERTED') return []
  const isMoved = changes.some(({ field }) => field === 'stageId')
  return changes.filter(({ field }) => !(isMoved && field === 'status'))
}

const foldedMs = 10 * 60_000

/**
 * Folds the field changes that one person made to a record within ten minutes into one, which says each field once:
 * from its first value to its last one.
 */
function foldChanges<Entry extends Foldable>(all: readonly Told<Entry>[]): readonly Told<Entry>[] {
  const folded: Told<Entry>[] = []
  let newest: Entry | undefined
  for (const one of all) {
    const above = folded.at(-1)
    if (above !== undefined && newest !== undefined && belongTogether(newest, above, one)) {
      // A field that is again what it was did not change.
      const changes = joinChanges([...one.entry.changes, ...above.entry.changes]).filter(isReal)
      const links = [...above.entry.links, ...one.entry.links]
      folded[folded.length - 1] = { ...above, entry: { ...above.entry, changes, links } }
      continue
    }
    newest = one.entry
    folded.push(one)
  }
  // A record that is again as it was did not change.
  return folded.filter(({ entry }) => entry.kind !== 'UPDATED' || entry.changes.length > 0)
}

function belongTogether(newest: Foldable, above: Told<Foldable>, one: Told<Foldable>): boolean {
  const [later, earlier] = [above.entry, one.entry]
  return (
    [later, earlier].every(({ kind, changes }) => kind === 'UPDATED' && changes.length > 0) &&
    above.others.length === 0 &&
    one.others.length === 0 &&
    later.entityId === earlier.entityId &&
    later.actor.id === earlier.actor.id &&
    later.actor.name === earlier.actor.name &&
    later.source === earlier.source &&
    Date.parse(newest.occurredAt) - Date.parse(earlier.occurredAt) <= foldedMs
  )
}

/** The kinds of entry of which several in a row say no more than their number: nobody typed anything into them. */
const alike: readonly Kind[] = [
  'CREATED',
  'DELETED',
  'RESTORED',
  'TASK_ADDED',
  'TASK_COMPLETED',
  'STAGE_CHANGED',
  'STATUS_CHANGED',
  'OWNER_CHANGED',
]

/** Folds what somebody did several times in a row, such as ten tasks that a workflow added, into one with all its records. */
export function foldAlike<Entry extends Foldable>(all: readonly Told<Entry>[]): readonly Told<Entry>[] {
  const folded: Told<Entry>[] = []
  for (const one of all) {
    const above = folded.at(-1)
    if (above === undefined || !isAlike(above.entry, one.entry)) folded.push(one)
    else folded[folded.length - 1] = { ...above, others: [...above.others, one.entry, ...one.others] }
  }
  return folded
}

function isAlike(one: Foldable, other: Foldable): boolean {
  return (
    alike.includes(one.kind) &&
    (['kind', 'entityType', 'source'] as const).every((name) => one[name] === other[name]) &&
    one.actor.id === other.actor.id &&
    one.actor.name === other.actor.name &&
    targetOf(one) === targetOf(other)
  )
}

/** Returns changes, the oldest first, with each field once: from its first value to its last one. */
function joinChanges(changes: readonly Change[]): readonly Change[] {
  const all = new Map<string, Change>()
  for (const change of changes) {
    const first = all.get(change.field)
    all.set(change.field, first ? { ...change, from: first.from } : change)
  }
  return [...all.values()]
}

function isReal({ from, to }: Change): boolean {
  return JSON.stringify(from ?? null) !== JSON.stringify(to ?? null)
}

/** The filters of a history, by the kinds of entry that each shows. */
export const feedFilters = {
  notes: ['COMMENT_ADDED', 'NOTE_ADDED'],
  meetings: ['CALL_LOGGED', 'MEETING_SCHEDULED', 'MEETING_RESCHEDULED', 'MEETING_CANCELLED', 'BOOKING_CREATED'],
  emails: ['EMAIL_SENT', 'EMAIL_FAILED', 'QUOTE_SENT', 'INVOICE_SENT'],
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
  notes: t('Notes'),
  meetings: t('Calls and meetings'),
  emails: t('Emails'),
  tasks: t('Tasks'),
  files: t('Files'),
  changes: t('Changes'),
}
