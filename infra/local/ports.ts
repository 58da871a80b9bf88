import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Returns a free port of 127.0.0.1, the preferred one if it is free. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await tryListen(preferred)) !== undefined) return preferred
  const port = await tryListen(0)
  if (port === undefined) throw new Error('No free port on 127.0.0.1.')
  return port
}

async function tryListen(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1' })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch {
    return undefined
  } finally {
    server.close()
  }
}

/** Whether a process accepts connections at a port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
