import type { Send } from './send.ts'

/** The role with whose rights the pages of this tab are shown. */
export interface ViewedRole {
  readonly id: string
  readonly name: string
}

const storedAs = 'crm:view-as'

/** Returns the role with whose rights the pages of this tab are shown; null for the person's own rights. */
export function viewedRole(): ViewedRole | null {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') as ViewedRole | null
  } catch {
    return null
  }
}

/** Shows the pages of this tab with the rights of a role, or with one's own again. */
export function viewAs(role: ViewedRole | null): void {
  if (role === null) sessionStorage.removeItem(storedAs)
  else sessionStorage.setItem(storedAs, JSON.stringify(role))
  location.assign('/')
}

/** Returns the function that sends requests with the rights of the viewed role. */
export function withRole(send: Send): Send {
  return (url, init) => {
    const role = viewedRole()
    if (role === null) return send(url, init)
    const headers = new Headers(init.headers)
    headers.set('x-view-as-role', role.id)
    return send(url, { ...init, headers })
  }
}
