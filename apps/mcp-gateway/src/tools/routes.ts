import { isUnavailable } from '@crm/db/unavailable'
import { InvalidJsonError } from '@crm/errors'
import { bodyBytesOf, isCoded, noteCaller, noteRefusal, smallBodyBytesMax } from '@crm/http'
import { productVersion } from '@crm/runtime'
import { coreMode } from '@crm/tools'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { ToolDeps } from './deps.ts'
import { resourceMetadataUrl, resourcePath } from '../discovery/metadata.ts'
import { requireWorkspace } from '../discovery/routes.ts'
import { callTool } from './call.ts'
import { readEffective, type Recognised } from './credential.ts'
import type { CallerHead } from './crm-api.ts'
import { readElicitation } from './elicitation.ts'
import { createToolList } from './list.ts'
import { startMcpServer, type McpServer } from './mcp-server.ts'
import { readNarrowing, UnknownNarrowing, type Narrowing } from './narrowing.ts'
import {
  isId,
  isMembers,
  readMessage,
  RpcError,
  rpcErrors,
  type Json,
  type JsonStream,
  type Members,
  statelessVersion,
  type Methods,
  type Revision,
  type RpcRequest,
  type ServerDescription,
} from './protocol.ts'
import { isRebound } from './rebinding.ts'
import { HttpRefusal, httpRefusalOf, outOfService, unauthorized } from './refusal.ts'
import { readResource, resourceList } from './resources.ts'
import { disagreementIn, isUnknownVersion, revisionOf } from './revision.ts'

const description: ServerDescription = {
  name: 'workspace-crm',
  title: 'Workspace CRM',
  version: productVersion,
  instructions:
    'The records of one CRM workspace: leads, deals, contacts, companies and more. Use search to find records of any kind and fetch to read one in full. ' +
    'Ids are UUIDs, times ISO 8601 in UTC, dates YYYY-MM-DD, amounts decimal text. An object without named members may be sent as JSON text. A refused call says why; an issue names the argument that is wrong.',
}

/** Adds the endpoint that speaks JSON-RPC over POST (docs/guide/tools.md). */
export function addToolRoutes(app: FastifyInstance, deps: ToolDeps): void {
  const { catalogue } = deps
  const core = coreMode(catalogue.tools)
  const listTools = createToolList(catalogue, core)
  const server = startMcpServer(description)

  app.post(resourcePath, { onRequest: checkLarge, errorHandler: answerUnreadable }, async (request, reply) => {
    const { host, origin } = request.headers
    if (origin !== undefined && (await isRebound({ host, origin }, deps))) {
      return sendRefusal(
        reply,
        null,
        new HttpRefusal(403, rpcErrors.invalidRequest, 'This address belongs to no workspace'),
      )
    }
    if (isUnknownVersion(request.headers, request.body)) {
      const version = String(request.headers['mcp-protocol-version'])
      return sendRefusal(reply, null, invalid(`The protocol version ${version} is not supported`))
    }
    if (request.body === undefined) throw new InvalidJsonError()
    const message = readMessage(request.body)
    if (message.kind === 'invalid') return sendRefusal(reply, idOf(request.body), invalid(message.reason))
    const revision = revisionOf(request.headers, request.body)
    const methods = methodsFor(request, reply, revision)
    if (message.kind === 'notification') return accept(reply, methods)
    if (revision === statelessVersion)
      return answer(reply, withoutHandshake(server, request, message.request, methods), message.request.id)
    if (!message.needsCredential) await requireWorkspace(deps, host)
    return answer(reply, server.answer(message.request, methods, revision), message.request.id)
  })

  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: resourcePath,
    // The body makes no difference, so it is not read.
    onRequest: refuseMethod,
    handler: refuseMethod,
  })

  /**
   * Without a credential nobody may send a large body. Whether the credential is valid is checked with the call, which
   * it counts for.
   */
  function checkLarge(request: FastifyRequest, reply: FastifyReply, next: () => void): void | Promise<void> {
    if (isCoded(request)) return void sendRefusal(reply.header('accept-encoding', 'identity'), null, packed)
    if (bodyBytesOf(request) <= smallBodyBytesMax || request.headers.authorization !== undefined) return next()
    return orRefuse(reply, () => refuseNobody(request))
  }

  /** Refuses a request without a credential, and says where a client gets one. */
  async function refuseNobody(request: FastifyRequest): Promise<never> {
    throw unauthorized(resourceMetadataUrl(await requireWorkspace(deps, request.headers.host), request.url), {
      wasShown: false,
    })
  }

  const count = deps.metrics.counter('crm_tool_calls_total', 'Tool calls by outcome.')

  function methodsFor(request: FastifyRequest, reply: FastifyReply, revision: Revision): Methods {
    const workspace = lazily(() => requireWorkspace(deps, request.headers.host))
    const metadataUrl = async () => resourceMetadataUrl(await workspace(), request.url)
    const onRecognised = ({ workspace: place, caller }: Recognised): void =>
      noteCaller(request, { workspaceId: place?.id, actorType: caller?.class, actorId: caller?.employee.id })
    const check = async () => ({
      ...deps,
      head: headOf(request) ?? (await refuseNobody(request)),
      metadataUrl,
      onRecognised,
    })
    const checkCredential = async () => void (await readEffective(await check()))
    return {
      checkCredential,
      listTools: async () => {
        const effective = await readEffective(await check())
        return listTools(effective, await narrowingOf(request, catalogue, async () => undefined))
      },
      callTool: async (params) =>
        callTool(params, {
          ...(await check()),
          core,
          narrowing: await narrowingOf(request, catalogue, checkCredential),
          workspace,
          revision,
          elicitation: readElicitation(paramsOf(request.body)),
          setHeader: (name, value) => void reply.header(name, value),
          count,
        }),
      listResources: async () => (await checkCredential(), resourceList),
      readResource: async ({ uri }) => {
        const asked = await check()
        await readEffective(asked)
        return readResource(uri, { ...asked, revision, baseUrl: (await workspace()).baseUrl })
      },
    }
  }
}

/** Returns the parameters of a body as they came. */
function paramsOf(body: unknown): Members {
  const params = isMembers(body) ? body['params'] : undefined
  return isMembers(params) ? params : {}
}

/** Answers a request that names its revision itself. */
async function withoutHandshake(
  server: McpServer,
  { headers }: FastifyRequest,
  request: RpcRequest,
  methods: Methods,
): Promise<Json | JsonStream> {
  const refusal = disagreementIn(headers, request)
  if (!refusal) return server.answer(request, methods, statelessVersion)
  await methods.checkCredential()
  throw refusal
}

/** Reads how the list of tools is narrowed; refuses an unknown mode or toolset, to a sender with a valid credential. */
async function narrowingOf(
  { query }: FastifyRequest,
  { tools }: ToolDeps['catalogue'],
  checkCredential: () => Promise<unknown>,
): Promise<Narrowing> {
  try {
    return readNarrowing(query as Readonly<Record<string, unknown>>, tools)
  } catch (error) {
    if (!(error instanceof UnknownNarrowing)) throw error
    await checkCredential()
    throw new RpcError(rpcErrors.invalidParams, error.message)
  }
}

/** Answers a request. A refusal may decide the HTTP status too; any other error is told only to the log. */
async function answer(
  reply: FastifyReply,
  answering: Promise<Json | JsonStream>,
  id: RpcRequest['id'],
): Promise<FastifyReply> {
  try {
    const result = await answering
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
    if (typeof result === 'string') return sendJson(reply, 200, `${head}${result}}`)
    return Buffer.isBuffer(result)
      ? sendParts(reply, [Buffer.from(head), result, closing])
      : sendStream(reply, head, result)
  } catch (error) {
    const refusal = httpRefusalOf(error)
    if (refusal) return sendRefusal(reply, id, refusal)
    if (error instanceof RpcError) return sendRefusal(reply, id, error, 200)
    throw error
  }
}

const packed = new HttpRefusal(415, rpcErrors.invalidRequest, 'The body is packed; send it without Content-Encoding')

const closing = Buffer.from('}')

/** A notification needs no answer, but it does need a valid credential. */
async function accept(reply: FastifyReply, methods: Methods): Promise<FastifyReply> {
  await orRefuse(reply, async () => {
    await methods.checkCredential()
    await reply.code(202).send()
  })
  return reply
}

/** Does work that may be refused, when there is no request to name in the answer. */
async function orRefuse(reply: FastifyReply, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const refusal = httpRefusalOf(error)
    if (!refusal) throw error
    sendRefusal(reply, null, refusal)
  }
}

/** Returns the parts that go on to the API; null when the request shows no credential. */
function headOf(request: FastifyRequest): CallerHead | null {
  const { authorization, host = '' } = request.headers
  return authorization === undefined ? null : { host, authorization, address: request.ip, requestId: request.id }
}

async function refuseMethod(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  noteRefusal(request, { code: 'METHOD_NOT_ALLOWED' })
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ error: 'Method not allowed; this server speaks JSON-RPC over POST' })
}

/** An unreadable body is refused in the words of JSON-RPC too. */
function answerUnreadable(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return void sendRefusal(reply, null, new HttpRefusal(413, rpcErrors.invalidRequest, 'The body is too large'))
  if (isUnavailable(error)) return void sendRefusal(reply, null, outOfService())
  if (!(error instanceof InvalidJsonError) && !code.startsWith('FST_ERR_CTP_')) throw error
  void sendRefusal(reply, null, new RpcError(rpcErrors.parse, 'The body is not JSON'))
}

function invalid(reason: string): RpcError {
  return new RpcError(rpcErrors.invalidRequest, reason)
}

function idOf(body: unknown): string | number | null {
  const id = body !== null && typeof body === 'object' && 'id' in body ? body.id : null
  return isId(id) ? id : null
}

function sendRefusal(
  reply: FastifyReply,
  id: string | number | null,
  refusal: RpcError,
  usualStatus = 400,
): FastifyReply {
  const { code, message, data } = refusal
  noteRefusal(reply.request, { code: codeOf(refusal) })
  const status = refusal instanceof HttpRefusal ? refusal.status : usualStatus
  const headers = refusal instanceof HttpRefusal ? refusal.headers : {}
  return sendJson(
    reply.headers(headers),
    status,
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }),
  )
}

/** Returns the code of the API where a refusal has one, and the name of its error in JSON-RPC otherwise, such as INVALID_PARAMS. */
function codeOf({ code, data }: RpcError): string {
  const given = data !== null && typeof data === 'object' && 'code' in data ? data.code : undefined
  if (typeof given === 'string') return given
  const [name = 'rpcError'] = Object.entries(rpcErrors).find(([, known]) => known === code) ?? []
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', jsonType).send(body)
}

/** Sends cached buffers as they lie in memory; a copy for each answer would keep the garbage collector busy. */
function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0)
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': jsonType,
    'content-length': length,
  })
  raw.cork()
  for (const part of parts) raw.write(part)
  raw.uncork()
  raw.end()
  return reply
}

/**
 * Sends a streamed answer as it comes. A missing remainder cuts the connection: half of an answer must not pass for a
 * whole one.
 */
function sendStream(reply: FastifyReply, head: string, result: JsonStream): FastifyReply {
  const pieces = async function* (): JsonStream {
    yield head
    yield* result
    yield '}'
  }
  return reply
    .code(200)
    .header('content-type', jsonType)
    .send(Readable.from(pieces(), { highWaterMark: 1 }))
}

const jsonType = 'application/json; charset=utf-8'

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
