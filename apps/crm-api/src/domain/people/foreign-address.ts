import type { Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import { LRUCache } from 'lru-cache'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'

/** A key and an address are written once in this time, so that a program that tries again does not fill the log. */
const writtenEveryMs = 15 * 60_000

type Exchanged = Exchange<Workspace, Caller>

/** Makes the function that writes to the audit log that a credential was used from an address from which it does not work. */
export function createForeignAddressNote(contextOf: (exchange: Exchanged) => CrmContext) {
  const written = new LRUCache<string, true>({ max: 10_000, ttl: writtenEveryMs })
  return async (exchange: Exchanged): Promise<void> => {
    const context = contextOf(exchange)
    const { credential } = context.caller
    const seen = `${credential.id} ${context.address()}`
    if (written.has(seen)) return
    written.set(seen, true)
    await context.transact((tx) =>
      audit(tx, context, {
        action: 'api-key.refused',
        outcome: 'FAILURE',
        subjectType: 'API_KEY',
        subjectId: credential.id,
        summary: `The API key ${credential.name} was used from an address from which it does not work`,
      }),
    )
  }
}
