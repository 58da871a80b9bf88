import { newId, schema, type Transaction } from '@crm/db'
import type { CrmContext } from '../platform/context.ts'

/** What an agent did to a row that has no history of its own. */
export interface Act {
  /** For example `PRODUCT_TAG`. */
  readonly entityType: string
  readonly entityId: string
  readonly told: 'CREATED' | 'CHANGED' | 'DELETED'
  /** Its name at that moment; null where the row stays to tell it. */
  readonly title: string | null
}

/** Notes what an agent did, for the undo of its session; of people nothing is noted. */
export async function noteAct(
  tx: Transaction,
  { workspace, actor, at }: Pick<CrmContext, 'workspace' | 'actor' | 'at'>,
  act: Act,
): Promise<void> {
  const { id: employeeId, via } = actor
  if (employeeId === null || !via?.id || (via.type !== 'API_KEY' && via.type !== 'OAUTH_CLIENT')) return
  await tx
    .insert(schema.agentActs)
    .values({ ...act, workspaceId: workspace.id, id: newId(), employeeId, viaId: via.id, at })
}
