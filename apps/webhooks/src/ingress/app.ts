import type { Pool } from '@crm/db'
import { toHookAnswer, type ErrorCode } from '@crm/errors'
import { digest } from '@crm/identity/credential'
import { workspaceTag, type FixedWindow, type Verdict } from '@crm/redis'
import {
  brokenRequestsAs,
  countedAddress,
  currentTraceparent,
  DrainingResponse,
  hasTwoHosts,
  ignoreUnknownExpectations,
  wordInUsualShape,
  type Logger,
  type Metrics,
} from '@crm/runtime'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { noteCaller, noteRefusal, observeRequests, requestIdOf } from '@crm/http/observe-requests'
import { withoutJsonSchemas } from '@crm/http/without-json-schemas'
import { challengeAnswer, type ChallengeAnswer } from './challenge.ts'
import { findRefusal, holdsSecret, type HookCall, type Refusal } from './checks.ts'
import { findTrigger, storeRefusal, type HookTrigger } from './hooks.repository.ts'
import type { RunWriter } from './run-writer.ts'
import { readTriggerData, toInspectable, unpack, type CodingFault } from './trigger-data.ts'
import { createTriggerMemory } from './trigger-memory.ts'

// An import of the whole module would load the client side of HTTP too, and with it four megabytes.
const { METHODS } = process.getBuiltinModule('node:http')

/** The resources of the ingress. */
export interface IngressDeps {
  readonly pool: Pool
  /** Calls per address over all webhooks. */
  readonly perAddress: FixedWindow
  /** Calls per webhook. */
  readonly perUrl: FixedWindow
  readonly trustedProxies: readonly string[]
  readonly writer: RunWriter
  readonly logger: Logger
  readonly metrics: Metrics
  /** How much of a client's address is logged. */
  readonly clients?: 'none' | 'prefix' | 'full'
}

const bodyBytesMax = 65_536
const requestTimeoutMs = 10_000
/** The number of refused calls that are noted at once; further notes are dropped, so that refusing stays cheap. */
const notesAtOnce = 20

/** The facts about a call before its body is read. */
interface CallState {
  /** The Content-Type as the caller sent it. */
  readonly contentType: string | null
  /** The remembered trigger; set only for a call that shows its secret. */
  readonly remembered: HookTrigger | undefined
  /** The count of the call for its URL, once it has been counted. */
  counted: Promise<Verdict> | undefined
}

/** The trigger that the path of a call leads to, and whether the call shows its secret. */
type Reached = Pick<HookCall, 'trigger' | 'hasSecret'>

declare module 'fastify' {
  interface FastifyRequest {
    call: CallState
  }
}

/** Builds the ingress without listening: calls to `/api/hooks/<path>` become queued runs. */
export function createIngress(deps: IngressDeps): FastifyInstance {
  const { pool, logger } = deps
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

  let notes = 0
  const note = async (trigger: HookTrigger | undefined, reason: string, sizeBytes: number | null): Promise<void> => {
    if (!trigger || notes >= notesAtOnce) return
    notes++
    await storeRefusal(pool, trigger, reason, sizeBytes).catch((error: unknown) =>
      logger.warn({ err: error }, 'a refused call was not noted'),
    )
    notes--
  }

  const memory = createTriggerMemory()

  const reach = async (request: FastifyRequest): Promise<Reached> => {
    const [host, path] = [request.headers.host ?? '', pathOf(request)]
    const trigger = await findTrigger(pool, host, digest(path))
    const hasSecret = holdsSecret(request.headers, trigger)
    if (trigger) noteCaller(request, { workspaceId: trigger.workspaceId })
    if (trigger?.isPublished && hasSecret) memory.remember(host, path, trigger)
    else memory.forget(host, path)
    return { trigger, hasSecret }
  }

  const countForUrl = (call: CallState, { workspaceId, workflowId, callsPerMinute }: HookTrigger): Promise<Verdict> =>
    (call.counted ??= deps.perUrl.consume(urlKey(workspaceId, workflowId), callsPerMinute ?? undefined))

  const noteTooLarge = async (request: FastifyRequest): Promise<void> => {
    const reached = await reach(request).catch(() => undefined)
    await note(
      reached?.trigger,
      'The body is over 64 KB',
      Math.min(Number(request.headers['content-length']), Number.MAX_SAFE_INTEGER) || null,
    )
  }

  /** Checks a call against its trigger and stores it; undefined when the trigger has changed meanwhile. */
  const take = async (
    request: FastifyRequest,
    body: Buffer,
    { trigger, hasSecret }: Reached,
  ): Promise<Refusal | 'accepted' | undefined> => {
    const refusal = await findRefusal(
      { method: request.method, headers: request.headers, trigger, hasSecret },
      (found) => countForUrl(request.call, found),
    )
    if (refusal || !trigger) return refusal
    const plain = await unpack(body, request.headers['content-encoding'], bodyBytesMax)
    if (typeof plain === 'string') return codingRefusals[plain]
    const data = await readTriggerData(plain, request.call.contentType, trigger.options?.accept)
    const last = {
      method: request.method,
      contentType: request.call.contentType,
      sizeBytes: plain.length,
      body: data,
      ...toInspectable(plain),
    }
    const isStored = await deps.writer.store({
      trigger,
      data,
      last: { at: new Date().toISOString(), request: last },
      traceparent: currentTraceparent(),
    })
    return isStored ? 'accepted' : undefined
  }

  /** Returns the answer to a challenge that a call to a published trigger carries. */
  const answerTo = async (
    request: FastifyRequest,
    sent: Buffer,
    trigger: HookTrigger | undefined,
  ): Promise<ChallengeAnswer | undefined> => {
    if (!trigger?.isPublished || !trigger.options) return undefined
    const { accept: accepted } = trigger.options
    const body = async (): Promise<unknown> => {
      const plain = await unpack(sent, request.headers['content-encoding'], bodyBytesMax)
      return typeof plain === 'string' ? {} : readTriggerData(plain, request.call.contentType, accepted)
    }
    const query = request.query as Readonly<Record<string, unknown>>
    return challengeAnswer({ method: request.method, headers: request.headers, query, body }, trigger.options)
  }

  app.decorateRequest('call')

  app.all('/api/hooks/*', {
    onRequest: async (request, reply) => {
      if (hasTwoHosts(request.raw)) return refuse(reply, 400, 'Bad request')
      const remembered = memory.recall(request.headers.host ?? '', pathOf(request))
      const call: CallState = {
        contentType: request.headers['content-type'] ?? null,
        remembered: holdsSecret(request.headers, remembered) ? remembered : undefined,
        counted: undefined,
      }
      request.call = call
      if (call.remembered) noteCaller(request, { workspaceId: call.remembered.workspaceId })
      const countedForAddress = deps.perAddress.consume(`{${countedAddress(request.ip)}}`)
      // A call with the secret is counted for both in one round trip.
      if (call.remembered) void countForUrl(call, call.remembered)
      const { allowed, retryAfterS } = await countedForAddress
      if (!allowed) {
        if (call.remembered) void deps.perUrl.forgive(urlKey(call.remembered.workspaceId, call.remembered.workflowId))
        return refuse(reply, 429, 'Too many requests', retryAfterS)
      }
      // The framework refuses a Content-Type that it cannot parse; here the header decides nothing.
      request.headers['content-type'] = 'application/json'
    },
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { remembered } = request.call
      const challenge = await answerTo(request, body, remembered)
      if (challenge) return sendChallenge(reply, challenge)
      if (remembered && (await take(request, body, { trigger: remembered, hasSecret: true })) === 'accepted')
        return accept(reply)
      // A remembered trigger is no reason to refuse a call.
      const reached = await reach(request)
      const other = await answerTo(request, body, reached.trigger)
      if (other) return sendChallenge(reply, other)
      const outcome = (await take(request, body, reached)) ?? {
        status: 404,
        text: 'Not found',
        reason: 'The workflow was changed while the call came',
      }
      if (outcome === 'accepted') return accept(reply)
      void note(reached.trigger, outcome.reason, body.length)
      return refuse(reply, outcome.status, outcome.text, outcome.retryAfterS)
    },
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) {
      void noteTooLarge(request)
      return refuse(reply, 413, 'Payload too large')
    }
    if (error.statusCode !== undefined && error.statusCode < 500) return refuse(reply, error.statusCode, 'Bad request')
    logger.error({ err: error, route: request.routeOptions.url }, 'a call could not be stored')
    return refuse(reply, 503, 'Service unavailable', 5)
  })
  app.all('/api/hooks', (_request, reply) => refuse(reply, 404, 'Not found'))
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not found'))
  observeRequests(app, deps)
  return app
}

function urlKey(workspaceId: string, workflowId: string): string {
  return `${workspaceTag(workspaceId)}:${workflowId}`
}

function accept(reply: FastifyReply): FastifyReply {
  return reply.code(202).send({ accepted: true })
}

/** What a stranger asked to have repeated is never taken for a page. */
function sendChallenge(reply: FastifyReply, { headers, body }: ChallengeAnswer): FastifyReply {
  return reply
    .code(200)
    .headers({ 'x-content-type-options': 'nosniff', ...headers })
    .send(body)
}

function pathOf(request: FastifyRequest): string {
  return (request.params as Readonly<Record<string, string>>)['*'] ?? ''
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

const codingRefusals: Readonly<Record<CodingFault, Refusal>> = {
  unknown: { status: 415, text: 'Unsupported content encoding', reason: 'The body has a coding that is not taken' },
  'too large': { status: 413, text: 'Payload too large', reason: 'The unpacked body is over 64 KB' },
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
