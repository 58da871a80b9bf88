/**
 * Returns the path to open after signing in: a path of this very address, otherwise the start page.
 *
 * Anything that a browser could read as another address is refused; otherwise a link could lead people away after they
 * signed in.
 */
export function safeNextPath(next: string | undefined, origin: string): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, origin)) return '/'
  const { origin: itsOrigin, pathname, search, hash } = new URL(next, origin)
  // Resolving can bring back a form that the first check excluded, such as `/.//elsewhere`.
  return itsOrigin !== origin || isBeforeSignIn(pathname) || pathname.startsWith('//') ? '/' : pathname + search + hash
}

/** Whether a path is one of the console's own pages; other pages, such as a consent screen, are loaded by the browser. */
export function isConsolePath(path: string): boolean {
  return !/^\/(?:api|book|call|\.well-known)(?:[/?#]|$)/.test(path)
}

/** Whether a path is one of the pages for people who are not signed in. */
export function isBeforeSignIn(path: string): boolean {
  return /^\/(?:login|sign-in|invite|reset)(?:\/|$)/.test(path)
}
