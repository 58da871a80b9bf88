import { bundleOf, startProcess, startRedisServer, testDatabase } from '@crm/testkit'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('.', import.meta.url).pathname

/** Returns the names of the figures in the expressions of a file. */
function figuresIn(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:crm|http|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) => name)
}

/** Prometheus adds these endings to the name of a histogram. */
const nameOf = (figure: string): string => figure.replace(/_(bucket|count|sum)$/, '')

it('names only figures that a running service has', async () => {
  const database = await testDatabase()
  const redis = await startRedisServer()
  const start = (file: string, role: Parameters<typeof database.urlFor>[0], apiUrl = 'http://127.0.0.1:9') =>
    startProcess(file, {
      DATABASE_URL: database.urlFor(role),
      REDIS_URL: redis.url,
      RUN_TOKEN_SECRET: 'a secret of the tests that is long enough',
      CRM_API_URL: apiUrl,
    })
  const api = await start(bundleOf('crm-api'), 'crm_api')
  const others = await Promise.all([
    start(bundleOf('booking'), 'crm_booking'),
    start(bundleOf('webhooks', 'main-ingress'), 'crm_hooks'),
    start(bundleOf('webhooks', 'main-dispatcher'), 'crm_dispatcher', api.url),
    start(bundleOf('mcp-gateway'), 'crm_gateway', api.url),
  ])
  const texts = await Promise.all([api, ...others].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
  const known = new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)))
  for (const file of globSync('*.{json,yaml}', { cwd: folder, exclude: ['kustomization.yaml'] })) {
    const figures = figuresIn(readFileSync(`${folder}${file}`, 'utf8'))
    expect(figures.length, file).toBeGreaterThan(5)
    expect([...new Set(figures.filter((figure) => !known.has(nameOf(figure)) && !known.has(figure)))], file).toEqual([])
  }
})
