import { bundleOf, startProcess, startRedisServer, testDatabase, eventually } from '@crm/testkit'
import { expect, it } from 'vitest'

const database = await testDatabase()

it('serves on after it was asked to end, and lets go of callers that keep connections', async () => {
  const ingress = await startProcess(bundleOf('webhooks', 'main-ingress'), {
    DATABASE_URL: database.urlFor('crm_hooks'),
    DRAIN_SECONDS: '60',
  })
  const ask = (path: string): Promise<Response> => fetch(`${ingress.url}${path}`)
  expect((await ask('/healthz')).headers.get('connection')).toBe('keep-alive')
  process.kill(ingress.pid, 'SIGTERM')
  await eventually(async () => expect((await ask('/readyz')).status).toBe(503), { timeout: 30_000 })
  const call = await fetch(`${ingress.url}/api/hooks/nobodys`, { method: 'POST' })
  expect([call.status, call.headers.get('connection')]).toEqual([404, 'close'])
  expect(await ingress.stop('SIGKILL')).toBe(null)
})

it('ends a dispatcher at once, since nobody is served by it', async () => {
  const redis = await startRedisServer()
  const dispatcher = await startProcess(bundleOf('webhooks', 'main-dispatcher'), {
    DATABASE_URL: database.urlFor('crm_dispatcher'),
    REDIS_URL: redis.url,
    RUN_TOKEN_SECRET: 'a secret of the tests that is long enough',
    CRM_API_URL: 'http://127.0.0.1:9',
    DRAIN_SECONDS: '60',
  })
  expect(await dispatcher.stop('SIGTERM')).toBe(0)
})
