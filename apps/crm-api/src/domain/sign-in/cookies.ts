import { readCookie, type Workspace } from '@crm/identity'
import type { CrmContext } from '../../platform/context.ts'

/** The cookie of a sign-in that waits for its second factor. */
export const pendingCookie = 'crm_pending'
/** The cookie by which a device is recognised. */
export const deviceCookieName = 'crm_device'

type Place = Pick<Workspace, 'baseUrl'>

/** Returns the name of a cookie as the browser keeps it; on https only the host itself can set it. */
function nameAt(workspace: Place, name: string): string {
  return isHttps(workspace) ? `__Host-${name}` : name
}

/** Reads one of the cookies that this service set. */
export function readOwnCookie(
  workspace: Place,
  { cookie }: CrmContext['requestHeaders'],
  name: string,
): string | undefined {
  return typeof cookie === 'string' ? readCookie(cookie, nameAt(workspace, name)) : undefined
}

/** Writes a cookie for pages and requests of the workspace alone; 0 seconds take it away. */
export function writeOwnCookie(workspace: Place, name: string, value: string, maxAgeS: number): string {
  return writeCookie(workspace, nameAt(workspace, name), value, maxAgeS)
}

/** Writes a cookie under exactly this name. */
export function writeCookie(workspace: Place, name: string, value: string, maxAgeS: number): string {
  const secure = isHttps(workspace) ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}

function isHttps({ baseUrl }: Place): boolean {
  return baseUrl.startsWith('https:')
}
