import { toHookAnswer, type ErrorCode } from '@crm/errors'
import { noteCaller, noteRefusal, observeRequests, requestIdOf } from '@crm/http/observe-requests'
import { withoutJsonSchemas } from '@crm/http/without-json-schemas'
import {
  brokenRequestsAs,
  DrainingResponse,
  hasTwoHosts,
  ignoreUnknownExpectations,
  wordInUsualShape,
  type Metrics,
} from '@crm/runtime'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ChallengeAnswer } from './challenge.ts'
import { bodyBytesMax, createReceiver, type Call, type KnownCall, type Received, type ReceiverDeps } from './receive.ts'

// An import of the whole module would load the client side of HTTP too, and with it four megabytes.
const { METHODS } = process.getBuiltinModule('node:http')

/** The resources of the ingress. */
export interface IngressDeps extends ReceiverDeps {
  readonly trustedProxies: readonly string[]
  readonly metrics: Metrics
  /** How much of a client's address is logged. */
  readonly clients?: 'none' | 'prefix' | 'full'
}

const requestTimeoutMs = 10_000

declare module 'fastify' {
  interface FastifyRequest {
    call: KnownCall
  }
}

/** Builds the ingress without listening: calls to `/api/hooks/<path>` become queued runs. */
export function createIngress(deps: IngressDeps): FastifyInstance {
  const receiver = createReceiver(deps)
  const app = Fastify({
    ...withoutJsonSchemas,
    http: { ServerResponse: DrainingResponse },
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: false,
    frameworkErrors: (_error, _request, reply) => void refuse(reply as FastifyReply, 404, 'Not found'),
    clientErrorHandler: brokenRequestsAs(wordInUsualShape),
  })
  acceptEveryMethod(app)
  acceptEveryBody(app)

  app.decorateRequest('call')
  app.all('/api/hooks/*', {
    onRequest: async (request, reply) => {
      if (hasTwoHosts(request.raw)) return refuse(reply, 400, 'Bad request')
      request.call = receiver.recall(callOf(request))
      const { allowed, retryAfterS } = await receiver.count(request.call, request.ip)
      if (!allowed) return refuse(reply, 429, 'Too many requests', retryAfterS)
      // The framework refuses a Content-Type that it cannot parse; here the header decides nothing.
      request.headers['content-type'] = 'application/json'
    },
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return answer(reply, await receiver.receive(request.call, body))
    },
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) {
      void receiver.noteTooLarge(request.call)
      return refuse(reply, 413, 'Payload too large')
    }
    if (error.statusCode !== undefined && error.statusCode < 500) return refuse(reply, error.statusCode, 'Bad request')
    deps.logger.error({ err: error, route: request.routeOptions.url }, 'a call could not be stored')
    return refuse(reply, 503, 'Service unavailable', 5)
  })
  app.all('/api/hooks', (_request, reply) => refuse(reply, 404, 'Not found'))
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not found'))
  observeRequests(app, deps)
  return app
}

function callOf(request: FastifyRequest): Call {
  const { method, headers, query, params } = request
  return {
    host: headers.host ?? '',
    path: (params as Readonly<Record<string, string>>)['*'] ?? '',
    method,
    headers,
    contentType: headers['content-type'] ?? null,
    query: query as Readonly<Record<string, unknown>>,
    tellWorkspace: (workspaceId) => noteCaller(request, { workspaceId }),
  }
}

function answer(reply: FastifyReply, received: Received): FastifyReply {
  if (received.kind === 'accepted') return reply.code(202).send({ accepted: true })
  if (received.kind === 'challenge') return sendChallenge(reply, received.answer)
  const { status, text, retryAfterS } = received.refusal
  return refuse(reply, status, text, retryAfterS)
}

/** What a stranger asked to have repeated is never taken for a page. */
function sendChallenge(reply: FastifyReply, { headers, body }: ChallengeAnswer): FastifyReply {
  return reply
    .code(200)
    .headers({ 'x-content-type-options': 'nosniff', ...headers })
    .send(body)
}

/** Accepts every method here; the method that a trigger takes is checked after its secret. */
function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS.filter((name) => name !== 'CONNECT'))
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  ignoreUnknownExpectations(app.server)
}

function acceptEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The codes of the API for the refusals of this surface, whose answers show none. */
const codes: Readonly<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_CONTENT_ENCODING',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
}

function refuse(reply: FastifyReply, status: number, text: string, retryAfterS?: number): FastifyReply {
  noteRefusal(reply.request, { code: codes[status] ?? 'VALIDATION_ERROR' })
  const answer = toHookAnswer(status, text, retryAfterS)
  if (answer.retryAfterS !== undefined) void reply.header('retry-after', String(answer.retryAfterS))
  return reply.code(answer.status).send(answer.body)
}
