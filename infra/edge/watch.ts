import type { Metrics } from '@crm/runtime'
import { createServer, type Server } from 'node:http'
import { listen } from './listen.ts'

export interface WatchOptions {
  readonly port: number
  readonly host: string
  readonly metrics: Metrics
  /** Aborted when the edge is asked to end. */
  readonly stopping: AbortSignal
}

/**
 * Answers `/healthz` (alive), `/readyz` (not about to end) and `/metrics` of the edge on a port of its own, because its public port shows
 * nobody what is inside.
 */
export async function serveWatch({ port, host, metrics, stopping }: WatchOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const say = (status: number, type: string, body: string): void =>
      void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const sayStatus = (isWell: boolean): void =>
      say(
        isWell ? 200 : 503,
        'application/json; charset=utf-8',
        JSON.stringify({ status: isWell ? 'ok' : 'unavailable' }),
      )
    if (request.url === '/healthz') return sayStatus(true)
    if (request.url === '/readyz') return sayStatus(!stopping.aborted)
    if (request.url !== '/metrics')
      return say(404, 'application/json; charset=utf-8', JSON.stringify({ error: 'Not found' }))
    void metrics.render().then((text) => say(200, metrics.contentType, text))
  })
  await listen(server, port, host)
  return server
}
