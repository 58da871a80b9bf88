import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The answer besides the status. */
export interface BrokenRequestAnswer {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Words the answer to a broken request: its text, the requested path, as far as it is known, and its status. */
export type WordBrokenRequest = (text: string, path: string | undefined, status: number) => BrokenRequestAnswer

/** The error as Node gives it; the types of Fastify declare less. */
type BrokenRequest = Error & { readonly code?: string; readonly rawPacket?: unknown }

/** Makes the answer to an invalid HTTP request, or to one with too much before its body; for the event `clientError`. */
export function brokenRequestsAs(word: WordBrokenRequest): (error: Error, socket: Socket) => void {
  return (error: BrokenRequest, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const [status, text] = brokenRequests[error.code ?? ''] ?? ['400 Bad Request', 'Bad request']
    const { body, headers = {} } = word(text, pathIn(error.rawPacket), Number.parseInt(status, 10))
    const written = JSON.stringify(body)
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(written)}\r\n${more.join('')}connection: close\r\n\r\n${written}`,
    )
  }
}

/** Words errors like every API except the booking API (docs/guide/errors.md). */
export function wordInUsualShape(text: string): BrokenRequestAnswer {
  return { body: { error: text } }
}

/** Lets a server accept requests with an unknown expectation, which Node answers with a bare 417. */
export function ignoreUnknownExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
}

/** Whether a request names its host twice, so that two servers could take it for two workspaces (RFC 9112, section 3.2). */
export function hasTwoHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

const brokenRequests: Readonly<Record<string, readonly [status: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request timeout'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Headers too large'],
}

/** Returns the path of the packet that broke the request; it begins with the first line unless the request came in several packets. */
function pathIn(packet: unknown): string | undefined {
  return Buffer.isBuffer(packet) ? /^[A-Z-]+ (\/[^ ?#]*)/.exec(packet.toString('latin1'))?.[1] : undefined
}
