import { localPath } from '@crm/contract'

/** Returns the path to open after signing in: a path of this very address behind the sign-in, otherwise the start page. */
export function safeNextPath(next: string | undefined, origin: string): string {
  const path = localPath(next, origin)
  return isBeforeSignIn(path) ? '/' : path
}

/** Whether a path is one of the console's own pages; other pages, such as a consent screen, are loaded by the browser. */
export function isConsolePath(path: string): boolean {
  return !/^\/(?:api|book|call|\.well-known)(?:[/?#]|$)/.test(path)
}

/** Whether a path is one of the pages for people who are not signed in. */
export function isBeforeSignIn(path: string): boolean {
  return /^\/(?:login|sign-in|invite|reset)(?:[/?#]|$)/.test(path)
}
