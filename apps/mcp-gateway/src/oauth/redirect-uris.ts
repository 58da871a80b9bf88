const uriCharactersMax = 2_000
const printable = /^[\x21-\x7e]+$/
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/i
const withUserinfo = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i

/** Schemes that a browser handles itself, so that no app can own them. */
const browserSchemes = new Set([
  'javascript',
  'data',
  'file',
  'filesystem',
  'blob',
  'about',
  'vbscript',
  'livescript',
  'mocha',
  'view-source',
  'ftp',
  'ftps',
  'ws',
  'wss',
  'mailto',
  'tel',
  'sms',
  'urn',
  'jar',
  'gopher',
  'intent',
  'content',
  'resource',
  'chrome',
  'chrome-extension',
  'moz-extension',
  'edge',
])

/**
 * Whether a client may be sent back to an address: https, http on this very computer, or an app's own scheme
 * (docs/guide/access.md).
 */
export function isRedirectUri(uri: unknown): uri is string {
  if (
    typeof uri !== 'string' ||
    uri.length > uriCharactersMax ||
    !printable.test(uri) ||
    /[#*\\]/.test(uri) ||
    withUserinfo.test(uri)
  )
    return false
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:') return /^https:\/\/[^/]/i.test(uri) && hostname !== ''
  if (protocol === 'http:') return loopback.test(uri)
  return !browserSchemes.has(protocol.slice(0, -1))
}

/** Whether an address is the registered one; an app on this very computer listens on any free port (RFC 8252). */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  return (
    isRedirectUri(asked) &&
    loopback.test(asked) &&
    registered.some((uri) => loopback.test(uri) && afterHost(uri) === afterHost(asked))
  )
}

function afterHost(uri: string): string {
  const { pathname, search } = new URL(uri)
  return pathname + search
}

/** Whether others on the way could read what is sent to an address. */
export function isReadableOnTheWay(address: string): boolean {
  return !/^https:/i.test(address) && !loopback.test(address)
}

/** Describes the target of an address in words for people. */
export function destinationOf(uri: string): string {
  if (loopback.test(uri)) return 'a program on this computer'
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' ? host : `the app that opens ${protocol} addresses`
}

/** Returns an address with parameters added to its query; parameters without a value are left out. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const separator = uri.includes('?') ? '&' : '?'
  return `${uri}${separator}${new URLSearchParams(present)}`
}
