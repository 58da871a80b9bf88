import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that reached the stand-in for the CRM API. */
interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface UpstreamAnswer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An HTTP server in place of the CRM API, with answers that a test sets. */
export interface Upstream {
  readonly url: string
  readonly seen: SeenRequest[]
  /** Sets the answer to `GET /api/leads`, or any other method and path. */
  answer(line: string, answer: UpstreamAnswer): void
  reset(): void
  close(): Promise<void>
}

/** Starts it; texts that begin with `sk-` count as keys. */
export async function startUpstream(): Promise<Upstream> {
  const seen: SeenRequest[] = []
  const answers = new Map<string, UpstreamAnswer>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    if (url !== '/healthz') seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    const {
      status = 200,
      body = {},
      headers: extra,
    } = answers.get(`${method} ${url.split('?', 1)[0]}`) ?? usual(url, headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...extra })
    response.end(Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (line, answer) => answers.set(line, answer),
    reset: () => {
      seen.length = 0
      answers.clear()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function usual(url: string, authorization = ''): UpstreamAnswer {
  if (url === '/healthz') return { body: { status: 'ok' } }
  if (url === '/api/openapi.json') return { body: { openapi: '3.1.0', paths: {} } }
  if (!authorization.startsWith('Bearer sk-'))
    return { status: 401, body: { error: 'A valid credential is required', code: 'AUTHENTICATION_ERROR' } }
  return { body: { success: true, data: {} } }
}
