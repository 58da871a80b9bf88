import { addressIn, brokenRequestsAs, ignoreUnknownExpectations } from '@crm/runtime'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { endToEndHeaders, forwardedHeaders } from './headers.ts'
import { collectHealth } from './health.ts'
import { listen } from './listen.ts'
import { createRouter, errorBody, errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, RoutingTable } from './routes.ts'

/** Where a deployable listens. */
export interface Target {
  readonly host: string
  readonly port: number
}

export interface EdgeOptions {
  /** Every service of the table. */
  readonly targets: Readonly<Record<string, Target>>
  /** 0 takes any free port. */
  readonly port: number
  /** Address to listen on; all addresses of IPv6 and IPv4 unless told. */
  readonly host?: string
  readonly table?: RoutingTable
  /** Proxies in front of the edge whose X-Forwarded-For is believed, as in TRUSTED_PROXIES; none unless told. */
  readonly trustedProxies?: readonly string[]
}

export interface Edge {
  readonly port: number
  /** Stops accepting, lets running requests end for a moment, then closes what is left. */
  close(): Promise<void>
}

const closeDeadlineMs = 5_000

/**
 * Starts the one public address: routes by path, and touches neither body nor query nor Host.
 *
 * What a client says in `Forwarded` or `X-Forwarded-*` is dropped; the deployables are told its real address, which a trusted
 * proxy in front knows.
 */
export async function startEdge({ targets, port, host, table = routingTable, trustedProxies = [] }: EdgeOptions): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  const routeOf = createRouter(table)
  const upgraded = new Set<Duplex>()
  const isTrusted = addressIn(trustedProxies)

  const open = (request: IncomingMessage, service: string, isUpgrade: boolean): ClientRequest => {
    const target = targets[service]
    if (target === undefined) throw new Error(`The edge knows no address for ${service}.`)
    return sendRequest({
      host: target.host,
      port: target.port,
      agent: isUpgrade ? false : agent,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request, isUpgrade, isTrusted),
    })
  }

  // Another upgrade that a client offers, such as h2c, is declined by leaving its header out.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'
  // Node would answer a request without Host by itself, with nothing.
  const server = createServer({ shouldUpgradeCallback, requireHostHeader: false }, (request, response) => {
    const path = pathOf(request.url)
    if (path === undefined) return answer(response, 400, notAPath)
    if (path === '/healthz') return void answerHealth(response, targets, table.services)
    const route = routeOf(path)
    if (route === undefined) return answer(response, 404, nothingHere)
    if (request.headers.host === undefined) return answer(response, 400, JSON.stringify(errorBody(route.errors, 'Bad request')), errorHeaders(route.errors))
    passOn(request, response, open(request, route.service, false), route.errors)
  })

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = pathOf(request.url)
    const route = path === undefined ? undefined : routeOf(path)
    if (route === undefined) return refuseUpgrade(socket, 404)
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    tunnel(socket, head, open(request, route.service, true))
  })

  ignoreUnknownExpectations(server)
  server.on('clientError', brokenRequestsAs((text, path) => {
    const shape = (path === undefined ? undefined : routeOf(path))?.errors ?? 'api'
    return { body: errorBody(shape, text), headers: errorHeaders(shape) }
  }))

  await listen(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of upgraded) socket.destroy()
      const deadline = setTimeout(() => server.closeAllConnections(), closeDeadlineMs)
      await closed
      clearTimeout(deadline)
      agent.destroy()
    },
  }
}

function passOn(request: IncomingMessage, response: ServerResponse, upstream: ClientRequest, errors: ErrorShape): void {
  upstream.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEndHeaders(reply.rawHeaders))
    reply.pipe(response)
    reply.on('error', () => response.destroy())
  })
  upstream.on('error', () => {
    if (response.headersSent) return
    answer(response, 503, JSON.stringify(unavailableBody(errors)), { 'retry-after': '1', ...errorHeaders(errors) })
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  if (!hasBody(request)) return void upstream.end()
  request.pipe(upstream)
  // A body that nobody takes any more is read to its end, or the client could not use its connection again.
  upstream.on('close', () => {
    request.unpipe(upstream)
    request.resume()
  })
}

function tunnel(socket: Duplex, head: Buffer, upstream: ClientRequest): void {
  socket.on('error', () => upstream.destroy())
  upstream.on('upgrade', (reply, upstreamSocket, upstreamHead) => {
    socket.write(`HTTP/1.1 101 ${reply.statusMessage}\r\n${formatHeaders(reply.rawHeaders)}\r\n`)
    if (upstreamHead.length > 0) socket.write(upstreamHead)
    if (head.length > 0) upstreamSocket.write(head)
    upstreamSocket.on('error', () => socket.destroy())
    socket.on('error', () => upstreamSocket.destroy())
    socket.on('close', () => upstreamSocket.destroy())
    upstreamSocket.on('close', () => socket.destroy())
    upstreamSocket.pipe(socket).pipe(upstreamSocket)
  })
  upstream.on('response', (reply) => {
    socket.write(`HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${formatHeaders(endToEndHeaders(reply.rawHeaders))}connection: close\r\n\r\n`)
    reply.pipe(socket)
  })
  upstream.on('error', () => refuseUpgrade(socket, 503))
  upstream.end()
}

function refuseUpgrade(socket: Duplex, status: 404 | 503): void {
  socket.end(`HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Service Unavailable'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

function formatHeaders(rawHeaders: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < rawHeaders.length; at += 2) lines += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  return lines
}

const notAPath = JSON.stringify({ error: 'Bad request' })
const nothingHere = JSON.stringify({ error: 'Not found' })

/**
 * The path as the deployables will understand it, so that `/%6detrics` is as hidden as `/metrics`. One that nobody can
 * decode stays as it is: its deployable refuses it in its own words.
 */
function pathOf(url = ''): string | undefined {
  if (!url.startsWith('/')) return undefined
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

async function answerHealth(response: ServerResponse, targets: EdgeOptions['targets'], services: readonly string[]): Promise<void> {
  const health = await collectHealth(services, targets)
  answer(response, health.status === 'ok' ? 200 : 503, JSON.stringify(health))
}

function answer(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
  response.end(body)
}
