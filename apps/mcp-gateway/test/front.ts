import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterThisFile } from '@crm/testkit'

interface FrontOptions {
  /** Returns the address that a request goes to. */
  targetOf(path: string): string
  readonly headersOf?: (request: IncomingMessage) => NodeJS.Dict<string | string[]>
  /** The port; 0 or absent for any free one. */
  readonly port?: number
}

/** Starts a small proxy, which ends with the test file, and returns its address. */
export async function startFront({
  targetOf,
  headersOf = ({ headers }) => headers,
  port = 0,
}: FrontOptions): Promise<string> {
  const front = createServer((request, response) => {
    const { hostname, port: to } = new URL(targetOf(request.url ?? '/'))
    const upstream = sendRequest(
      { hostname, port: to, method: request.method, path: request.url, headers: headersOf(request) },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      },
    )
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  })
  front.listen(port, '127.0.0.1')
  await once(front, 'listening')
  afterThisFile(() => {
    front.closeAllConnections()
    front.close()
  })
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}
