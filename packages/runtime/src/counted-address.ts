import { isIPv4, isIPv6 } from 'node:net'

/** The key of all requests whose address is unknown. */
const unknownAddress = 'unknown'

/**
 * Returns the key by which requests are counted: an IPv4 address, or the /64 network of an IPv6 address, which one site usually owns.
 * @param address undefined: the client hung up before its request was handled, and took its address with it
 */
export function countedAddress(address: string | undefined): string {
  if (address === undefined) return unknownAddress
  const withoutZone = address.split('%', 1)[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)
  if (mapped?.[1]) return mapped[1]
  return isIPv6(withoutZone) ? `${groupsOf(withoutZone).slice(0, 4).join(':')}::/64` : address
}

/** Returns the eight groups of an IPv6 address in their shortest form. */
function groupsOf(address: string): string[] {
  // The URL parser writes an embedded IPv4 part as groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}

/** Returns the network of an address: /24 of IPv4 and /48 of IPv6, which many clients share. */
function addressPrefix(address: string): string {
  const counted = countedAddress(address)
  if (isIPv4(counted)) return `${counted.split('.').slice(0, 3).join('.')}.0/24`
  return counted.endsWith('::/64') ? `${counted.split(':').slice(0, 3).join(':')}::/48` : counted
}

/** How much of a client's address the log holds. */
export type LoggedClients = 'none' | 'prefix' | 'full'

/** Returns an address as far as the log holds it; none for a client that hung up before its request was handled. */
export function loggedClient(address: string | undefined, clients: LoggedClients): string | undefined {
  if (clients === 'none' || address === undefined) return undefined
  return clients === 'full' ? address : addressPrefix(address)
}
