import { untilAborted } from '@crm/runtime'
import type { Cidr } from './address.ts'
import type { Target } from './target.ts'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isAllowedAddress } from './address.ts'

/** Looks up all IPv4 and IPv6 addresses of a name; it may throw, and should stop when the signal is aborted. */
export type AddressResolver = (name: string, signal: AbortSignal) => Promise<string[]>

/** Asks DNS servers (`address:port`; the system's own by default) directly: the hosts file, which may name local machines, is not read. */
export function dnsResolver(servers?: readonly string[]): AddressResolver {
  return async (name, signal) => {
    const dns = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) dns.setServers(servers)
    const cancel = () => dns.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    signal.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** Looks up the texts (TXT) of a name; none when the name has none or nobody answers in time. */
export type TextResolver = (name: string) => Promise<string[]>

/** Asks DNS servers (`address:port`; the system's own by default) for texts. */
export function textResolver(servers: readonly string[] = []): TextResolver {
  return async (name) => {
    const dns = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers.length > 0) dns.setServers(servers)
    const texts = await dns.resolveTxt(name).catch(() => [])
    return texts.map((parts) => parts.join(''))
  }
}

/** Returns the addresses to connect to, or none: one refused address of a name refuses all of them, and an unresolvable name has none. */
export async function resolveTarget(
  { host }: Target,
  resolver: AddressResolver,
  allowed: readonly Cidr[],
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await lookUp(host, resolver, signal)
  return areAllowed(addresses, allowed) ? addresses : []
}

/** Whether requests may go to all of the addresses. */
export function areAllowed(addresses: readonly string[], allowed: readonly Cidr[]): boolean {
  return addresses.every((address) => isAllowedAddress(address, allowed))
}

/** Returns all addresses of a host, none when it has none. A resolver that ignores the signal must not outlast the deadline. */
export async function lookUp(host: string, resolver: AddressResolver, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  try {
    signal.throwIfAborted()
    return await untilAborted(resolver(host, signal), signal)
  } catch {
    signal.throwIfAborted()
    return []
  }
}
