import type { AddressInfo, Server } from 'node:net'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'

/** A request as a local server saw it. */
export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** A local server, where it listens, and what reached it. */
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

/** Starts a server that says whatever bytes it likes. */
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

/** Starts any server and counts who connects. */
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

/** A log of nothing. */
export function emptyLog(): LocalServer {
  return { port: 0, seen: [], connections: 0, close: async () => {} }
}
