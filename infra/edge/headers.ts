import type { IncomingMessage } from 'node:http'

// Headers that speak of one connection only (RFC 9110, 7.6.1); `expect` was answered by this server already.
const ofOneConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'])
// What only proxies and the deployables themselves may say.
const saidByClient = new Set(['forwarded', 'x-real-ip', 'x-crm-source'])
const framesBodyWhenAbsent = new Set(['POST', 'PUT', 'PATCH'])

/**
 * The headers that a deployable gets, as name, value, name, value: the client's own in their order, without those of the
 * connection and without claims about proxies, and then what this edge knows itself.
 */
export function forwardedHeaders(request: IncomingMessage, isUpgrade: boolean): string[] {
  const { rawHeaders, headers, socket, method = 'GET' } = request
  const forwarded: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const lowerCased = name.toLowerCase()
    if (lowerCased.startsWith('x-forwarded-') || saidByClient.has(lowerCased) || ofOneConnection.has(lowerCased)) continue
    forwarded.push(name, rawHeaders[at + 1]!)
  }
  if (isUpgrade) forwarded.push('connection', 'upgrade', 'upgrade', headers.upgrade ?? '')
  // Otherwise Node would announce a chunked body that the client has not sent.
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!isFramed && framesBodyWhenAbsent.has(method)) forwarded.push('content-length', '0')
  forwarded.push('x-forwarded-for', clientAddress(socket.remoteAddress), 'x-forwarded-proto', 'http')
  if (headers.host !== undefined) forwarded.push('x-forwarded-host', headers.host)
  return forwarded
}

/** The headers of an answer without those of the connection and of its framing. */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const lowerCased = name.toLowerCase()
    if (ofOneConnection.has(lowerCased) || lowerCased === 'transfer-encoding') continue
    kept.push(name, rawHeaders[at + 1]!)
  }
  return kept
}

/** An IPv4 client on a socket for both families has an address such as ::ffff:192.0.2.7. */
function clientAddress(remoteAddress = ''): string {
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice('::ffff:'.length) : remoteAddress
}
