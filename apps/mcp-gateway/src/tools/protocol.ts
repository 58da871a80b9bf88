/** The version that this server speaks with a handshake, whatever version a client asks for (docs/guide/tools.md). */
export const handshakeVersion = '2025-06-18'

/** The version that it speaks without a handshake, to clients that name it in each request. */
export const statelessVersion = '2026-07-28'

export type Revision = typeof handshakeVersion | typeof statelessVersion

/** Every version that was released; a client may name any of them after the handshake. */
export const releasedVersions: readonly string[] = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  statelessVersion,
]

export const rpcErrors = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  unauthorized: -32001,
  unknownResource: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
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

/** A request of JSON-RPC 2.0. */
export interface RpcRequest {
  readonly id: string | number
  readonly method: string
  readonly params: Members
}

export type Members = Readonly<Record<string, unknown>>

export type Message =
  | { readonly kind: 'request'; readonly request: RpcRequest; readonly needsCredential: boolean }
  /** A notification, or an answer to a question that this server never asks. */
  | { readonly kind: 'notification' }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Determines the kind of a message; only the handshake and `ping` need no credential. */
export function readMessage(body: unknown): Message {
  if (Array.isArray(body)) return invalid('Batches are not supported')
  if (!isMembers(body) || body['jsonrpc'] !== '2.0') return notAMessage
  const { id, method, params } = body
  if (method === undefined)
    return isId(id) && ('result' in body || isMembers(body['error'])) ? { kind: 'notification' } : notAMessage
  if (typeof method !== 'string' || !(params === undefined || params === null || isMembers(params))) return notAMessage
  if (!('id' in body)) return { kind: 'notification' }
  if (!isId(id)) return notAMessage
  return {
    kind: 'request',
    request: { id, method, params: withoutNulls(params ?? {}) },
    needsCredential: method !== 'initialize' && method !== 'ping',
  }
}

/** Clients of many languages write null for what is absent: params itself, their members, and the members of `_meta`. */
function withoutNulls(params: Members): Members {
  const present = presentIn(params)
  const { [metaMember]: meta } = present
  return isMembers(meta) ? { ...present, [metaMember]: presentIn(meta) } : present
}

export const metaMember = '_meta'

function presentIn(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

const invalid = (reason: string): Message => ({ kind: 'invalid', reason })
const notAMessage = invalid('The body is not a JSON-RPC 2.0 message')

/** Whether an id can be returned unchanged: a larger number would lose digits. */
export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

export function isMembers(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** JSON as text, or in UTF-8 when it is cached for many answers. */
export type Json = string | Buffer

/** Streamed JSON, in pieces of text. */
export type JsonStream = AsyncGenerator<string, void, undefined>

/** The functions behind the methods; each returns its result as JSON, so that nothing is serialised twice. */
export interface Methods {
  listTools(): Promise<Json>
  /** An object is the question that a call waits for; the protocol writes it. */
  callTool(params: { readonly name: string; readonly arguments: Members }): Promise<string | JsonStream | Question>
  listResources(): Promise<string>
  readResource(params: { readonly uri: string }): Promise<string>
  /** Rejects when the credential is not valid; asked before an unusable request is explained to its sender. */
  checkCredential(): Promise<void>
}

/** A result that asks the client for something before the call is made. */
export interface Question {
  readonly resultType: 'input_required'
  readonly inputRequests: Members
  readonly requestState: string
}

export interface ServerDescription {
  readonly name: string
  readonly title: string
  readonly version: string
  /** Advice to a model about all tools together. */
  readonly instructions: string
}
