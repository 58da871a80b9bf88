import type { FastifyRequest } from 'fastify'

/**
 * Whether the address of a request belongs to a proxy that is not trusted, so that all clients behind it have the same address.
 * The edge says so for requests through it; for direct requests an ignored forwarding header shows it.
 */
export function hidesClients({ headers, ips = [] }: Pick<FastifyRequest, 'headers' | 'ips'>): boolean {
  if (headers['x-forwarded-untrusted'] !== undefined) return true
  // Fastify lists the trusted addresses, beginning with the address of the connection.
  return headers['x-forwarded-for'] !== undefined && ips.length < 2
}
