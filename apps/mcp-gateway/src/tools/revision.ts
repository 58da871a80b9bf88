import type { IncomingHttpHeaders } from 'node:http'
import { capabilitiesMember } from './elicitation.ts'
import { HttpRefusal } from './refusal.ts'
import {
  handshakeVersion,
  isMembers,
  metaMember,
  releasedVersions,
  rpcErrors,
  statelessVersion,
  type Members,
  type Revision,
} from './protocol.ts'

/** The members of `_meta` by which a request says what it is (revision 2026-07-28). */
const versionMember = 'io.modelcontextprotocol/protocolVersion'

/** The methods of the handshake, which a revision without one does not know. */
const handshakeMethods: readonly unknown[] = ['initialize', 'ping']

/** The parameter that the header Mcp-Name repeats, for each method that has one. */
const namedBy: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

/** A body as far as its revision shows: requests, notifications and anything else that is JSON. */
interface Sent {
  readonly method?: unknown
  readonly params?: unknown
}

/** Returns the revision that serves a body: the one that its `_meta` or its headers name, or else that of the handshake. */
export function revisionOf(headers: IncomingHttpHeaders, body: unknown): Revision {
  const named = isMembers(body) && metaOf(body)[versionMember] !== undefined
  return named || headerOf(headers, 'mcp-protocol-version') === statelessVersion ? statelessVersion : handshakeVersion
}

/**
 * Returns the refusal of a request of the revision without handshake whose headers and body do not agree, or that does not say what it is;
 * undefined for a request in order. It is told only to a sender with a valid credential.
 */
export function disagreementIn(headers: IncomingHttpHeaders, { method, params }: Sent): HttpRefusal | undefined {
  const meta = metaOf({ params })
  const inHeader = headerOf(headers, 'mcp-protocol-version')
  const inBody = versionIn(meta)
  if (inBody !== undefined && (inHeader === undefined ? inBody === statelessVersion : inHeader !== inBody))
    return mismatch(`The header MCP-Protocol-Version says ${inHeader ?? 'nothing'}, and _meta says ${inBody}`)
  if (inBody !== undefined && inBody !== statelessVersion) return unsupported(inBody)
  if (handshakeMethods.includes(method)) return unknownMethod(String(method))
  const missing = [versionMember, capabilitiesMember].filter((member) => !isGiven(meta, member))
  if (missing.length > 0) return invalid(`_meta needs ${missing.join(' and ')}`)
  if (headerOf(headers, 'mcp-method') !== method)
    return mismatch(
      `The header Mcp-Method says ${headerOf(headers, 'mcp-method') ?? 'nothing'}, and the body ${String(method)}`,
    )
  const name = isMembers(params) ? params[namedBy[String(method)] ?? ''] : undefined
  return typeof name === 'string' && textOf(headerOf(headers, 'mcp-name')) !== name
    ? mismatch('The header Mcp-Name and the body name different things')
    : undefined
}

/** Whether a header names a version that was never released, which no body can explain. */
export function isUnknownVersion(headers: IncomingHttpHeaders, body: unknown): boolean {
  const version = headerOf(headers, 'mcp-protocol-version')
  const isExplained = isMembers(body) && metaOf(body)[versionMember] !== undefined
  return version !== undefined && !isExplained && !releasedVersions.includes(version)
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const { [name]: value } = headers
  return typeof value === 'string' ? value.trim() : undefined
}

/** Returns the text of a header; one that is no ASCII comes in Base64. */
function textOf(value: string | undefined): string | undefined {
  const [, packed] = /^=\?base64\?(.*)\?=$/i.exec(value ?? '') ?? []
  return packed === undefined ? value : Buffer.from(packed, 'base64').toString('utf8')
}

/** Returns the version that `_meta` names, as text, whatever it is. */
function versionIn({ [versionMember]: version }: Members): string | undefined {
  return version === undefined || typeof version === 'string' ? version : JSON.stringify(version)
}

const isGiven = (meta: Members, member: string): boolean =>
  member === versionMember ? typeof meta[member] === 'string' : isMembers(meta[member])

function metaOf({ params }: Sent): Members {
  const meta = isMembers(params) ? params[metaMember] : undefined
  return isMembers(meta) ? meta : {}
}

const mismatch = (reason: string): HttpRefusal => new HttpRefusal(400, rpcErrors.headerMismatch, reason)
const invalid = (reason: string): HttpRefusal => new HttpRefusal(400, rpcErrors.invalidParams, reason)
const unknownMethod = (method: string): HttpRefusal =>
  new HttpRefusal(404, rpcErrors.unknownMethod, `There is no method ${method}`)

function unsupported(requested: string): HttpRefusal {
  return new HttpRefusal(400, rpcErrors.unsupportedVersion, `The protocol version ${requested} is not supported`, {
    data: { supported: [statelessVersion], requested },
  })
}
