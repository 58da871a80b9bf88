import { bundleOf, startProcess, testDatabase } from '@crm/testkit'
import { expect, it, vi } from 'vitest'

const database = await testDatabase()

it('serves on after it was asked to end, and lets go of callers that keep connections', async () => {
  const ingress = await startProcess(bundleOf('webhooks', 'main-ingress'), {
    DATABASE_URL: database.urlFor('crm_hooks'),
    DRAIN_SECONDS: '60',
  })
  const ask = (path: string): Promise<Response> => fetch(`${ingress.url}${path}`)
  expect((await ask('/healthz')).headers.get('connection')).toBe('keep-alive')
  process.kill(ingress.pid, 'SIGTERM')
  await vi.waitFor(async () => expect((await ask('/readyz')).status).toBe(503), { timeout: 10_000 })
  const call = await fetch(`${ingress.url}/api/hooks/nobodys`, { method: 'POST' })
  expect([call.status, call.headers.get('connection')]).toEqual([404, 'close'])
  expect(await ingress.stop('SIGKILL')).toBe(null)
})
