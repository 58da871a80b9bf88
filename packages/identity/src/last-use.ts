import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { Caller, CredentialClass } from './caller.ts'
import { idleTime } from './session-ends.ts'

/** Records the last use of credentials. */
export interface LastUse {
  note(workspaceId: string, caller: Caller, address: () => string | undefined): void
}

const notedEveryMs = 60_000

const statements: Record<CredentialClass, string> = {
  'api-key':
    'UPDATE api_keys SET last_used_at = $3, last_used_address = coalesce($4, last_used_address) WHERE workspace_id = $1 AND id = $2',
  'scim-token':
    'UPDATE scim_tokens SET last_used_at = $3, last_used_address = coalesce($4, last_used_address) WHERE workspace_id = $1 AND id = $2',
  session: `UPDATE sessions c SET last_used_at = $3, expires_at = $3::timestamptz + ${idleTime('w')}
    FROM workspaces w WHERE w.id = c.workspace_id AND c.workspace_id = $1 AND c.id = $2`,
  'oauth-token': 'UPDATE oauth_grants SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2',
}

/** Writes the last use of a credential at most once a minute; the request does not wait for it. */
export function createLastUse(pool: Pool, now: () => Date): LastUse {
  const noted = new LRUCache<string, number>({ max: 20_000 })
  return {
    note: (workspaceId, caller, address) => {
      if (caller.source === 'WORKFLOW') return
      const at = now()
      const last = noted.get(caller.credential.id)
      if (last !== undefined && at.getTime() - last < notedEveryMs) return
      noted.set(caller.credential.id, at.getTime())
      const values: unknown[] = [workspaceId, caller.credential.id, at]
      if (caller.class === 'api-key' || caller.class === 'scim-token') values.push(address())
      pool.query(statements[caller.class], values).catch(() => noted.delete(caller.credential.id))
    },
  }
}
