import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens on a port of all addresses, of IPv6 and IPv4, or of the given address. */
export async function listen(server: Server, port: number, host?: string): Promise<void> {
  try {
    server.listen({ port, host: host ?? '::' })
    await once(server, 'listening')
  } catch (error) {
    // The machine has no IPv6.
    if (host !== undefined || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error
    server.listen({ port, host: '0.0.0.0' })
    await once(server, 'listening')
  }
}
