import { BlockList, isIP } from 'node:net'

const words: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns the IPv4 address of a client on a socket for both families, which has the form `::ffff:192.0.2.7`. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? address.split('%', 1)[0] ?? address
}

/**
 * Makes a check whether an address is in a list of addresses, ranges and the words loopback, linklocal, uniquelocal.
 * @throws {Error} naming the first invalid entry
 */
export function addressIn(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList()
  for (const entry of list.flatMap((name) => words[name] ?? [name])) addRange(known, entry)
  return (address) => {
    const plain = plainAddress(address ?? '')
    const family = isIP(plain)
    return family !== 0 && known.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function addRange(known: BlockList, entry: string): void {
  const [network = '', length, more] = entry.split('/')
  const family = isIP(network)
  const bits = length === undefined ? (family === 6 ? 128 : 32) : Number(length)
  const isRange =
    family !== 0 &&
    more === undefined &&
    length !== '' &&
    Number.isInteger(bits) &&
    bits >= 0 &&
    bits <= (family === 6 ? 128 : 32)
  if (!isRange) throw new Error(`${entry} is no address, range or one of the words ${Object.keys(words).join(', ')}`)
  known.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4')
}
