import type { Pool } from '@crm/db'
import { cookieNameAt, digest, readCaller, readCookie, sessionCookie } from '@crm/identity'
import type { Clock } from '@crm/runtime'
import type { OAuthDeps } from './deps.ts'

/** Finds the person who is signed in at the console. Only pages need it, so each call queries the database. */
export function createPersonFinder(pool: Pool, clock: Clock): OAuthDeps['findPerson'] {
  return async ({ id: workspaceId, baseUrl }, cookie) => {
    const sessionToken = readCookie(cookie, cookieNameAt(baseUrl, sessionCookie))
    if (!sessionToken) return null
    const caller = await readCaller(pool, workspaceId, 'session', digest(sessionToken))
    const { expiresAt } = caller?.credential ?? {}
    return caller && expiresAt && Date.parse(expiresAt) > clock.now().getTime() ? { caller, sessionToken } : null
  }
}
