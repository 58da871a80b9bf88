import { cookieNameAt, readCookie, type Workspace } from '@crm/identity'
import type { CrmContext } from '../../platform/context.ts'

/** The cookie of a sign-in that waits for its second factor. */
export const pendingCookie = 'crm_pending'
/** The cookie by which a device is recognised. */
export const deviceCookieName = 'crm_device'

type Place = Pick<Workspace, 'baseUrl'>

/** Reads one of the cookies that this service set. */
export function readOwnCookie(
  workspace: Place,
  { cookie }: CrmContext['requestHeaders'],
  name: string,
): string | undefined {
  return typeof cookie === 'string' ? readCookie(cookie, cookieNameAt(workspace.baseUrl, name)) : undefined
}

/** Writes a cookie for pages and requests of the workspace alone; 0 seconds take it away. */
export function writeOwnCookie({ baseUrl }: Place, name: string, value: string, maxAgeS: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieNameAt(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}
