import {
  BytesReply,
  declared,
  InSlices,
  refuse,
  StatusReply,
  type DeclaredOperation,
  type Implemented,
  type Operation,
  type Resource,
  type Surface,
} from '@crm/contract'
import {
  ApiError,
  InvalidJsonError,
  isRefusal,
  toApiAnswer,
  toBookingAnswer,
  toScimAnswer,
  type ErrorAnswer,
} from '@crm/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { finished, Readable } from 'node:stream'
import { setTimeout as waitMs } from 'node:timers/promises'
import { isDeclared } from './declared-codes.ts'
import { noteVersion } from './record-version.ts'
import type { Answer, AnyPorts, Exchange, PipelineCaller, PipelineWorkspace, Ports } from './exchange.ts'
import { oncePerKey } from './idempotency.ts'
import { noteMethod } from './known-paths.ts'
import { noteRefusal } from './observe-requests.ts'
import { runSteps, stepsOf } from './pipeline.ts'
import type { ReadLines, ReadTurn } from './read-turns.ts'
import { hiderOf, refuseHiddenFile, requireReachGuard, withinReach } from './reach.ts'
import { withReplicas } from './replicas.ts'
import { requestShareOf } from './request-share.ts'
import { shownReader, type ReadShown } from './shown-record.ts'
import { checkReply } from './reply-check.ts'
import { replyWriter, type Finish, type ReplyWriter } from './reply-writer.ts'
import { isUnchanged } from './revalidation.ts'
import { innerOf, performInner } from './inner-requests.ts'
import { compacted, shapeRecords, type Shape } from './shape.ts'
import { requireFreshGuard } from './steps/require-fresh.ts'
import { UndeclaredAnswer } from './undeclared-answer.ts'
import { acceptUploads, uploadBodyBytesMax } from './uploads/accept-uploads.ts'

const transientRetryAfterS = 1
const noContent = 204
const found = 302

/** The longest wait of a slice of an answer that has begun. */
const laterTurnWaitMs = 30_000
const stalledMs = 30_000
/** A read that takes this long counts as a large one the next time, however small its answer is. */
const heavyMs = 300
/** The pause after a slice of a large answer, as a multiple of the time that the slice took. */
const restPerWork = 2

type AnyHandler = (input: unknown, context: object) => Promise<unknown>

/** Implemented resources for any kind of context; `implement` has checked each pair. */
type AnyService = Readonly<Record<string, { readonly resource: Resource; readonly handlers: object }>>

/** Registers a route for every operation of a service, each behind the whole pipeline. */
export function registerService<
  Workspace extends PipelineWorkspace,
  Caller extends PipelineCaller,
  Context extends object,
  Transaction,
>(
  app: FastifyInstance,
  service: Readonly<
    Record<string, Implemented<never, never> | { readonly resource: Resource; readonly handlers: object }>
  >,
  ports: Ports<Workspace, Caller, Context, Transaction>,
): void {
  if (!app.hasRequestDecorator('exchange')) app.decorateRequest('exchange', null)
  for (const { resource, handlers } of Object.values(service as AnyService)) {
    for (const [key, operation] of Object.entries(resource.operations)) {
      const handler = (handlers as Record<string, AnyHandler>)[key]
      if (!handler) throw new Error(`${resource.name}.${key} has no handler`)
      noteMethod(app, operation)
      const place = declared(resource, key, operation)
      registerOperation(app, place, handler, ports, shownReader(place, handlers as Record<string, AnyHandler>))
    }
  }
}

/** Registers an operation; bodies of uploads are parsed differently, in a scope of their own. */
function registerOperation(
  app: FastifyInstance,
  operation: DeclaredOperation,
  handler: AnyHandler,
  ports: AnyPorts,
  shown: ReadShown | undefined,
): void {
  const { upload } = operation.operation
  if (!upload) return addRoute(app, operation, handler, ports, { shown })
  const { bytesMax = ports.fileBytesMax, max = 1 } = upload.files ?? {}
  void app.register(async (scope) => {
    await acceptUploads(scope, bytesMax, max)
    addRoute(scope, operation, handler, ports, { shown, bodyLimit: uploadBodyBytesMax(bytesMax, max) })
  })
}

function addRoute(
  app: FastifyInstance,
  operation: DeclaredOperation,
  handler: AnyHandler,
  ports: AnyPorts,
  { shown, ...options }: { readonly bodyLimit?: number; readonly shown: ReadShown | undefined },
): void {
  const { surface } = operation.resource
  const { reads } = ports
  requireReachGuard(operation, ports)
  requireFreshGuard(operation, ports)
  const beforeBody = stepsOf(surface, 'beforeBody')
  const afterBody = stepsOf(surface, 'afterBody')
  const write = answerWriter(operation.operation)
  app.route({
    ...options,
    method: operation.operation.method,
    url: operation.operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: operation.operation.method === 'GET',
    onRequest: (request, reply, next) => {
      const exchange: Exchange = {
        ...newExchange(operation, request, reply),
        readShown: shown && ((tx) => shown(exchange, ports, tx)),
      }
      request.exchange = exchange
      return runSteps(beforeBody, exchange, ports) ?? next()
    },
    preHandler: (request, _reply, next) => runSteps(afterBody, exchangeOf(request), ports) ?? next(),
    handler: async (request) => {
      const exchange = exchangeOf(request)
      return operation.operation.reply.mediaType
        ? sendFile(exchange, handler, ports)
        : sendJsonAnswer(
            exchange,
            () =>
              surrounded(exchange.inner ? aroundInner : aroundAnswers, exchange, ports, (tx) =>
                handle(exchange, handler, write, ports, tx),
              ),
            reads,
          )
    },
    errorHandler: (error, request, reply) => void answerError(error, request, reply, surface, ports),
  })
}

/** A part of the way of a request around its handler; `running` is the transaction that a part before it has begun. */
type Around<Result> = (
  exchange: Exchange,
  ports: AnyPorts,
  next: (running?: unknown) => Promise<Result>,
  running?: unknown,
) => Promise<Result>

/** From the outside to the inside. */
const aroundAnswers: readonly Around<Answer>[] = [withReplicas, oncePerKey, controlled, withinReach]
const aroundInner: readonly Around<Answer>[] = [performInner, withinReach]
const aroundFiles: readonly Around<unknown>[] = [withReplicas, withinReach]

function controlled(
  exchange: Exchange,
  ports: AnyPorts,
  work: (running?: unknown) => Promise<Answer>,
  running?: unknown,
): Promise<Answer> {
  return ports.control ? ports.control(exchange, work, running) : work(running)
}

/** Does work inside all the parts around it. */
function surrounded<Result>(
  parts: readonly Around<Result>[],
  exchange: Exchange,
  ports: AnyPorts,
  work: (tx: unknown) => Promise<Result>,
): Promise<Result> {
  const whole = parts.reduceRight<(running?: unknown) => Promise<Result>>(
    (next, part) => (running) => part(exchange, ports, next, running),
    work,
  )
  return whole()
}

async function sendFile(exchange: Exchange, handler: AnyHandler, ports: AnyPorts): Promise<FastifyReply> {
  await refuseHiddenFile(exchange, ports)
  const result = await surrounded(aroundFiles, exchange, ports, (tx) => callHandler(exchange, handler, ports, tx))
  return sendBytes(exchange.reply, result)
}

async function sendJsonAnswer(
  exchange: Exchange,
  work: () => Promise<Answer>,
  reads: ReadLines | undefined,
): Promise<FastifyReply> {
  return reads && exchange.declared.operation.method === 'GET'
    ? sendInTurn(exchange, reads, work)
    : sendAnswer(exchange, await work())
}

function sendAnswer(exchange: Exchange, { status, body }: Answer): FastifyReply {
  const { declared: place, request, reply } = exchange
  const { operation } = place
  // An answer that was stored for a repeated request has no result of a handler.
  if (operation.idempotent && !reply.hasHeader('etag')) noteVersion(exchange, () => JSON.parse(body) as unknown)
  if (operation.revalidated && isUnchanged(request, reply, body)) return reply.code(304).send()
  return sendJson(reply, status, body, surfaceTypes[place.resource.surface])
}

/** Works on a read in its turn; its answer counts until it is sent. Further slices are read one by one, each in a turn of its own. */
async function sendInTurn(exchange: Exchange, reads: ReadLines, work: () => Promise<Answer>): Promise<FastifyReply> {
  const { declared, input, reply, recognition } = exchange
  const { title } = declared
  const workspaceId = recognition.workspace?.id ?? ''
  const { pageSize = 0 } = (input.query ?? {}) as { readonly pageSize?: number }
  const share = requestShareOf(recognition.workspace)
  const { turn, finish } = await reads.begin({ workspaceId, list: title, pageSize, share })
  let underWay: ReadTurn = turn
  finished(reply.raw, () => {
    underWay.end()
    finish()
  })
  const list = { workspaceId, list: title }
  const beganAt = performance.now()
  const isSlow = (): boolean => performance.now() - beganAt > heavyMs
  try {
    const answer = await work()
    turn.answer(answer.body.length)
    reads.remember(list, answer.later !== undefined || isSlow())
    // The connection of a reader that accepts nothing for this long is closed, because it would keep its share of the memory.
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
    if (!answer.later) return sendAnswer(exchange, answer)
    const slices = inTurns(answer, async (read) => {
      // The previous slice is sent. A waiting read holds nothing; otherwise waiting reads would hold the capacity that they wait for.
      underWay.end()
      underWay = await reads.goOn({ workspaceId, share }, laterTurnWaitMs)
      const beganAt = performance.now()
      const text = await read()
      // The turn pauses for longer than it worked, so that small answers find the processor free most of the time.
      await waitMs(restPerWork * (performance.now() - beganAt))
      underWay.answer(text.length)
      return text
    })
    // Without a buffer each slice is read only after the previous one was taken.
    return reply
      .code(answer.status)
      .header('content-type', jsonType)
      .send(Readable.from(slices, { highWaterMark: 0 }))
  } catch (error) {
    // A read that came to no end would come to none beside another one like it, either.
    if (isSlow()) reads.remember(list, true)
    turn.end()
    throw error
  }
}

async function* inTurns(
  { body, later = [], end = '' }: Answer,
  inTurn: (read: () => Promise<string>) => Promise<string>,
): AsyncGenerator<string> {
  yield body
  for (const read of later) yield await inTurn(read)
  yield end
}

async function handle(
  exchange: Exchange,
  handler: AnyHandler,
  write: AnswerWriter,
  ports: AnyPorts,
  tx: unknown,
): Promise<Answer> {
  const result = await callHandler(exchange, handler, ports, tx)
  noteVersion(exchange, () => result)
  const { shape, isCompact } = exchange
  const finish = shape ? shaperOf(exchange, shape, ports) : isCompact ? compactly : hiderOf(exchange, ports, tx)
  const answer = await write(result, finish)
  // A shaped answer has fewer fields than the contract declares.
  return ports.checkAnswers && !shape && !isCompact ? checked(exchange.declared, answer) : answer
}

const compactly: Finish = async (write) => compacted(write(() => undefined)) as ReturnType<typeof write>

/** Returns the function that gives an answer the requested shape. */
function shaperOf(exchange: Exchange, shape: Shape, ports: AnyPorts): Finish {
  return async (write) => {
    const records: Record<string, unknown>[] = []
    const written = write((schema, object) => void (schema === shape.shaped.record && records.push(object)))
    await shapeRecords(
      records,
      shape,
      async (field, ids) => (await ports.readNames?.(exchange, field, ids)) ?? new Map(),
    )
    return written
  }
}

/** Returns the answer unchanged when it matches the operation's declaration; later slices are checked as they are read. */
function checked(operation: DeclaredOperation, answer: Answer): Answer {
  const { status, body, later, end = '' } = answer
  if (status === noContent || status === found) return answer
  checkReply(operation, status, JSON.parse(body + end))
  if (!later) return answer
  const checkSlice = (text: string): string => {
    checkReply(operation, status, JSON.parse(`{"items":[${text.replace(/^,/, '')}${end}`))
    return text
  }
  return { ...answer, later: later.map((read) => async () => checkSlice(await read())) }
}

type AnswerWriter = (result: unknown, finish?: Finish) => Answer | Promise<Answer>

/** Writes the declared part of a result; all further data of its handler stays inside. */
function answerWriter({ reply }: Operation): AnswerWriter {
  const write = replyWriter(reply.body)
  const writeAlso = reply.also && replyWriter(reply.also.body)
  return (result, finish) => {
    if (result instanceof InSlices) return writeInSlices(result, reply.status, write, finish)
    const { status, body } = result instanceof StatusReply ? result : { status: reply.status, body: result }
    const writeIt = status === reply.also?.status && writeAlso ? writeAlso : write
    if (status === noContent || status === found) return { status, body: '' }
    if (!finish) return { status, body: JSON.stringify(writeIt(body)) }
    return finish((onObject) => writeIt(body, onObject)).then((written) => ({ status, body: JSON.stringify(written) }))
  }
}

/** Returns the text of a list whose items come in slices: the items come first, and the other members after them. */
async function writeInSlices(
  { body, later }: InSlices<List>,
  status: number,
  write: ReplyWriter,
  finish?: Finish,
): Promise<Answer> {
  const partsOf = async (items: readonly unknown[]): Promise<List> => {
    const parts = { ...body, items }
    return (finish ? await finish((onObject) => write(parts, onObject)) : write(parts)) as List
  }
  const { items: first, ...others } = await partsOf(body.items)
  let isBegun = first.length > 0
  const more = async (items: readonly unknown[]): Promise<string> => {
    const texts = (await partsOf(items)).items.map((item) => JSON.stringify(item))
    const text = [...(isBegun && texts.length > 0 ? [''] : []), ...texts].join(',')
    isBegun ||= texts.length > 0
    return text
  }
  return {
    status,
    body: `{"items":${JSON.stringify(first).slice(0, -1)}`,
    later: later.map((read) => async () => more(await read())),
    end: `],${JSON.stringify(others).slice(1)}`,
  }
}

interface List {
  readonly items: readonly unknown[]
}

function callHandler(exchange: Exchange, handler: AnyHandler, ports: AnyPorts, tx?: unknown): Promise<unknown> {
  const context = ports.createContext(exchange, tx) as object
  return handler(exchange.input, Object.assign(context, { refuse }))
}

function newExchange(operation: DeclaredOperation, request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    declared: operation,
    request,
    reply,
    inner: innerOf(request.headers),
    recognition: { workspace: null, caller: null, budget: null, epoch: null },
    input: { params: undefined, query: undefined, body: undefined, customFieldFilters: new Map() },
  }
}

function exchangeOf(request: FastifyRequest): Exchange {
  if (!request.exchange) throw new Error('The request has not begun its way through the pipeline')
  return request.exchange
}

const jsonType = 'application/json; charset=utf-8'

/** The media types of surfaces that have one of their own. */
const surfaceTypes: Partial<Record<Surface, string>> = { scim: 'application/scim+json; charset=utf-8' }

function sendJson(reply: FastifyReply, status: number, body: string, type = jsonType): FastifyReply {
  if (status === noContent || status === found) return reply.code(status).send()
  return reply.code(status).header('content-type', type).send(body)
}

function sendBytes(reply: FastifyReply, result: unknown): FastifyReply {
  if (!(result instanceof BytesReply)) throw new Error('The handler gave no bytes')
  const { status, headers, content } = result
  const bytes = content instanceof Readable ? content : Readable.from(content)
  // The answer to HEAD has no bytes, and their source may be endless.
  if (reply.request.method === 'HEAD') reply.raw.once('finish', () => bytes.destroy())
  return reply
    .code(status)
    .headers(headers)
    .send(bytes.destroyed ? null : bytes)
}

/** Answers a refusal or a fault in the format of the surface; a fault is logged under the errorId in the body. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  surface: Surface,
  ports: Pick<AnyPorts, 'report' | 'isTransient' | 'checkAnswers'>,
): FastifyReply {
  const refusal = heldToContract(toRefusal(error, ports), request.exchange, ports)
  const errorId = randomUUID()
  if (!isRefusal(refusal))
    ports.report(refusal, { errorId, route: request.routeOptions.url ?? 'unknown', requestId: request.id })
  const answer = inShapeOf(surface, refusal, errorId)
  noteRefusal(request, refusalOf(refusal, errorId))
  if (answer.retryAfterS !== undefined) void reply.header('retry-after', String(answer.retryAfterS))
  if (refusal instanceof ApiError && refusal.extras.allow) void reply.header('allow', refusal.extras.allow.join(', '))
  const challenge = challengeOf(refusal, request)
  if (challenge) void reply.header('www-authenticate', challenge)
  return sendJson(reply, answer.status, JSON.stringify(answer.body), surfaceTypes[surface])
}

function refusalOf(error: unknown, errorId: string) {
  if (error instanceof ApiError) return { code: error.code }
  return isRefusal(error) ? { code: 'INVALID_JSON' } : { code: 'INTERNAL_ERROR', errorId }
}

/** Marks a refusal that the operation does not declare, so that it is logged and counted. With checked answers it becomes a fault. */
function heldToContract(
  refusal: unknown,
  exchange: Exchange | null,
  { checkAnswers }: Pick<AnyPorts, 'checkAnswers'>,
): unknown {
  if (!exchange || !(refusal instanceof ApiError)) return refusal
  const { declared } = exchange
  const answer = inShapeOf(declared.resource.surface, refusal, '')
  if (isDeclared(answer, refusal, declared)) return refusal
  exchange.undeclaredCode = refusal.code
  if (!checkAnswers) return refusal
  return new UndeclaredAnswer(
    `${declared.title} refused with ${refusal.status} ${refusal.code}, which it does not declare`,
    { cause: refusal },
  )
}

function inShapeOf(surface: Surface, error: unknown, errorId: string): ErrorAnswer {
  if (surface === 'scim') return toScimAnswer(error, errorId)
  return surface === 'booking' ? toBookingAnswer(error, errorId) : toApiAnswer(error, errorId)
}

/** Returns the challenge for a client that lacks a credential (RFC 6750). */
function challengeOf(refusal: unknown, { headers, exchange }: FastifyRequest): string | undefined {
  if (!(refusal instanceof ApiError)) return undefined
  if (refusal.code === 'AUTHENTICATION_ERROR')
    return headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
  return refusal.code === 'ACCESS_DENIED'
    ? scopeChallenge(refusal.extras.requiredPermission, exchange?.recognition.caller)
    : undefined
}

/**
 * Returns the scopes that a client should request when the person has a right and only the connection lacks it. The current scopes
 * are listed too, because the next grant replaces them.
 */
function scopeChallenge(lacking: string | undefined, caller: PipelineCaller | null | undefined): string | undefined {
  if (lacking === undefined || caller?.class !== 'oauth-token' || !caller.owned.has(lacking)) return undefined
  return `Bearer error="insufficient_scope", scope="${[lacking, ...caller.effective].join(' ')}"`
}

/** Turns temporary faults and Fastify's own refusals into refusals of the service. */
function toRefusal(error: unknown, { isTransient }: Pick<AnyPorts, 'isTransient'>): unknown {
  if (isTransient?.(error)) return new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: transientRetryAfterS })
  if (isRefusal(error) || !(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('PAYLOAD_TOO_LARGE')
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new InvalidJsonError()
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new InvalidJsonError()
  // Fastify requires a content type for a body with QUERY before it looks for an operation; no operation has that method.
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
    return new ApiError('NOT_FOUND', { message: 'There is nothing at this path' })
  return error
}
