/**
 * Returns the path that `next` names at an address; the start page for everything that a browser could read as another address.
 * Without it, a link could lead people away after they signed in.
 */
export function localPath(next: string | undefined, address: string): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, address)) return '/'
  const { origin, pathname, search, hash } = new URL(next, address)
  // Resolving can bring back a form that the first check excluded, such as `/.//elsewhere`.
  const isHere = origin === new URL(address).origin && !pathname.startsWith('//')
  return isHere ? `${pathname}${search}${hash}` : '/'
}
