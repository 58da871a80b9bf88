import {
  addressIn,
  beginSpan,
  brokenRequestsAs,
  DrainingResponse,
  hasTwoHosts,
  ignoreUnknownExpectations,
} from '@crm/runtime'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, Server, ServerResponse } from 'node:http'
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
import { pack } from './compress.ts'
import { clientOf, endToEndHeaders, forwardedHeaders, type Client } from './headers.ts'
import { collectHealth, type Target } from './health.ts'
import { listen } from './listen.ts'
import { codeOf, healthRoute, noteOwnAnswer, observeExchange, type Note, type Observer } from './observe.ts'
import { crowdedBody, createRouter, errorBody, errorHeaders, routingTable, unavailableBody } from './routes.ts'
import type { ErrorShape, Route, RoutingTable } from './routes.ts'
import { createUpstreams, type Targets } from './upstreams.ts'

export interface EdgeOptions {
  /** Every service of the table; names are resolved, to several addresses where there are several processes. */
  readonly targets: Targets
  /** 0 takes any free port. */
  readonly port: number
  /** The address to listen on; all addresses of IPv6 and IPv4 by default. */
  readonly host?: string
  readonly table?: RoutingTable
  /** The proxies in front of the edge whose X-Forwarded-For is trusted, as in TRUSTED_PROXIES; none by default. */
  readonly trustedProxies?: readonly string[]
  readonly bounds?: Partial<EdgeBounds>
  readonly deadlines?: Partial<EdgeDeadlines>
  /** Hears of every request. */
  readonly observer?: Observer
  /** Aborted when the edge is asked to end: from then on a connection closes with its next answer. */
  readonly stopping?: AbortSignal
}

export interface Edge {
  readonly port: number
  /** Stops accepting, gives current requests a moment to end, then closes the rest. */
  close(): Promise<void>
}

const closeDeadlineMs = 5_000
/** A process that takes no connection in this time counts as refusing it. */
const connectWithinMs = 2_000
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
  observer,
  stopping,
}: EdgeOptions): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })
  const routeOf = createRouter(table)
  // Bounded: connections that are open now.
  const upgraded = new Set<Duplex>()
  const isTrusted = addressIn(trustedProxies)
  const shapeOf = (path: string | undefined): ErrorShape =>
    (path === undefined ? undefined : routeOf(path))?.errors ?? 'api'
  const { headersMs, requestMs, pieceMs } = { ...usualDeadlines, ...deadlines }

  const upstreams = createUpstreams(targets)

  /** Tells of a request that is refused before there is anything to measure. */
  const noteRefusedUnread = (status: number, route = 'none', method = ''): void => {
    if (!observer) return
    observer.began()
    const unknown = { client: undefined, requestId: undefined, traceparent: undefined }
    observer.ended({ method, route, status, seconds: 0, bytesIn: 0, bytesOut: 0, ...unknown, code: codeOf(status) })
  }

  const open = (
    { host, port }: Target,
    request: IncomingMessage,
    { isUpgrade = false, isFresh = isUpgrade }: { readonly isUpgrade?: boolean; readonly isFresh?: boolean },
    client: Client,
    traceparent?: string,
  ): ClientRequest =>
    sendRequest({
      host,
      port,
      agent: isFresh ? false : agent,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request, isUpgrade, client, traceparent),
    })

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

  const front: Front = {
    targets,
    table,
    routeOf,
    shapeOf,
    isTrusted,
    upstreams,
    crowd,
    open,
    observer,
    stopping,
    pieceMs,
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => takeRequest(front, request, response))
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    takeUpgrade({ ...front, upgraded, noteRefusedUnread }, request, socket, head),
  )

  ignoreUnknownExpectations(server)
  server.on(
    'clientError',
    brokenRequestsAs((text, path, status) => {
      noteRefusedUnread(status, path === undefined ? undefined : routeOf(path)?.path)
      const shape = shapeOf(path)
      return { body: errorBody(shape, text), headers: errorHeaders(shape) }
    }),
  )

  await listen(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await endConnections(server, upgraded)
      upstreams.close()
      agent.destroy()
    },
  }
}

/** Accepts nothing more, and gives current requests a moment to end. */
async function endConnections(server: Server, upgraded: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of upgraded) socket.end()
  const deadline = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of upgraded) socket.destroy()
  }, closeDeadlineMs)
  await closed
  clearTimeout(deadline)
}

/** The parts of an edge that every request meets. */
interface Front extends Pick<EdgeOptions, 'targets' | 'observer' | 'stopping'> {
  readonly table: RoutingTable
  readonly routeOf: (path: string) => Route | undefined
  readonly shapeOf: (path: string | undefined) => ErrorShape
  readonly isTrusted: ReturnType<typeof addressIn>
  readonly upstreams: ReturnType<typeof createUpstreams>
  readonly crowd: ReturnType<typeof watchCrowd>
  readonly open: (
    target: Target,
    request: IncomingMessage,
    options: { readonly isUpgrade?: boolean; readonly isFresh?: boolean },
    client: Client,
    traceparent?: string,
  ) => ClientRequest
  /** The longest pause between two pieces of a body. */
  readonly pieceMs: number
}

/** Answers a request itself, or passes it on to its service. */
function takeRequest(
  { targets, table, routeOf, shapeOf, isTrusted, upstreams, crowd, open, observer, stopping, pieceMs }: Front,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = pathOf(request.url)
  const note: Note = { route: 'none' }
  if (observer) observeExchange(observer, request, response, note)
  if (stopping?.aborted) response.setHeader('connection', 'close')
  const crowding = crowd.crowdingOf(request.socket)
  if (crowding !== undefined) return refuseCrowded(response, crowding, shapeOf(path))
  if (path === undefined) return answer(response, 400, notAPath)
  if (path === healthRoute) note.route = path
  if (path === healthRoute)
    return void answerHealth(response, targets, table.services, doctorsAddress(request, isTrusted))
  const route = routeOf(path)
  if (route === undefined) return answer(response, 404, nothingHere)
  note.route = route.path
  if (request.headers.host === undefined || hasTwoHosts(request))
    return answer(response, 400, JSON.stringify(errorBody(route.errors, 'Bad request')), errorHeaders(route.errors))
  const client = clientOf(request, isTrusted)
  note.client = client.address
  const leave = crowd.enter({ address: client.address, isUpgrade: false, credential: credentialOf(request) })
  if (!leave) return refuseCrowded(response, 429, route.errors)
  response.once('close', leave)
  const trace = traceOf(request, response, route)
  note.traceparent = trace
  const begin = async (): Promise<void> => {
    const addresses = await upstreams.addressesOf(route.service)
    passOn({
      request,
      response,
      client,
      route,
      note,
      pieceMs,
      addresses,
      open: (one, isFresh) => open(one, request, { isFresh }, client, trace),
    })
  }
  void begin()
}

/** Leads an upgraded connection to its service, or refuses it. */
function takeUpgrade(
  {
    routeOf,
    isTrusted,
    upstreams,
    crowd,
    open,
    upgraded,
    noteRefusedUnread,
  }: Front & {
    readonly upgraded: Set<Duplex>
    readonly noteRefusedUnread: (status: number, route?: string, method?: string) => void
  },
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const path = pathOf(request.url)
  const route = path === undefined ? undefined : routeOf(path)
  const refuse = (status: RefusedUpgrade): void => {
    noteRefusedUnread(status, route?.path, request.method)
    refuseUpgrade(socket, status)
  }
  const crowding = crowd.crowdingOf(socket)
  if (crowding !== undefined) return refuse(crowding)
  if (route === undefined) return refuse(404)
  const client = clientOf(request, isTrusted)
  const leave = crowd.enter({ address: client.address, isUpgrade: true, credential: credentialOf(request) })
  if (!leave) return refuse(429)
  upgraded.add(socket)
  socket.once('close', () => {
    upgraded.delete(socket)
    leave()
  })
  void upstreams
    .addressesOf(route.service)
    .then((addresses) =>
      tunnel(
        { socket, head, client, refuse, open: (address) => open(address, request, { isUpgrade: true }, client) },
        addresses,
      ),
    )
}

/** Begins the span of a request, and returns what its deployable continues; undefined without tracing. */
function traceOf(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  route: Route,
): string | undefined {
  const { traceparent } = headers
  const span = beginSpan({
    name: `${method} ${route.service}`,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    facts: { 'http.request.method': method },
  })
  if (!span) return undefined
  response.once('close', () => {
    const { statusCode } = response
    span.end({ facts: { 'http.response.status_code': statusCode }, failed: statusCode >= 500 })
  })
  return span.traceparent
}

function credentialOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization ?? headers.cookie
}

interface Passage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  readonly route: Route
  readonly note: Note
  readonly pieceMs: number
  /** The processes that may be asked, one after the other. */
  readonly addresses: readonly Target[]
  /** Whether no kept connection may be used. */
  readonly isFresh?: true
  open(address: Target, isFresh: boolean): ClientRequest
}

/** A request without effects may be sent again; its body is gone once it was sent. */
function maySendAgain(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request)
}

function passOn(passage: Passage): void {
  const { request, response, route, addresses } = passage
  const [address, ...others] = addresses
  if (response.destroyed) return
  if (address === undefined) return refuseUnavailable(response, route.errors)
  const upstream = passage.open(address, passage.isFresh === true)
  let isConnected = false
  onConnected(upstream, () => {
    isConnected = true
    if (hasBody(request)) sendBody(passage, upstream)
  })
  upstream.on('response', (reply) => answerFrom(reply, passage, upstream))
  upstream.on('error', () => {
    request.unpipe(upstream)
    response.off('close', leave)
    if (response.headersSent || response.writableEnded || response.destroyed) return
    if (isConnected && !maySendAgain(request)) return refuseUnavailable(response, route.errors)
    // A kept connection may have been closed by a process that is there all the same; a fresh one tells.
    const isStale = others.length === 0 && upstream.reusedSocket && passage.isFresh !== true
    passOn(isStale ? { ...passage, addresses: [address], isFresh: true } : { ...passage, addresses: others })
  })
  const leave = (): void => {
    if (!response.writableFinished) upstream.destroy()
  }
  response.on('close', leave)
  if (!hasBody(request)) upstream.end()
}

/** Calls back when a request has its connection; nothing was sent before. A connection that takes too long fails. */
function onConnected(upstream: ClientRequest, connected: () => void): void {
  upstream.once('socket', (socket) => {
    if (!socket.connecting) return connected()
    const timer = setTimeout(() => upstream.destroy(new Error('No connection in time')), connectWithinMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      connected()
    })
    socket.once('close', () => clearTimeout(timer))
  })
}

function answerFrom(
  reply: IncomingMessage,
  { request, response, client, route, note }: Passage,
  upstream: ClientRequest,
): void {
  note.requestId = reply.headers['x-request-id']
  const { headers, stream } = pack(request, reply, endToEndHeaders(reply.rawHeaders, client), route)
  response.writeHead(reply.statusCode ?? 502, reply.statusMessage, [...headers])
  reply.on('end', () => {
    // The deployable accepts no more of the body, so the rest of it ends here.
    request.unpipe(upstream)
    if (!upstream.writableFinished) upstream.destroy()
  })
  if (stream) {
    stream.on('error', () => response.destroy())
    response.on('close', () => stream.destroy())
    reply.pipe(stream).pipe(response)
  } else reply.pipe(response)
  reply.on('error', () => response.destroy())
}

function sendBody({ request, response, route: { errors }, pieceMs }: Passage, upstream: ClientRequest): void {
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

function refuseUnavailable(response: ServerResponse, errors: ErrorShape): void {
  answer(response, 503, JSON.stringify(unavailableBody(errors)), { 'retry-after': '1', ...errorHeaders(errors) })
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

interface Tunnel {
  readonly socket: Duplex
  readonly head: Buffer
  readonly client: Client
  refuse(status: RefusedUpgrade): void
  open(address: Target): ClientRequest
}

function tunnel(passage: Tunnel, [address, ...others]: readonly Target[]): void {
  const { socket, head, client, refuse } = passage
  if (address === undefined) return refuse(503)
  const upstream = passage.open(address)
  let isConnected = false
  onConnected(upstream, () => {
    isConnected = true
  })
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
  upstream.on('error', () => {
    if (isConnected) refuse(503)
    else tunnel(passage, others)
  })
  upstream.end()
}

const reasons = { 404: 'Not Found', 429: 'Too Many Requests', 503: 'Service Unavailable' } as const

type RefusedUpgrade = keyof typeof reasons

function refuseUpgrade(socket: Duplex, status: RefusedUpgrade): void {
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
  client: string | undefined,
): Promise<void> {
  const health = await collectHealth(services, targets)
  answer(response, health.status === 'ok' ? 200 : 503, JSON.stringify({ ...health, client }))
}

/** Returns for `crm doctor` the address that its request is counted for: it sends a forged one to see whether that is believed. */
function doctorsAddress(request: IncomingMessage, isTrusted: Parameters<typeof clientOf>[1]): string | undefined {
  return request.headers['x-crm-doctor'] === undefined ? undefined : clientOf(request, isTrusted).address
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  noteOwnAnswer(response, status)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(body)
}
