import { clientOf, newId, schema, type FieldChange, type Transaction } from '@crm/db'
import type { CrmContext } from '../platform/context.ts'

/** What an agent did to a row that has no history of its own. */
export interface Act {
  /** For example `PRODUCT_TAG`. */
  readonly entityType: string
  readonly entityId: string
  readonly told: 'CREATED' | 'CHANGED' | 'DELETED'
  /** Its name at that moment; null where it has none, or the row stays to tell it. */
  readonly title: string | null
  /** The values before and after; none where they are not kept. */
  readonly changes?: readonly FieldChange[]
}

/** How many acts were noted on each connection. Bounded: the connections of the pools. */
const noted = new WeakMap<object, number>()

/** Returns how many acts were noted on the connection of a transaction so far. */
export function actsNoted(tx: Transaction): number {
  return noted.get(clientOf(tx)) ?? 0
}

/** Notes what an agent did, for the undo of its session; of people nothing is noted. */
export async function noteAct(
  tx: Transaction,
  { workspace, actor, at, operation }: Pick<CrmContext, 'workspace' | 'actor' | 'at' | 'operation'>,
  { changes = [], ...act }: Act,
): Promise<void> {
  const { id: employeeId, via } = actor
  if (employeeId === null || !via?.id || (via.type !== 'API_KEY' && via.type !== 'OAUTH_CLIENT')) return
  noted.set(clientOf(tx), actsNoted(tx) + 1)
  await tx.insert(schema.agentActs).values({
    ...act,
    changes: [...changes],
    workspaceId: workspace.id,
    id: newId(),
    employeeId,
    viaId: via.id,
    operation,
    at,
  })
}
