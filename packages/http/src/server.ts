import { InvalidJsonError } from '@crm/errors'
import {
  brokenRequestsAs,
  DrainingResponse,
  hasTwoHosts,
  ignoreUnknownExpectations,
  wordInUsualShape,
  type WordBrokenRequest,
} from '@crm/runtime'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { takeLargeBodiesInTurn } from './large-bodies.ts'
import { requestIdOf } from './observe-requests.ts'
import { parseJson } from './parse-json.ts'
import { withoutJsonSchemas } from './without-json-schemas.ts'

/** The options of a deployable's server. */
export interface ServerOptions {
  /** Addresses whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[]
  readonly bodyBytesMax?: number
  /** Answers a request with an unreadable address, where the usual format does not fit. */
  readonly refuseAddress?: (reply: FastifyReply) => void
  /** Words the answer to an invalid HTTP request, where the usual format does not fit. */
  readonly wordBrokenRequest?: WordBrokenRequest
}

/** Answers are personal and have the declared type; routes whose answers may be cached set their own headers. */
const usualHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const usualBodyBytesMax = 1024 * 1024
/** The time in which a request must arrive with its body; a large file over a slow line takes some minutes. */
const requestTimeoutMs = 300_000
/** The longest first line that Node accepts; the operation itself refuses an id that is too long. */
const pathLengthMax = 16 * 1024

/** Creates a Fastify server that reads any body as JSON and gives every request an id. */
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
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: pathLengthMax },
    forceCloseConnections: 'idle',
    // A request on a kept connection is answered as usual while the server closes.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => refuseAddress(reply as FastifyReply),
    clientErrorHandler: brokenRequestsAs(wordBrokenRequest),
  })
  ignoreUnknownExpectations(app.server)
  readEveryBodyAsJson(app)
  app.addHook('onRequest', (request, reply, next) => {
    void reply.headers({ 'x-request-id': request.id, ...usualHeaders })
    if (!hasTwoHosts(request.raw)) return next()
    const { body, headers = {} } = wordBrokenRequest('Bad request', request.url.split('?')[0], 400)
    return void reply.code(400).headers(headers).send(body)
  })
  takeLargeBodiesInTurn(app)
  return app
}

/** Answers requests without a route and leaves their body unread, because their sender is not known yet. */
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

/** Treats an empty body as absent; any other body must be JSON in UTF-8, under any Content-Type. */
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
