import type { AddressInfo, Server } from 'node:net'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'

/** A request as received by a local server. */
export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** A local server, its port, and the requests that reached it. */
export type LocalServer = { port: number; seen: Seen[]; connections: number; close: () => Promise<void> }

/** Starts an HTTP server on a loopback address. */
export async function startHttp(
  answer: (response: ServerResponse, request: Seen) => void,
  host = '127.0.0.1',
): Promise<LocalServer> {
  const local = emptyLog()
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    local.seen.push(seen)
    answer(response, seen)
  })
  return listen(server, local, host)
}

/** Starts a server that sends arbitrary bytes. */
export async function startRaw(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      onSocket(socket)
    }),
    emptyLog(),
    '127.0.0.1',
  )
}

/** Starts any server and counts its connections. */
export async function listen(server: Server, local: LocalServer, host: string): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    local.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  local.port = (server.address() as AddressInfo).port
  local.close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return local
}

/** Returns an empty log. */
export function emptyLog(): LocalServer {
  return { port: 0, seen: [], connections: 0, close: async () => {} }
}
