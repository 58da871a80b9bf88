import { plainAddress } from '@crm/runtime'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

// Headers of one connection only (RFC 9110, 7.6.1); this server has answered `expect` already.
const ofOneConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'])
// Headers that only proxies and the deployables themselves may set.
const saidByClient = new Set(['forwarded', 'x-real-ip', 'x-crm-source'])
const framesBodyWhenAbsent = new Set(['POST', 'PUT', 'PATCH'])

/** Whether an address belongs to a proxy whose forwarding headers are trusted. */
export type IsTrusted = (address: string | undefined) => boolean

/**
 * Returns the headers for a deployable, as name, value, name, value: the client's own in their order, without those of the
 * connection and without claims about proxies, and then the edge's own.
 */
export function forwardedHeaders(
  { rawHeaders, headers, method = 'GET' }: IncomingMessage,
  isUpgrade: boolean,
  client: Client,
  traceparent?: string,
): string[] {
  const forwarded: string[] = traceparent === undefined ? [] : ['traceparent', traceparent]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const lowerCased = name.toLowerCase()
    if (lowerCased === 'host' && client.host !== undefined) {
      forwarded.push(name, client.host)
      continue
    }
    if (lowerCased === 'traceparent' && traceparent !== undefined) continue
    if (lowerCased.startsWith('x-forwarded-') || saidByClient.has(lowerCased) || ofOneConnection.has(lowerCased))
      continue
    forwarded.push(name, rawHeaders[at + 1]!)
  }
  if (isUpgrade) forwarded.push('connection', 'upgrade', 'upgrade', headers.upgrade ?? '')
  // Otherwise Node would announce a chunked body that the client has not sent.
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!isFramed && framesBodyWhenAbsent.has(method)) forwarded.push('content-length', '0')
  forwarded.push('x-forwarded-for', client.address, 'x-forwarded-proto', client.protocol)
  if (client.isHidden) forwarded.push(untrustedHeader, '1')
  const host = client.host ?? headers.host
  if (host !== undefined) forwarded.push('x-forwarded-host', host)
  return forwarded
}

/** The header for browsers that use https: they never use http again. */
export const strictTransport = 'max-age=31536000'
const strictTransportHeader = 'strict-transport-security'

/** Returns the headers of an answer without connection and framing headers, and with the edge's own. */
export function endToEndHeaders(rawHeaders: readonly string[], { protocol }: Pick<Client, 'protocol'>): string[] {
  const kept: string[] = []
  let isStrict = false
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const lowerCased = name.toLowerCase()
    if (ofOneConnection.has(lowerCased) || lowerCased === 'transfer-encoding') continue
    isStrict ||= lowerCased === strictTransportHeader
    kept.push(name, rawHeaders[at + 1]!)
  }
  if (protocol === 'https' && !isStrict) kept.push(strictTransportHeader, strictTransport)
  return kept
}

/** The header of a request from an untrusted proxy, whose clients cannot be told apart. */
const untrustedHeader = 'x-forwarded-untrusted'

/** The client of a request. */
export interface Client {
  readonly address: string
  readonly protocol: 'http' | 'https'
  /** The host that the client asked for, where a trusted proxy asks for another one. */
  readonly host?: string | undefined
  readonly isHidden: boolean
}

/** A host name or address with or without a port, as in a Host header. */
const hostShape = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/

/** Returns the client of a request: the last address on its way that is not a trusted proxy. */
export function clientOf({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): Client {
  const here = plainAddress(socket.remoteAddress ?? '')
  const claimed = headers['x-forwarded-for']
  if (!isTrusted(here)) return { address: here, protocol: 'http', isHidden: claimed !== undefined }
  const way = [
    ...String(claimed ?? '')
      .split(',')
      .map((address) => address.trim())
      .filter((address) => isIP(address) !== 0),
    here,
  ]
  const address = way.findLast((stop) => !isTrusted(stop)) ?? way[0] ?? here
  return {
    address: plainAddress(address),
    protocol: headers['x-forwarded-proto'] === 'https' ? 'https' : 'http',
    host: hostOf(headers['x-forwarded-host']),
    isHidden: false,
  }
}

function hostOf(claimed: string | string[] | undefined): string | undefined {
  return typeof claimed === 'string' && hostShape.test(claimed) ? claimed : undefined
}
