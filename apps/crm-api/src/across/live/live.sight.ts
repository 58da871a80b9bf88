import type { LiveChange } from '@crm/contract'
import { reaches, type FieldChange, type RecordHolders, type ScopeFacts } from '@crm/db'
import type { HeldRecord } from '../../records/owned/repository.ts'

/** The fields that say whose a record is, as histories name them. */
export const holdingFields = ['ownerId', 'assigneeId', 'memberIds'] as const

/** What happened to one record, from its first new entry to its last. */
export interface ChangedRecord {
  readonly entityType: string
  readonly entityId: string
  /** The kind of its first entry: `CREATED` and `RESTORED` mean that nobody saw it before. */
  readonly firstKind: string
  /** Its holders before the first entry that changed them; undefined where none did. */
  readonly before: RecordHolders | undefined
  /** Its present state; undefined when it was removed for good. */
  readonly now: HeldRecord | undefined
}

type Action = LiveChange['action']

/** Returns what a change means to a person: a record that came into their sight, changed in it or left it; undefined: nothing. */
export function actionFor(scope: ScopeFacts, { firstKind, before, now }: ChangedRecord): Action | undefined {
  if (!now) return undefined
  const sees = !now.isDeleted && reaches(scope, now.holders)
  const saw = firstKind !== 'CREATED' && firstKind !== 'RESTORED' && reaches(scope, before ?? now.holders)
  if (sees) return saw ? 'UPDATED' : 'CREATED'
  return saw ? 'DELETED' : undefined
}

/**
 * Returns the holders of a record before changes of them.
 *
 * @param departments the departments of people, by id: a record is in the department of its owner
 */
export function holdersBefore(
  now: RecordHolders,
  changes: readonly FieldChange[],
  departments: ReadonlyMap<string, string | null>,
): RecordHolders {
  const before: Record<string, unknown> = { ...now }
  for (const { field, from } of changes.toReversed()) before[field] = from
  const { ownerId } = before as RecordHolders
  return { ...before, departmentId: ownerId === now.ownerId ? now.departmentId : departmentOf(ownerId, departments) }
}

function departmentOf(ownerId: string | null | undefined, departments: ReadonlyMap<string, string | null>) {
  return ownerId ? (departments.get(ownerId) ?? null) : null
}

/** Returns the events that tell a person of changed records: one for each kind and action, without ids where there are too many. */
export function eventsFor(
  scopeOf: (entityType: string) => ScopeFacts | null,
  records: readonly ChangedRecord[],
  idsMax: number,
): readonly LiveChange[] {
  const found = new Map<string, { entityType: string; action: Action; ids: string[] }>()
  for (const record of records) {
    const { entityType, entityId } = record
    const scope = scopeOf(entityType)
    const action = scope ? actionFor(scope, record) : undefined
    if (action === undefined) continue
    const key = `${entityType}:${action}`
    const event = found.get(key) ?? { entityType, action, ids: [] }
    event.ids.push(entityId)
    found.set(key, event)
  }
  return [...found.values()].map(({ ids, ...event }) => ({ ...event, ids: ids.length > idsMax ? null : ids }))
}
