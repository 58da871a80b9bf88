import type { Cidr } from './address.ts'
import { isIP } from 'node:net'
import { isAllowedAddress } from './address.ts'

const URL_CHARS_MAX = 2048

/** Names of a machine, a home or a company, or reserved names; the DNS of the internet must not answer for them. */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'localdomain', 'onion', 'test', 'invalid']

/** One sentence for every refused address, which reveals neither the rule nor the resolved address. */
export const ADDRESS_REFUSED = 'The address cannot be reached from the internet or is not allowed.'

/** The destination of a request: a URL that was parsed once, and its host without brackets. */
export type Target = { url: URL; host: string }

/** Reads the URL of a request and refuses the URLs that need no look-up for that. */
export function readTarget(text: string, allowed: readonly Cidr[]): Target | { fault: string } {
  if (text.length > URL_CHARS_MAX) return { fault: `The URL has more than ${URL_CHARS_MAX} characters.` }
  const url = URL.parse(text)
  if (!url) return { fault: 'The URL is not valid.' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { fault: 'The URL must start with http:// or https://.' }
  if (url.username !== '' || url.password !== '') return { fault: 'The URL must not hold a user name or a password.' }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isGood = isIP(host) === 0 ? isPublicName(host) : isAllowedAddress(host, allowed)
  return isGood ? { url, host } : { fault: ADDRESS_REFUSED }
}

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > 253 || labels.length < 2 || labels.some((label) => label === '' || label.length > 63)) return false
  return !LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`))
}
