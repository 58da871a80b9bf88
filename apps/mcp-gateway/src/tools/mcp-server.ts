// This file holds the protocol as its own SDK speaks it. Nothing else in the gateway imports the SDK.
import {
  isJSONRPCRequest,
  PerRequestHTTPServerTransport,
  Server,
  type InputRequiredResult,
  type JSONRPCMessage,
  type MessageClassification,
  type MessageExtraInfo,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { HttpRefusal } from './refusal.ts'
import {
  handshakeVersion,
  RpcError,
  rpcErrors,
  statelessVersion,
  type Json,
  type JsonStream,
  type Members,
  type Methods,
  type Question,
  type Revision,
  type RpcRequest,
  type ServerDescription,
} from './protocol.ts'

/** Answers many requests at once, each with the methods of its own sender. */
export interface McpServer {
  /**
   * The result of a request as JSON, by the rules of a revision.
   *
   * @throws {RpcError} the refusal
   */
  answer(request: RpcRequest, methods: Methods, revision: Revision): Promise<Json | JsonStream>
}

/** A running request. Its result is kept here as JSON, because the SDK would parse and serialise it again. */
interface Underway {
  readonly methods: Methods
  readonly resolve: (result: Json | JsonStream) => void
  readonly reject: (error: unknown) => void
  result?: Json | JsonStream
  refusal?: unknown
}

/** The error messages for invalid parameters, for each method that takes any. */
const invalidParams: Readonly<Record<string, string>> = {
  initialize: 'protocolVersion must be text',
  'tools/call': 'name must be text and arguments an object',
  'resources/read': 'uri must be text',
}

const capabilities = { tools: {}, resources: {} }
/** What a list holds depends on the rights of its reader, which can change at any time. */
const kept = { ttlMs: 60_000, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': kept,
  'tools/list': kept,
  'resources/list': kept,
  'resources/templates/list': kept,
  'resources/read': kept,
}

const anyParams = z.looseObject({})
/** Clients that send their version and nothing else have always been answered. */
const initializeParams = z.looseObject({ protocolVersion: z.string() })
const callParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })
const readParams = z.looseObject({ uri: z.string() })

/** Starts the only servers of the process, one for each revision. */
export function startMcpServer(description: ServerDescription): McpServer {
  const servers: Readonly<Record<Revision, Answering>> = {
    [handshakeVersion]: start(new SharedTransport(), description),
    [statelessVersion]: start(new StatelessTransport(), description),
  }
  return { answer: async (request, methods, revision) => (await servers[revision]).answer(request, methods) }
}

type Answering = Promise<Exchange>

async function start(transport: Transport & Carrying, description: ServerDescription): Answering {
  const { instructions, ...serverInfo } = description
  const { exchange } = transport
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    cacheHints,
    supportedProtocolVersions: [handshakeVersion, statelessVersion],
  })
  server.setRequestHandler('initialize', { params: initializeParams }, () => ({
    protocolVersion: handshakeVersion,
    capabilities,
    serverInfo,
    instructions,
  }))
  server.setRequestHandler('server/discover', { params: anyParams }, async (_params, context) => {
    await exchange.check(context)
    return { supportedVersions: [statelessVersion], capabilities, instructions }
  })
  server.setRequestHandler('tools/list', { params: anyParams }, async (_params, context) => {
    await exchange.keep(context, (methods) => methods.listTools())
    return { tools: [] }
  })
  server.setRequestHandler('tools/call', { params: callParams }, async ({ name, arguments: args }, context) => {
    const question = await exchange.keep(context, (methods) => methods.callTool({ name, arguments: args }))
    return (question as InputRequiredResult | undefined) ?? { content: [] }
  })
  server.setRequestHandler('resources/list', { params: anyParams }, async (_params, context) => {
    await exchange.keep(context, (methods) => methods.listResources())
    return { resources: [] }
  })
  // The capability for resources implies it.
  server.setRequestHandler('resources/templates/list', { params: anyParams }, async (_params, context) => {
    await exchange.check(context)
    return { resourceTemplates: [] }
  })
  server.setRequestHandler('resources/read', { params: readParams }, async ({ uri }, context) => {
    await exchange.keep(context, (methods) => methods.readResource({ uri }))
    return { contents: [] }
  })
  await server.connect(transport)
  return exchange
}

interface Carrying {
  readonly exchange: Exchange
}

/** The requests of many senders to one server. Each gets an id of its own, and the answer is routed by it. */
class Exchange {
  /** Bounded: requests that are answered now. */
  readonly #underway = new Map<number, Underway>()
  #lastId = 0
  readonly #deliver: (message: JSONRPCMessage) => void
  readonly #besides: (result: object) => string

  readonly #revision: Revision

  /** `besides` returns the members that a revision puts beside the kept result of a method, as JSON without braces. */
  constructor(revision: Revision, deliver: (message: JSONRPCMessage) => void, besides: (result: object) => string) {
    this.#revision = revision
    this.#deliver = deliver
    this.#besides = besides
  }

  async answer({ method, params }: RpcRequest, methods: Methods): Promise<Json | JsonStream> {
    const id = ++this.#lastId
    try {
      return await new Promise<Json | JsonStream>((resolve, reject) => {
        const message = { jsonrpc: '2.0' as const, id, method, params }
        // The SDK drops what it does not take for a request, and answers nothing.
        if (!isJSONRPCRequest(message)) throw new ProtocolRefusal(rpcErrors.invalidParams)
        this.#underway.set(id, { methods, resolve, reject })
        this.#deliver(message)
      })
    } catch (error) {
      if (!(error instanceof ProtocolRefusal)) throw error
      // A sender without a credential does not learn what is wrong.
      if (method !== 'initialize') await methods.checkCredential()
      throw error.code === rpcErrors.unknownMethod
        ? this.#refuse(404, rpcErrors.unknownMethod, `There is no method ${method}`)
        : this.#refuse(400, rpcErrors.invalidParams, invalidParams[method] ?? 'The parameters do not fit the method')
    } finally {
      this.#underway.delete(id)
    }
  }

  /** Without a handshake, the status of HTTP says what the protocol refuses. */
  #refuse(status: number, code: number, message: string): RpcError {
    return this.#revision === statelessVersion ? new HttpRefusal(status, code, message) : new RpcError(code, message)
  }

  /** Does the work of a request and keeps its outcome unchanged; a question is returned, because the protocol writes it. */
  async keep(
    context: ServerContext,
    work: (methods: Methods) => Promise<Json | JsonStream | Question>,
  ): Promise<Question | undefined> {
    let question: Question | undefined
    await this.#work(context, async (underway) => {
      const outcome = await work(underway.methods)
      if (typeof outcome === 'object' && 'resultType' in outcome) question = outcome
      else underway.result = outcome
    })
    return question
  }

  /** Checks the credential of a request whose result the SDK writes. */
  check(context: ServerContext): Promise<void> {
    return this.#work(context, ({ methods }) => methods.checkCredential())
  }

  /** Works on a request; a refusal is kept as it is. */
  async #work({ mcpReq }: ServerContext, work: (underway: Underway) => Promise<void>): Promise<void> {
    const underway = this.#underway.get(mcpReq.id as number) as Underway
    try {
      await work(underway)
    } catch (error) {
      underway.refusal = error
      throw error
    }
  }

  take(message: JSONRPCMessage): void {
    const underway = 'id' in message ? this.#underway.get(message.id as number) : undefined
    if (!underway) return
    if ('error' in message) underway.reject(underway.refusal ?? new ProtocolRefusal(message.error.code))
    else if ('result' in message) {
      const { result } = underway
      underway.resolve(
        result === undefined ? JSON.stringify(message.result) : withMembers(result, this.#besides(message.result)),
      )
    }
  }
}

/** Returns a JSON object with further members behind its own: programs that take the first text of a result for the answer find it. */
function withMembers(result: Json | JsonStream, members: string): Json | JsonStream {
  if (members === '') return result
  const tail = `,${members}}`
  if (typeof result === 'string') return result.slice(0, -1) + tail
  return Buffer.isBuffer(result) ? joined(result, tail) : streamed(result, tail)
}

/** A long list is cached, and so is its form with further members: a copy for each answer would keep the garbage collector busy. */
const joinedLists = new WeakMap<Buffer, { readonly tail: string; readonly whole: Buffer }>()

function joined(list: Buffer, tail: string): Buffer {
  const known = joinedLists.get(list)
  if (known?.tail === tail) return known.whole
  const whole = Buffer.concat([list.subarray(0, -1), Buffer.from(tail)])
  joinedLists.set(list, { tail, whole })
  return whole
}

async function* streamed(result: JsonStream, tail: string): JsonStream {
  let last = ''
  for await (const piece of result) {
    if (last !== '') yield last
    last = piece
  }
  yield last.slice(0, -1) + tail
}

/** Carries the requests of clients that begin with a handshake. */
class SharedTransport implements Transport, Carrying {
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  onclose?: () => void
  readonly exchange = new Exchange(
    handshakeVersion,
    (message) => this.onmessage?.(message),
    () => '',
  )

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.exchange.take(message)
  }
}

const classification: MessageClassification = { era: 'modern', revision: statelessVersion }

/** Carries the requests of clients that say in each request what they are; a server that is connected to it serves their revision alone. */
class StatelessTransport extends PerRequestHTTPServerTransport implements Carrying {
  readonly exchange = new Exchange(
    statelessVersion,
    (message) => this.onmessage?.(message, { classification }),
    (result) => {
      const {
        tools: _tools,
        content: _content,
        resources: _resources,
        contents: _contents,
        ...besides
      } = result as Members
      return JSON.stringify(besides).slice(1, -1)
    },
  )

  constructor() {
    super({ classification })
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    this.exchange.take(message)
  }
}

/** A refusal by the SDK itself: the method is unknown, or the parameters do not fit. */
class ProtocolRefusal extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The protocol refuses with ${String(code)}`)
    this.code = code
  }
}
