import { InvalidJsonError } from '@crm/errors'
import {
  brokenRequestsAs,
  DrainingResponse,
  ignoreUnknownExpectations,
  wordInUsualShape,
  type WordBrokenRequest,
} from '@crm/runtime'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { takeLargeBodiesInTurn } from './large-bodies.ts'
import { parseJson } from './parse-json.ts'
import { withoutJsonSchemas } from './without-json-schemas.ts'

/** What a deployable's server is made with. */
export interface ServerOptions {
  /** Addresses whose forwarding headers count. */
  readonly trustedProxies: readonly string[]
  readonly bodyBytesMax?: number
  /** Answers a request whose address cannot be read, where the usual shape is not the right one. */
  readonly refuseAddress?: (reply: FastifyReply) => void
  /** Words the answer to what is no HTTP request, likewise. */
  readonly wordBrokenRequest?: WordBrokenRequest
}

/** What is answered is one person's and is what it says; routes whose answers may be kept say so themselves. */
const usualHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const usualBodyBytesMax = 1024 * 1024
/** Within this a request has to be there with its body, however slow its sender is; a large file over a slow line takes some minutes. */
const requestTimeoutMs = 300_000
/** As long as Node takes a request's first line: an id that is too long is for its operation to refuse. */
const pathLengthMax = 16 * 1024

/** A Fastify server that reads any body as JSON and names every request. */
export function createServer({
  trustedProxies,
  bodyBytesMax = usualBodyBytesMax,
  refuseAddress = refuseInUsualShape,
  wordBrokenRequest = wordInUsualShape,
}: ServerOptions): FastifyInstance {
  const app = Fastify({
    ...withoutJsonSchemas,
    http: { ServerResponse: DrainingResponse },
    requestTimeout: requestTimeoutMs,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    logger: false,
    genReqId: (request) => forwardedId(request.headers['x-request-id']) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: pathLengthMax },
    forceCloseConnections: 'idle',
    // A request that comes while the server closes, on a connection that was kept, is answered as any other.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => refuseAddress(reply as FastifyReply),
    clientErrorHandler: brokenRequestsAs(wordBrokenRequest),
  })
  ignoreUnknownExpectations(app.server)
  readEveryBodyAsJson(app)
  app.addHook('onRequest', (request, reply, next) => {
    void reply.headers({ 'x-request-id': request.id, ...usualHeaders })
    next()
  })
  takeLargeBodiesInTurn(app)
  return app
}

/** Answers what no route has, and leaves its body unread: nobody has asked yet who sends it. */
export function answerNowhere(
  app: FastifyInstance,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply,
): void {
  app.setNotFoundHandler(answer)
  app.addHook('onRequest', (request, reply, next) => (request.is404 ? Promise.resolve(answer(request, reply)) : next()))
}

function refuseInUsualShape(reply: FastifyReply): void {
  void reply.code(400).send({ error: 'The address of the request is not valid', code: 'VALIDATION_ERROR' })
}

function forwardedId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,100}$/.test(header) ? header : undefined
}

/** An absent or empty body counts as none; anything else must be JSON in UTF-8, whatever its Content-Type says. */
function readEveryBodyAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body as Buffer)) return done(new InvalidJsonError(), undefined)
    try {
      done(null, parseJson(body.toString()))
    } catch {
      done(new InvalidJsonError(), undefined)
    }
  })
}
