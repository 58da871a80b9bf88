import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDatabase, createPool } from '@crm/db'
import { bareEnv, bundleOf, createTestWorkspace, onceForAllFiles, startProcess, testDatabase, testRedis, testScratchDir } from '@crm/testkit'
import { afterAll } from 'vitest'
import { checkBuilt } from '../src/app.ts'

/** A workspace of this test file's own, behind one address that leads to the console and to the API. */
export interface Installation {
  readonly address: string
  readonly admin: Person
  /** Adds a person with one of the system roles, such as `Read only`. */
  employee(role: string): Promise<Person>
  /** The value of a Cookie header for a session of a person. */
  session(person: Person): Promise<string>
  /** An API key with these scopes, owned by the administrator. */
  apiKey(...scopes: readonly string[]): Promise<string>
  /** Calls the API with a key of the administrator, as any other program would. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Switches a module of the workspace on or off, as whoever runs the installation does. */
  switchModule(...args: readonly string[]): Promise<unknown>
}

/** Somebody who can sign in with `testPassword`. */
export interface Person {
  readonly id: string
  readonly email: string
}

/** The processes are those of all test files; the workspace ends with the file. */
export async function startInstallation({ withBooking = false }: { readonly withBooking?: boolean } = {}): Promise<Installation> {
  const { api, pages, booking, db, crm } = await processes()
  const bookingUrl = withBooking ? (await booking()).url : undefined
  const front = await startFront({ '/api/public/booking/': bookingUrl ?? api.url, '/book/': bookingUrl ?? pages.url, '/api/': api.url, '/': pages.url })
  const workspace = await createTestWorkspace(db, { baseUrl: front.address })
  front.serve(workspace.host)
  const { key } = await workspace.apiKey()
  return {
    address: front.address,
    admin: { id: workspace.adminUserId, email: workspace.adminEmail },
    employee: (role) => workspace.employee({ roles: [role] }),
    session: ({ id }) => workspace.session(id),
    apiKey: async (...scopes) => (await workspace.apiKey({ scopes })).key,
    call: (method, path, body) => callApi(front.address + path, method, key, body),
    switchModule: (...args) => crm('workspace', 'module', workspace.slug, ...args),
  }
}

const processes = onceForAllFiles(async () => {
  await requireBuild()
  const [database, { url: REDIS_URL }] = await Promise.all([testDatabase(), testRedis()])
  const env = { REDIS_URL, DATA_DIR: mkdtempSync(join(testScratchDir(), 'console-')), OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32' }
  const [api, pages] = await Promise.all([
    startProcess(bundleOf('crm-api'), { ...env, DATABASE_URL: database.urlFor('crm_api') }),
    startProcess(bundleOf('console')),
  ])
  return {
    api,
    pages,
    booking: onceForAllFiles(() => startProcess(bundleOf('booking'), { ...env, DATABASE_URL: database.urlFor('crm_booking') })),
    db: createDatabase(createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })),
    crm: administration({ DATABASE_URL: database.ownerUrl, REDIS_URL }),
  }
})

async function requireBuild(): Promise<void> {
  const distDir = fileURLToPath(new URL('../dist', import.meta.url))
  await checkBuilt(distDir).catch((cause: unknown) => {
    throw new Error('The console has not been built: run `npm run build` first.', { cause })
  })
}

function administration(env: Readonly<Record<string, string>>): (...args: readonly string[]) => Promise<unknown> {
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
async function startFront(targets: Readonly<Record<string, string>>): Promise<{ readonly address: string; serve(host: string): void }> {
  let host = ''
  const front = createServer((request, response) => {
    const [, target] = Object.entries(targets).find(([prefix]) => request.url?.startsWith(prefix)) ?? []
    const { hostname, port } = new URL(target ?? '')
    // Several files have addresses on this machine at once; the host says whose workspace it is.
    const upstream = sendRequest({ hostname, port, method: request.method, path: request.url, headers: { ...request.headers, host } }, (reply) => {
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
  return { address: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, serve: (ownHost) => void (host = ownHost) }
}
