import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { Caller, CredentialClass } from './caller.ts'

/** Records the last use of credentials. */
export interface LastUse {
  note(workspaceId: string, caller: Caller): void
}

const notedEveryMs = 60_000

/** The lifetime of a session after its last use: 14 days. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000

const statements: Record<CredentialClass, string> = {
  'api-key': 'UPDATE api_keys SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2',
  session: 'UPDATE sessions SET last_used_at = $3, expires_at = $4 WHERE workspace_id = $1 AND id = $2',
  'oauth-token': 'UPDATE oauth_grants SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2',
}

/** Writes the last use of a credential at most once a minute; the request does not wait for it. */
export function createLastUse(pool: Pool, now: () => Date): LastUse {
  const noted = new LRUCache<string, number>({ max: 20_000 })
  return {
    note: (workspaceId, caller) => {
      if (caller.source === 'WORKFLOW') return
      const at = now()
      const last = noted.get(caller.credential.id)
      if (last !== undefined && at.getTime() - last < notedEveryMs) return
      noted.set(caller.credential.id, at.getTime())
      const values: unknown[] = [workspaceId, caller.credential.id, at]
      if (caller.class === 'session') values.push(new Date(at.getTime() + sessionLifetimeMs))
      pool.query(statements[caller.class], values).catch(() => noted.delete(caller.credential.id))
    },
  }
}
