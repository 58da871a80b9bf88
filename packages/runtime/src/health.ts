import type { Metrics } from './metrics.ts'
import { within } from './waits.ts'

/** Resolves when a dependency is reachable and rejects when it is not. */
export type ReadyCheck = () => Promise<void>

interface HealthReply {
  code(status: number): HealthReply
  header(name: string, value: string): HealthReply
  send(body: unknown): unknown
}

/** The part of a Fastify instance that the health routes need. */
export interface HealthRouteHost {
  get(path: string, handler: (request: unknown, reply: HealthReply) => Promise<unknown>): unknown
  addHook(name: 'onRequest', hook: (request: unknown, reply: HealthReply, done: () => void) => void): unknown
}

export interface HealthOptions {
  /** Dependencies by name; `/readyz` answers 200 only when all of them answer. */
  readonly ready: Readonly<Record<string, ReadyCheck>>
  readonly metrics: Metrics
  /** Aborted when the process is asked to stop. */
  readonly stopping?: AbortSignal
  /** The longest wait for one dependency; 2000 by default. */
  readonly timeoutMs?: number
}

/** Adds `/healthz` (alive), `/readyz` (dependencies reachable, and not about to stop) and `/metrics` to a server. */
export function addHealthRoutes(
  app: HealthRouteHost,
  { ready, metrics, stopping, timeoutMs = 2_000 }: HealthOptions,
): void {
  // A client with kept connections then sends its next request to a process that stays.
  app.addHook('onRequest', (_request, reply, done) => {
    if (stopping?.aborted) reply.header('connection', 'close')
    done()
  })

  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const checks = await runChecks(ready, timeoutMs)
    const allReady = stopping?.aborted !== true && Object.values(checks).every((state) => state === 'ok')
    return reply.code(allReady ? 200 : 503).send({ status: allReady ? 'ok' : 'unavailable', checks })
  })

  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.render()),
  )
}

async function runChecks(ready: HealthOptions['ready'], timeoutMs: number): Promise<Record<string, 'ok' | 'down'>> {
  const states = await Promise.all(
    Object.entries(ready).map(async ([name, check]) => [name, await checkOnce(check, timeoutMs)] as const),
  )
  return Object.fromEntries(states)
}

async function checkOnce(check: ReadyCheck, timeoutMs: number): Promise<'ok' | 'down'> {
  try {
    const answered = check().then(() => 'ok' as const)
    return await within(timeoutMs, answered, () => 'down' as const)
  } catch {
    return 'down'
  }
}
