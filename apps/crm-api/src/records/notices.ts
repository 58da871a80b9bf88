import { newId, schema, type Actor, type Transaction } from '@crm/db'
import type { NotificationKind } from '@crm/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'

const { notifications } = schema

/** A message to a person of the workspace. A message about a record names none of its contents, since its reader may lose sight of it. */
export interface Notice {
  readonly employeeId: string
  readonly kind: NotificationKind
  readonly text: string
  readonly entityType?: string
  readonly entityId?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Notifies people, in the transaction of the occasion. */
export async function tell(
  tx: Transaction,
  { workspaceId, at }: { readonly workspaceId: string; readonly at: string },
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map((notice) => ({ ...notice, workspaceId, id: newId(), createdAt: at }))
  await tx.insert(notifications).values(rows)
  await takeBackGeneral(tx, workspaceId, at, notices)
}

/** Removes what followers of the same records were told at the same moment: the notices say it more exactly. */
async function takeBackGeneral(
  tx: Transaction,
  workspaceId: string,
  at: string,
  notices: readonly Notice[],
): Promise<void> {
  const aboutRecords = notices.filter(({ entityId }) => entityId !== undefined)
  if (aboutRecords.length === 0) return
  const given = sql.param(JSON.stringify(aboutRecords))
  await tx.delete(notifications).where(
    and(
      eq(notifications.workspaceId, workspaceId),
      eq(notifications.kind, 'followed'),
      isNull(notifications.readAt),
      eq(notifications.createdAt, at),
      sql`EXISTS (SELECT FROM jsonb_to_recordset(${given}::jsonb) AS notice("entityType" text, "entityId" uuid, "employeeId" uuid)
        WHERE notice."entityType" = ${notifications.entityType} AND notice."entityId" = ${notifications.entityId}
          AND notice."employeeId" = ${notifications.employeeId})`,
    ),
  )
}

/** A record that was given to a person. */
export interface Assignment {
  readonly employeeId: string
  readonly entityType: string
  readonly entityId: string
  /** The word for such a record. */
  readonly noun: string
}

/** Returns one message for each person that somebody else gave records to. */
export function noticesOf(assignments: readonly Assignment[], actor: Actor): Notice[] {
  const byPerson = Map.groupBy(assignments, ({ employeeId }) => employeeId)
  byPerson.delete(actor.id ?? '')
  const author = actor.source === 'WORKFLOW' ? 'A workflow' : actor.name
  return [...byPerson].map(([employeeId, given]): Notice => {
    const records = [...new Map(given.map((one) => [one.entityId, one])).values()]
    const [first] = records
    const told = {
      employeeId,
      kind: 'assigned',
      data: { actor: { id: actor.id, name: actor.name }, via: actor.via ?? null },
    } as const
    if (records.length > 1 || !first)
      return { ...told, text: `${author} assigned ${records.length} ${pluralOf(first?.noun ?? 'record')} to you` }
    const { noun, entityType, entityId } = first
    return { ...told, text: `${author} assigned ${withArticle(noun)} to you`, entityType, entityId }
  })
}

function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
