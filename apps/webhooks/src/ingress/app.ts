import type { Pool } from '@crm/db'
import { toHookAnswer } from '@crm/errors'
import { digest } from '@crm/identity'
import type { FixedWindow } from '@crm/redis'
import type { Logger, Metrics } from '@crm/runtime'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { countedAddress } from '@crm/http'
import { findRefusal } from './checks.ts'
import { findTrigger, storeRefusal, storeRun, type HookTrigger } from './hooks.repository.ts'
import { readTriggerData, toInspectable } from './trigger-data.ts'

/** What the ingress works with. */
export interface IngressDeps {
  readonly pool: Pool
  /** Calls per address over all webhooks. */
  readonly perAddress: FixedWindow
  /** Calls per webhook. */
  readonly perUrl: FixedWindow
  readonly trustedProxies: readonly string[]
  /** Told after each stored run. */
  onStored(): void
  readonly logger: Logger
  readonly metrics: Metrics
}

const bodyBytesMax = 65_536
const requestTimeoutMs = 10_000
/** Notes of refused calls that are written at once; more are dropped, so that refusing stays cheap. */
const notesAtOnce = 20

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type as it was sent. */
    sentContentType: string | null
  }
}

/** Builds the ingress without listening: calls to `/api/hooks/<path>` become queued runs. */
export function createIngress(deps: IngressDeps): FastifyInstance {
  const { pool, logger, metrics } = deps
  const app = Fastify({
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    logger: false,
    frameworkErrors: (_error, _request, reply) => void refuse(reply as FastifyReply, 404, 'Not found'),
    clientErrorHandler: answerBrokenRequest,
  })
  acceptEveryMethod(app)
  acceptEveryBody(app)

  let notes = 0
  const note = async (trigger: HookTrigger | undefined, reason: string, sizeBytes: number | null): Promise<void> => {
    if (!trigger || notes >= notesAtOnce) return
    notes++
    await storeRefusal(pool, trigger, reason, sizeBytes).catch((error: unknown) => logger.warn({ err: error }, 'a refused call was not noted'))
    notes--
  }

  const triggerOf = (request: FastifyRequest): Promise<HookTrigger | undefined> =>
    findTrigger(pool, request.headers.host ?? '', digest(pathOf(request)))

  const noteTooLarge = async (request: FastifyRequest): Promise<void> => {
    const trigger = await triggerOf(request).catch(() => undefined)
    await note(trigger, 'The body is over 64 KB', Number(request.headers['content-length']) || null)
  }

  app.decorateRequest('sentContentType', null)

  app.all('/api/hooks/*', {
    onRequest: async (request, reply) => {
      const { allowed, retryAfterS } = await deps.perAddress.consume(`{${countedAddress(request.ip)}}`)
      if (!allowed) return refuse(reply, 429, 'Too many requests', retryAfterS)
      request.sentContentType = request.headers['content-type'] ?? null
      // The framework refuses a Content-Type that it cannot parse; here it decides nothing.
      request.headers['content-type'] = 'application/json'
    },
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const trigger = await triggerOf(request)
      const refusal = await findRefusal({ method: request.method, headers: request.headers, trigger }, deps.perUrl)
      if (refusal || !trigger) {
        void note(trigger, refusal?.reason ?? '', body.length)
        return refuse(reply, refusal?.status ?? 404, refusal?.text ?? 'Not found', refusal?.retryAfterS)
      }
      const data = readTriggerData(body)
      const lastRequest = { method: request.method, contentType: request.sentContentType, sizeBytes: body.length, body: data, ...toInspectable(body) }
      const isStored = await storeRun(pool, { trigger, data, lastRequest })
      if (!isStored) return refuse(reply, 404, 'Not found')
      deps.onStored()
      return reply.code(202).send({ accepted: true })
    },
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) {
      void noteTooLarge(request)
      // The rest of the body is read and thrown away; closing at once would cut the answer off.
      void reply.removeHeader('connection')
      return refuse(reply, 413, 'Payload too large')
    }
    if (error.statusCode !== undefined && error.statusCode < 500) return refuse(reply, error.statusCode, 'Bad request')
    logger.error({ err: error, route: request.routeOptions.url }, 'a call could not be stored')
    return refuse(reply, 503, 'Service unavailable', 5)
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not found'))
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1_000)
  })
  return app
}

function pathOf(request: FastifyRequest): string {
  return (request.params as Readonly<Record<string, string>>)['*'] ?? ''
}

/** Everything that may be sent to a webhook; which method a trigger takes is decided after its secret. */
function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  // An expectation that the server does not know would be answered by Node itself.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

function acceptEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

function refuse(reply: FastifyReply, status: number, text: string, retryAfterS?: number): FastifyReply {
  const answer = toHookAnswer(status, text, retryAfterS)
  if (answer.retryAfterS !== undefined) void reply.header('retry-after', String(answer.retryAfterS))
  return reply.code(answer.status).send(answer.body)
}

/** What is no HTTP request gets an answer in the same shape. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text] = brokenRequests[error.code ?? ''] ?? ['400 Bad Request', 'Bad request']
  const body = JSON.stringify({ error: text })
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
}

const brokenRequests: Readonly<Record<string, readonly [status: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request timeout'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Headers too large'],
}
