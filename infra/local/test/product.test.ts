// The experience of a newcomer: the real `npm start` in a clean checkout, on an empty folder, with the deployables bundled as in
// production.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareEnv } from '@crm/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../ports.ts'
import { holdBack, makeCleanCheckout } from './clean-checkout.ts'

const folder = mkdtempSync(join(tmpdir(), 'crm-product-'))
const checkout = join(folder, 'workspace-crm')
const dataDir = join(folder, 'data')
makeCleanCheckout(checkout)
// A start must not rely on a build that is ready before the database: here the build begins after everything else is ready.
holdBack(checkout, 'turbo', join(dataDir, 'run.json'))

const port = await freePort()
const env = { ...bareEnv(), DATA_DIR: dataDir, PORT: String(port) }
const child = spawn(process.execPath, [join(checkout, 'infra/local/start.ts')], {
  cwd: checkout,
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
})
let output = ''
const ready = Promise.withResolvers<void>()
for (const stream of [child.stdout, child.stderr]) {
  stream.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('Press Ctrl-C to stop')) ready.resolve()
  })
}
child.once('exit', () => ready.reject(new Error(output)))

interface Demo {
  readonly baseUrl: string
  readonly apiKey: string
  readonly bookingLink: { readonly slug: string; readonly url: string }
  readonly webhook: { readonly url: string; readonly secret: string }
  readonly mcpUrl: string
}
let demo: Demo

beforeAll(async () => {
  await ready.promise
  demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
}, 100_000)

afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

async function call(
  url: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<{ status: number; body: any }> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${demo.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const foundByEmail = async (email: string): Promise<number> =>
  (await call(`${demo.baseUrl}/api/leads?search=${email}`)).body.total as number

it('prints the address, the sign-in and the key, and warns of nothing', () => {
  expect(output).toContain(`Ready at http://localhost:${port}`)
  expect(output).toContain(demo.apiKey)
  expect(output).not.toMatch(/warn|error/i)
})

it('prints nothing but the result where nobody watches', () => {
  expect(output.trimStart()).toMatch(/^Ready at/)
})

it('builds what a clean checkout lacks', () => {
  expect(existsSync(join(checkout, 'apps/cli/bundle/main.js'))).toBe(true)
})

it('tells the sign-in and the key again', () => {
  const again = execFileSync(process.execPath, [join(checkout, 'apps/cli/src/main.ts'), 'demo'], {
    cwd: checkout,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(output).toContain(again.trim())
  expect(again).toContain(demo.apiKey)
})

it('takes a lead by REST', async () => {
  expect(
    (
      await call(`${demo.baseUrl}/api/leads`, {
        body: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@product.example' },
      })
    ).status,
  ).toBe(201)
  expect(await foundByEmail('grace@product.example')).toBe(1)
})

it('takes a lead by webhook, through the workflow and its dispatcher', async () => {
  const { url, secret } = demo.webhook
  expect(
    (
      await call(url, {
        body: { firstName: 'Ada', lastName: 'Webhook', email: 'ada@product.example' },
        headers: { 'x-api-key': secret },
      })
    ).status,
  ).toBe(202)
  await expect.poll(() => foundByEmail('ada@product.example'), { timeout: 30_000 }).toBe(1)
})

it('takes a lead by a booking', async () => {
  const at = `${demo.baseUrl}/api/public/booking/${demo.bookingLink.slug}`
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
  const { body } = await call(`${at}/availability?from=${day(1)}&to=${day(8)}`)
  const booked = await call(at, {
    body: {
      name: 'Linus Guest',
      email: 'linus@product.example',
      startAt: body.data.slots[0],
      timezone: 'Europe/Helsinki',
    },
  })
  expect(booked.status).toBe(201)
  await expect.poll(() => foundByEmail('linus@product.example'), { timeout: 30_000 }).toBe(1)
  expect(await (await fetch(demo.bookingLink.url)).text()).toContain('</html>')
})

it('is a tool server', async () => {
  const params = { name: 'leads_list', arguments: { search: 'grace@product.example' } }
  const { body } = await call(demo.mcpUrl, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { accept: 'application/json, text/event-stream' },
  })
  expect(body.result.content[0].text).toContain('Hopper')
})

it('makes PDFs, in their thread', async () => {
  const { body } = await call(`${demo.baseUrl}/api/invoices?pageSize=1`)
  const response = await fetch(`${demo.baseUrl}/api/invoices/${(body.items ?? body.data)[0].id as string}/pdf`, {
    headers: { authorization: `Bearer ${demo.apiKey}` },
  })
  expect([response.status, (await response.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
})

it('has its console and its reference', async () => {
  for (const path of ['/', '/docs'])
    expect(await (await fetch(demo.baseUrl + path)).text()).toContain('<div id="root">')
})

it('stops without a complaint', async () => {
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(output).toContain('Stopped.')
}, 60_000)
