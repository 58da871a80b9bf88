// This file holds the protocol as its own SDK speaks it. Nothing else in the gateway imports the SDK.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  isJSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import {
  protocolVersion,
  RpcError,
  rpcErrors,
  type Json,
  type JsonStream,
  type Methods,
  type RpcRequest,
  type ServerDescription,
} from './protocol.ts'

/** Answers many requests at once, each with the methods of its own sender. */
export interface McpServer {
  /**
   * The result of a request as JSON.
   *
   * @throws {RpcError} the refusal
   */
  answer(request: RpcRequest, methods: Methods): Promise<Json | JsonStream>
}

/** A running request. Its result is kept here as JSON, because the SDK would parse and serialise it again. */
interface Underway {
  readonly methods: Methods
  readonly resolve: (result: Json | JsonStream) => void
  readonly reject: (error: unknown) => void
  result?: Json | JsonStream
  refusal?: unknown
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Clients that send their version and nothing else have always been answered. */
const initializeSchema = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({ protocolVersion: z.string() }),
})

/** The error messages for invalid parameters, for each method that takes any. */
const invalidParams: Readonly<Record<string, string>> = {
  initialize: 'protocolVersion must be text',
  'tools/call': 'name must be text and arguments an object',
  'resources/read': 'uri must be text',
}

const capabilities = { tools: {}, resources: {} }

/** Starts the only server of the process. */
export function startMcpServer({ instructions, ...serverInfo }: ServerDescription): McpServer {
  const transport = new SharedTransport()
  const server = new Server(serverInfo, { capabilities })
  server.setRequestHandler(initializeSchema, () => ({ protocolVersion, capabilities, serverInfo, instructions }))
  server.setRequestHandler(ListToolsRequestSchema, async (_request, extra) => {
    await transport.keep(extra, (methods) => methods.listTools())
    return { tools: [] }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }, extra) => {
    await transport.keep(extra, (methods) => methods.callTool({ name, arguments: args }))
    return { content: [] }
  })
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, extra) => {
    await transport.keep(extra, (methods) => methods.listResources())
    return { resources: [] }
  })
  // The capability for resources implies it.
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async (_request, extra) => {
    await transport.keep(extra, async (methods) => {
      await methods.checkCredential()
      return '{"resourceTemplates":[]}'
    })
    return { resourceTemplates: [] }
  })
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    await transport.keep(extra, (methods) => methods.readResource({ uri }))
    return { contents: [] }
  })
  const connected = server.connect(transport)
  return { answer: async (request, methods) => (await connected, transport.answer(request, methods)) }
}

/** Carries the requests of many senders to one server. Each request gets an id of its own, and the answer is routed by it. */
class SharedTransport implements Transport {
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  onclose?: () => void
  /** Bounded: requests that are answered now. */
  readonly #underway = new Map<number, Underway>()
  #lastId = 0

  async answer({ method, params }: RpcRequest, methods: Methods): Promise<Json | JsonStream> {
    const id = ++this.#lastId
    try {
      return await new Promise<Json | JsonStream>((resolve, reject) => {
        const message = { jsonrpc: '2.0' as const, id, method, params }
        // The SDK drops what it does not take for a request, and answers nothing.
        if (!isJSONRPCRequest(message)) throw new ProtocolRefusal(rpcErrors.invalidParams)
        this.#underway.set(id, { methods, resolve, reject })
        this.onmessage?.(message)
      })
    } catch (error) {
      if (!(error instanceof ProtocolRefusal)) throw error
      // A sender without a credential does not learn what is wrong.
      if (method !== 'initialize') await methods.checkCredential()
      throw error.code === rpcErrors.unknownMethod
        ? new RpcError(rpcErrors.unknownMethod, `There is no method ${method}`)
        : new RpcError(rpcErrors.invalidParams, invalidParams[method] ?? 'The parameters do not fit the method')
    } finally {
      this.#underway.delete(id)
    }
  }

  /** Does the work of a request and keeps its outcome unchanged. */
  async keep({ requestId }: Extra, work: (methods: Methods) => Promise<Json | JsonStream>): Promise<void> {
    const underway = this.#underway.get(requestId as number) as Underway
    try {
      underway.result = await work(underway.methods)
    } catch (error) {
      underway.refusal = error
      throw error
    }
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const underway = 'id' in message ? this.#underway.get(message.id as number) : undefined
    if (!underway) return
    if ('error' in message) underway.reject(underway.refusal ?? new ProtocolRefusal(message.error.code))
    else if ('result' in message) underway.resolve(underway.result ?? JSON.stringify(message.result))
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
