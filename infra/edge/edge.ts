import { addressIn, brokenRequestsAs, DrainingResponse, ignoreUnknownExpectations } from '@crm/runtime'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  crowdedRetryAfterS,
  keepAliveMs,
  usualBounds,
  usualDeadlines,
  type EdgeBounds,
  type EdgeDeadlines,
} from './bounds.ts'
import { watchCrowd, type Crowding } from './crowd.ts'
import { clientOf, endToEndHeaders, forwardedHeaders, type Client } from './headers.ts'
import { collectHealth, type Target } from './health.ts'
import { listen } from './listen.ts'
import { crowdedBody, createRouter, errorBody, errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, RoutingTable } from './routes.ts'

export interface EdgeOptions {
  /** Every service of the table. */
  readonly targets: Readonly<Record<string, Target>>
  /** 0 takes any free port. */
  readonly port: number
  /** The address to listen on; all addresses of IPv6 and IPv4 by default. */
  readonly host?: string
  readonly table?: RoutingTable
  /** The proxies in front of the edge whose X-Forwarded-For is trusted, as in TRUSTED_PROXIES; none by default. */
  readonly trustedProxies?: readonly string[]
  readonly bounds?: Partial<EdgeBounds>
  readonly deadlines?: Partial<EdgeDeadlines>
}

export interface Edge {
  readonly port: number
  /** Stops accepting, gives current requests a moment to end, then closes the rest. */
  close(): Promise<void>
}

const closeDeadlineMs = 5_000
/** The interval of checks for connections that have missed a deadline. */
const lookEveryMs = 5_000

/**
 * Starts the one public address: routes by path, and changes neither body nor query nor Host.
 *
 * A client's `Forwarded` and `X-Forwarded-*` headers are dropped; the deployables receive its real address, which a trusted
 * proxy in front knows.
 */
export async function startEdge({
  targets,
  port,
  host,
  table = routingTable,
  trustedProxies = [],
  bounds,
  deadlines,
}: EdgeOptions): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  const routeOf = createRouter(table)
  const upgraded = new Set<Duplex>()
  const isTrusted = addressIn(trustedProxies)
  const shapeOf = (path: string | undefined): ErrorShape =>
    (path === undefined ? undefined : routeOf(path))?.errors ?? 'api'
  const { headersMs, requestMs, pieceMs } = { ...usualDeadlines, ...deadlines }

  const open = (request: IncomingMessage, service: string, isUpgrade: boolean, client: Client): ClientRequest => {
    const target = targets[service]
    if (target === undefined) throw new Error(`The edge knows no address for ${service}.`)
    return sendRequest({
      host: target.host,
      port: target.port,
      agent: isUpgrade ? false : agent,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request, isUpgrade, client),
    })
  }

  const server = createServer({
    ServerResponse: DrainingResponse,
    // Other upgrades that a client offers, such as h2c, are declined: their header is omitted.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    // Node would answer a request without Host by itself, with an empty body.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: Math.max(requestMs, headersMs),
    connectionsCheckingInterval: Math.min(lookEveryMs, headersMs),
    keepAliveTimeout: keepAliveMs,
  })
  const crowd = watchCrowd(server, { ...usualBounds, ...bounds }, isTrusted)

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request.url)
    const crowding = crowd.crowdingOf(request.socket)
    if (crowding !== undefined) return refuseCrowded(response, crowding, shapeOf(path))
    if (path === undefined) return answer(response, 400, notAPath)
    if (path === '/healthz') return void answerHealth(response, targets, table.services)
    const route = routeOf(path)
    if (route === undefined) return answer(response, 404, nothingHere)
    if (request.headers.host === undefined)
      return answer(response, 400, JSON.stringify(errorBody(route.errors, 'Bad request')), errorHeaders(route.errors))
    const client = clientOf(request, isTrusted)
    const leave = crowd.enter({ address: client.address, isUpgrade: false, credential: credentialOf(request) })
    if (!leave) return refuseCrowded(response, 429, route.errors)
    response.once('close', leave)
    passOn({
      request,
      response,
      client,
      upstream: open(request, route.service, false, client),
      errors: route.errors,
      pieceMs,
    })
  })

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const path = pathOf(request.url)
    const route = path === undefined ? undefined : routeOf(path)
    const crowding = crowd.crowdingOf(socket)
    if (crowding !== undefined) return refuseUpgrade(socket, crowding)
    if (route === undefined) return refuseUpgrade(socket, 404)
    const client = clientOf(request, isTrusted)
    const leave = crowd.enter({ address: client.address, isUpgrade: true, credential: credentialOf(request) })
    if (!leave) return refuseUpgrade(socket, 429)
    upgraded.add(socket)
    socket.once('close', () => {
      upgraded.delete(socket)
      leave()
    })
    tunnel(socket, head, client, open(request, route.service, true, client))
  })

  ignoreUnknownExpectations(server)
  server.on(
    'clientError',
    brokenRequestsAs((text, path) => {
      const shape = shapeOf(path)
      return { body: errorBody(shape, text), headers: errorHeaders(shape) }
    }),
  )

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

function credentialOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization ?? headers.cookie
}

interface Passage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  readonly upstream: ClientRequest
  readonly errors: ErrorShape
  readonly pieceMs: number
}

function passOn({ request, response, client, upstream, errors, pieceMs }: Passage): void {
  // The deployable accepts no more of the body, so the rest of it ends here.
  const stopSending = (): void => {
    request.unpipe(upstream)
    if (!upstream.writableFinished) upstream.destroy()
  }
  upstream.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, endToEndHeaders(reply.rawHeaders, client))
    reply.on('end', stopSending)
    reply.pipe(response)
    reply.on('error', () => response.destroy())
  })
  upstream.on('error', () => {
    request.unpipe(upstream)
    if (response.headersSent || response.writableEnded) return
    answer(response, 503, JSON.stringify(unavailableBody(errors)), { 'retry-after': '1', ...errorHeaders(errors) })
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  if (!hasBody(request)) return void upstream.end()
  request.pipe(upstream)
  watchPieces(request, pieceMs, () => {
    // A deployable that delays the body is no fault of its sender.
    if (upstream.writableNeedDrain) return true
    if (response.headersSent || response.writableEnded) return false
    request.unpipe(upstream)
    upstream.destroy()
    answer(response, 408, JSON.stringify(errorBody(errors, 'Request timeout')), {
      connection: 'close',
      ...errorHeaders(errors),
    })
    return false
  })
}

/** Reports that no piece of a body has arrived for too long; continues as long as the callback returns true. */
function watchPieces(request: IncomingMessage, withinMs: number, late: () => boolean): void {
  const timer = setTimeout(() => {
    if (late()) timer.refresh()
  }, withinMs)
  const note = (): void => void timer.refresh()
  const stop = (): void => {
    clearTimeout(timer)
    request.off('data', note)
  }
  request.on('data', note)
  for (const event of ['end', 'close']) request.once(event, stop)
}

function tunnel(socket: Duplex, head: Buffer, client: Client, upstream: ClientRequest): void {
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
    socket.write(
      `HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${formatHeaders(endToEndHeaders(reply.rawHeaders, client))}connection: close\r\n\r\n`,
    )
    reply.pipe(socket)
  })
  upstream.on('error', () => refuseUpgrade(socket, 503))
  upstream.end()
}

const reasons = { 404: 'Not Found', 429: 'Too Many Requests', 503: 'Service Unavailable' } as const

function refuseUpgrade(socket: Duplex, status: keyof typeof reasons): void {
  const retry = status === 404 ? '' : `retry-after: ${crowdedRetryAfterS}\r\n`
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\n${retry}connection: close\r\ncontent-length: 0\r\n\r\n`)
}

function refuseCrowded(response: ServerResponse, status: Crowding, errors: ErrorShape): void {
  answer(response, status, JSON.stringify(crowdedBody(errors, status)), {
    'retry-after': crowdedRetryAfterS,
    connection: 'close',
    ...errorHeaders(errors),
  })
}

function formatHeaders(rawHeaders: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < rawHeaders.length; at += 2) lines += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  return lines
}

const notAPath = JSON.stringify({ error: 'Bad request' })
const nothingHere = JSON.stringify({ error: 'Not found' })

/**
 * Returns the path as the deployables will decode it, so that `/%6detrics` is as hidden as `/metrics`. An undecodable path stays
 * unchanged: its deployable refuses it in its own words.
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

async function answerHealth(
  response: ServerResponse,
  targets: EdgeOptions['targets'],
  services: readonly string[],
): Promise<void> {
  const health = await collectHealth(services, targets)
  answer(response, health.status === 'ok' ? 200 : 503, JSON.stringify(health))
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
