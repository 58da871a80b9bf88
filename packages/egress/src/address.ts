import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** A block of addresses, as `parseCidrs` has checked it and `readCidr` reads it. */
export type Cidr = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/**
 * Blocks that no setting allows: metadata and platform services of clouds, link-local addresses, and IPv6 forms with an IPv4 address
 * inside.
 */
const NEVER = [
  '169.254.0.0/16',
  'fe80::/10', // link-local, with the metadata service of most clouds
  '100.100.100.200/32', // Alibaba Cloud metadata
  '192.0.0.192/32', // Oracle Cloud metadata
  '168.63.129.16/32', // Azure platform service, a public address by its number
  '161.26.0.0/16',
  '166.8.0.0/14', // IBM Cloud service endpoints, public by their numbers
  'fd00:ec2::/32',
  'fd00:42::42/128',
  'fd20:ce::254/128', // AWS, Scaleway and Google Cloud metadata
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96', // IPv4-compatible, -mapped, -translated
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32', // NAT64, 6to4, Teredo
].map(readCidr)

/** The only part of IPv6 that is assigned for use on the internet. */
const GLOBAL_IPV6 = readCidr('2000::/3')

/**
 * Parses OUTBOUND_ALLOW_CIDRS: blocks or single addresses, separated by commas or spaces. Throws a RangeError that names an invalid
 * one.
 */
export function parseCidrs(text: string): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const wrong = entries.filter((entry) => !isCidr(entry))
  if (wrong.length > 0) throw new RangeError(`Not an address or a block of addresses: ${wrong.join(', ')}`)
  return entries
}

/** Reads a block, or one address as a block of its own. */
export function readCidr(text: string): Cidr {
  if (!isCidr(text)) throw new RangeError(`Not an address or a block of addresses: ${text}`)
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether requests may go to an address: a public one, or one that the operator allowed; never a metadata service. */
export function isAllowedAddress(text: string, allowed: readonly Cidr[]): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (isIn(address, NEVER)) return false
  return isPublic(address) || isIn(address, allowed)
}

/** Whether an address lies within one of the blocks, and is no metadata service. */
export function isWithin(text: string, blocks: readonly Cidr[]): boolean {
  return isAllowedAddress(text, blocks) && isIn(ipaddr.parse(text), blocks)
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => block[0].kind() === address.kind() && address.match(block))
}

function isCidr(text: string): boolean {
  const [address, bits, ...rest] = text.split('/')
  const family = isIP(address!)
  if (family === 0 || address!.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
