import { describe, expect, it } from 'vitest'
import { addHealthRoutes } from './health.ts'
import type { HealthOptions, HealthRouteHost } from './health.ts'
import { createMetrics } from './metrics.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  body: unknown
}

function serve(options: Omit<HealthOptions, 'metrics'>): (path: string) => Promise<Answer> {
  const routes = new Map<string, Parameters<HealthRouteHost['get']>[1]>()
  addHealthRoutes(
    { get: (path, handler) => routes.set(path, handler), addHook: () => undefined },
    { ...options, metrics: createMetrics('test') },
  )
  return async (path) => {
    const answer: Answer = { status: 200, headers: {}, body: undefined }
    const reply = {
      code: (status: number) => ((answer.status = status), reply),
      header: (name: string, value: string) => ((answer.headers[name] = value), reply),
      send: (body: unknown) => (answer.body = body),
    }
    await routes.get(path)?.(undefined, reply)
    return answer
  }
}

const reachable = async () => undefined
const unreachable = async () => Promise.reject(new Error('connection refused'))

describe('addHealthRoutes', () => {
  it('is ready when every dependency answers', async () => {
    expect(await serve({ ready: { database: reachable } })('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok' } },
    })
  })

  it('names the dependency that is down', async () => {
    expect(await serve({ ready: { database: unreachable, redis: reachable } })('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'down', redis: 'ok' } },
    })
  })

  it('does not wait for a dependency that hangs', async () => {
    const hanging = () => new Promise<void>(() => undefined)
    expect(await serve({ ready: { database: hanging }, timeoutMs: 10 })('/readyz')).toMatchObject({ status: 503 })
  })

  it('is alive without its dependencies', async () => {
    expect(await serve({ ready: { database: unreachable } })('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
  })

  it('shows its metrics in the Prometheus format', async () => {
    const { body, headers } = await serve({ ready: {} })('/metrics')
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain('process_cpu_seconds_total{service="test"}')
  })
})
