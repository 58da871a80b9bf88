/**
 * The only file that knows the SDK of the protocol, so that its next generation can take its place.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema, ErrorCode, InitializeRequestSchema, isJSONRPCErrorResponse, isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResultResponse,
  ListResourcesRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema, SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolRequest, type JSONRPCMessage, type JSONRPCRequest, type ReadResourceRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'

/** The version that this server speaks, whatever version a client asks for. */
export const protocolVersion = '2025-06-18'

/** Every version that was released; a client may name any of them after the handshake. */
export const releasedVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS

export const rpcErrors = {
  parse: ErrorCode.ParseError,
  invalidRequest: ErrorCode.InvalidRequest,
  unknownMethod: ErrorCode.MethodNotFound,
  invalidParams: ErrorCode.InvalidParams,
  internal: ErrorCode.InternalError,
  unauthorized: -32001,
  unknownResource: -32002,
  forbidden: -32003,
  rateLimited: -32004,
  unavailable: -32005,
} as const

/** A refusal in the words of JSON-RPC; `data` says more to the client. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export type Message =
  | { readonly kind: 'request'; readonly request: JSONRPCRequest; readonly needsCredential: boolean }
  /** A notification, or an answer to a question that this server never asks. */
  | { readonly kind: 'notification' }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Tells what a body is; only the handshake and `ping` need no credential. */
export function readMessage(body: unknown): Message {
  if (Array.isArray(body)) return { kind: 'invalid', reason: 'Batches are not supported' }
  if (isJSONRPCRequest(body)) return { kind: 'request', request: body, needsCredential: body.method !== 'initialize' && body.method !== 'ping' }
  const isOneWay = isJSONRPCNotification(body) || isJSONRPCResultResponse(body) || isJSONRPCErrorResponse(body)
  return isOneWay ? { kind: 'notification' } : { kind: 'invalid', reason: 'The body is not a JSON-RPC 2.0 message' }
}

/** What answers the methods; each gives its result as JSON text, so that nothing is serialised twice. */
export interface Methods {
  listTools(): Promise<string>
  callTool(params: CallToolRequest['params']): Promise<string>
  listResources(): Promise<string>
  readResource(params: ReadResourceRequest['params']): Promise<string>
  /** Rejects when the credential is not valid; asked before an unusable request is explained to its sender. */
  checkCredential(): Promise<void>
}

export interface ServerDescription {
  readonly name: string
  readonly title: string
  readonly version: string
  /** What a model should know of all tools together. */
  readonly instructions: string
}

const capabilities = { tools: {}, resources: {} }
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** The answer to a request as JSON text, and the error that made it a refusal. */
export interface RequestAnswer {
  readonly json: string
  readonly error: unknown
}

/** Answers one request with a server of its own. */
export async function answerRequest(request: JSONRPCRequest, methods: Methods, description: ServerDescription): Promise<RequestAnswer> {
  const { instructions, ...serverInfo } = description
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator })
  // The SDK's own handshake would agree to any version that it knows.
  server.setRequestHandler(InitializeRequestSchema, () => ({ protocolVersion, capabilities, serverInfo, instructions }))
  let resultJson: string | null = null
  let error: unknown = null
  server.fallbackRequestHandler = async (unparsed) => {
    try {
      resultJson = await dispatch(unparsed, methods)
    } catch (reason) {
      error = reason
      throw reason
    }
    return {}
  }
  const answer = await exchange(server, request)
  return { json: resultJson === null ? JSON.stringify(answer) : `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${resultJson}}`, error }
}

async function dispatch(request: JSONRPCRequest, methods: Methods): Promise<string> {
  switch (request.method) {
    case 'tools/list':
      await usable(ListToolsRequestSchema, request, methods)
      return methods.listTools()
    case 'tools/call':
      return methods.callTool((await usable(CallToolRequestSchema, request, methods)).params)
    case 'resources/list':
      await usable(ListResourcesRequestSchema, request, methods)
      return methods.listResources()
    case 'resources/read':
      return methods.readResource((await usable(ReadResourceRequestSchema, request, methods)).params)
    default:
      await methods.checkCredential()
      throw new RpcError(rpcErrors.unknownMethod, `There is no method ${request.method}`)
  }
}

interface RequestSchema<T> {
  safeParse(request: unknown): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: Error }
}

async function usable<T>(schema: RequestSchema<T>, request: JSONRPCRequest, methods: Methods): Promise<T> {
  const result = schema.safeParse(request)
  if (result.success) return result.data
  await methods.checkCredential()
  throw new RpcError(rpcErrors.invalidParams, `The parameters of ${request.method} are not valid`, { issues: result.error.message })
}

/** Carries one request into a server and its answer out. */
async function exchange(server: Server, request: JSONRPCRequest): Promise<JSONRPCMessage> {
  const { promise: answered, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => resolve(message),
    close: async () => undefined,
  }
  await server.connect(transport)
  transport.onmessage?.(request)
  return answered
}
