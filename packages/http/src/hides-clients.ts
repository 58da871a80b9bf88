import type { FastifyRequest } from 'fastify'

/**
 * Whether the address of a request is that of a proxy which nobody named as trusted: everybody behind it has the same.
 * The edge says so of what comes through it; of what comes by itself the header that was not believed does.
 */
export function hidesClients({ headers, ips = [] }: Pick<FastifyRequest, 'headers' | 'ips'>): boolean {
  if (headers['x-forwarded-untrusted'] !== undefined) return true
  // Fastify lists the addresses that it believed, that of the connection first.
  return headers['x-forwarded-for'] !== undefined && ips.length < 2
}
