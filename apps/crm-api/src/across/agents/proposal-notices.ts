import { newId, schema, type Transaction } from '@crm/db'
import { and, eq, gte, isNull, sql } from 'drizzle-orm'

const { notifications } = schema

type Proposed = Pick<
  typeof schema.proposals.$inferSelect,
  'workspaceId' | 'employeeId' | 'viaType' | 'viaId' | 'viaName'
>

/** The notification that counts what an agent has proposed. */
const waitingKind = 'proposal.waiting'

/** Tells a person that something waits for their word: one entry for each credential and hour, which counts. */
export async function tellOfProposal(
  tx: Transaction,
  { workspaceId, employeeId, viaType, viaId, viaName }: Proposed,
  at: string,
): Promise<void> {
  const hour = `${at.slice(0, 13)}:00:00.000Z`
  // Of two proposals at once the second one counts on.
  await tx.execute(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${workspaceId} ${waitingKind} ${viaId} ${hour}`}, 0))`,
  )
  const counted = sql`((${notifications.data} ->> 'count')::int + 1)`
  const { rowCount } = await tx
    .update(notifications)
    .set({
      data: sql`jsonb_set(${notifications.data}, '{count}', (${counted})::text::jsonb)`,
      text: sql`${counted} || ${` changes by ${viaName} wait`}`,
      readAt: null,
    })
    .where(
      and(
        eq(notifications.workspaceId, workspaceId),
        eq(notifications.employeeId, employeeId),
        eq(notifications.kind, waitingKind),
        gte(notifications.createdAt, hour),
        isNull(notifications.doneAt),
        sql`${notifications.data} -> 'via' ->> 'id' = ${viaId}`,
      ),
    )
  if (rowCount) return
  const data = { count: 1, via: { type: viaType, id: viaId, name: viaName } }
  const text = `1 change by ${viaName} waits`
  await tx
    .insert(notifications)
    .values({ workspaceId, id: newId(), employeeId, kind: waitingKind, text, data, createdAt: at })
}
