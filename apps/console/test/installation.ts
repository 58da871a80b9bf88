import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bareEnv, bundleOf, startProcess, testDatabase, testPassword, testRedis } from '@crm/testkit'
import { afterAll } from 'vitest'
import { checkBuilt } from '../src/app.ts'

/** The console and the API behind one address, on a database of this test file's own. */
export interface Installation {
  readonly address: string
  /** Calls the API with a key of the administrator, as any other program would. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Runs the administration command and gives what it prints. */
  crm(...args: string[]): Promise<unknown>
}

/** The administrator of the one workspace; the password is that of every person in tests. */
export const adminEmail = 'admin@console.test'

/** Starts the processes of the console and of the CRM API and what routes between them; all of it ends with the test file. */
export async function startInstallation({ withBooking = false, apiEnv = {} }: { readonly withBooking?: boolean; readonly apiEnv?: Readonly<Record<string, string>> } = {}): Promise<Installation> {
  await requireBuild()
  const database = await testDatabase()
  const { url: redisUrl } = await testRedis()
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-console-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const crm = administration({ DATABASE_URL: database.ownerUrl, REDIS_URL: redisUrl })
  const [api, pages, booking] = await Promise.all([
    startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redisUrl, DATA_DIR: dataDir, ...apiEnv }),
    startProcess(bundleOf('console')),
    withBooking ? startProcess(bundleOf('booking'), { DATABASE_URL: database.urlFor('crm_booking'), REDIS_URL: redisUrl, DATA_DIR: dataDir }) : undefined,
    // The only workspace, so every host is its host.
    crm('workspace', 'create', '--slug', 'console', '--name', 'Console tests', '--admin-email', adminEmail, '--admin-password', testPassword),
  ])
  const { key } = (await crm('key', 'create', '--workspace', 'console', '--owner', adminEmail, '--name', 'Tests', '--scopes', 'ALL')) as { key: string }
  const address = await startFront({ '/api/public/booking/': booking?.url ?? api.url, '/book/': booking?.url ?? pages.url, '/api/': api.url, '/': pages.url })
  return { address, crm, call: (method, path, body) => callApi(address + path, method, key, body) }
}

async function requireBuild(): Promise<void> {
  const distDir = fileURLToPath(new URL('../dist', import.meta.url))
  await checkBuilt(distDir).catch((cause: unknown) => {
    throw new Error('The console has not been built: run `npm run build` first.', { cause })
  })
}

function administration(env: Readonly<Record<string, string>>): Installation['crm'] {
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bundleOf('cli'), ...args, '--json'], { env: { ...bareEnv(), ...env } })
    return JSON.parse(stdout) as unknown
  }
}

async function callApi(url: string, method: string, key: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** The routes of the edge that the console lives from: one address for the pages and for what they ask. The first that fits counts. */
async function startFront(targets: Readonly<Record<string, string>>): Promise<string> {
  const front = createServer((request, response) => {
    const [, target] = Object.entries(targets).find(([prefix]) => request.url?.startsWith(prefix)) ?? []
    const { hostname, port } = new URL(target ?? '')
    const upstream = sendRequest({ hostname, port, method: request.method, path: request.url, headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  afterAll(() => {
    front.closeAllConnections()
    front.close()
  })
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}
