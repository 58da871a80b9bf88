import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request as sendRequest, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDatabase, createPool, recordPlanted } from '@crm/db'
import {
  afterThisFile,
  bareEnv,
  bundleOf,
  createTestWorkspace,
  onceForAllFiles,
  startProcess,
  testDatabase,
  testRedis,
  testScratchDir,
  type TestWorkspace,
  eventually,
} from '@crm/testkit'
import { checkBuilt } from '../src/app.ts'

/** A workspace of this test file's own, behind one address for the console and the API. */
export interface Installation {
  readonly address: string
  readonly workspace: TestWorkspace
  /** Calls the API with a key of the administrator, as any other program would. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Calls an endpoint that only a session of the administrator may use, as the console does. */
  inSettings(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown>
  /** Waits for a link that is mailed to an address, besides the known ones, and returns its token. */
  mailedToken(address: string, known?: readonly string[]): Promise<string>
  /** Takes everything in the workspace for demo data, as the first start does. */
  takeForDemo(): Promise<void>
  /** Runs the administration command and returns its output. */
  crm(...args: readonly string[]): Promise<unknown>
}

/** Starts the address, which ends with the file; all test files share the processes. */
export async function startInstallation({
  withBooking = false,
}: { readonly withBooking?: boolean } = {}): Promise<Installation> {
  const { api, pages, booking, db, crm, mailedToken } = await processes()
  const bookingUrl = withBooking ? (await booking()).url : undefined
  const { front, address } = await openFront()
  const workspace = await createTestWorkspace(db, { baseUrl: address })
  const targets = {
    '/api/public/booking/': bookingUrl ?? api.url,
    '/book/': bookingUrl ?? pages.url,
    '/api/': api.url,
    '/': pages.url,
  }
  front.on('request', passOn(targets, workspace.host))
  const { key } = await workspace.apiKey()
  return {
    address,
    workspace,
    crm,
    mailedToken,
    takeForDemo: () => recordPlanted(db, workspace.workspaceId, workspace.adminUserId),
    call: (method, path, body) => callApi(address + path, method, key, body),
    inSettings: async (method, path, body) => callInSession(address, await workspace.session(), { method, path, body }),
  }
}

const processes = onceForAllFiles(async () => {
  await requireBuild()
  const [database, { url: REDIS_URL }] = await Promise.all([testDatabase(), testRedis()])
  const env = {
    REDIS_URL,
    DATA_DIR: mkdtempSync(join(testScratchDir(), 'console-')),
    OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  const [api, pages] = await Promise.all([
    startProcess(bundleOf('crm-api'), { ...env, DATABASE_URL: database.urlFor('crm_api') }),
    startProcess(bundleOf('console')),
  ])
  return {
    api,
    pages,
    booking: onceForAllFiles(() =>
      startProcess(bundleOf('booking'), { ...env, DATABASE_URL: database.urlFor('crm_booking') }),
    ),
    db: createDatabase(createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })),
    mailedToken: tokensIn(join(env.DATA_DIR, 'mail')),
    crm: administration({ DATABASE_URL: database.ownerUrl, REDIS_URL }),
  }
})

async function requireBuild(): Promise<void> {
  const distDir = fileURLToPath(new URL('../dist', import.meta.url))
  await checkBuilt(distDir).catch((cause: unknown) => {
    throw new Error('The console has not been built: run `npm run build` first.', { cause })
  })
}

function administration(env: Readonly<Record<string, string>>): Installation['crm'] {
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bundleOf('cli'), ...args, '--json'], {
      env: { ...bareEnv(), ...env },
    })
    return JSON.parse(stdout) as unknown
  }
}

async function callApi(url: string, method: string, key: string, body: unknown): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

interface SettingsCall {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
}

async function callInSession(address: string, cookie: string, { method, path, body }: SettingsCall): Promise<unknown> {
  const response = await fetch(address + path, {
    method,
    headers: { cookie, origin: address, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

async function openFront(): Promise<{ readonly front: Server; readonly address: string }> {
  const front = createServer().listen(0, '127.0.0.1')
  await once(front, 'listening')
  afterThisFile(() => {
    front.closeAllConnections()
    front.close()
  })
  return { front, address: `http://127.0.0.1:${(front.address() as AddressInfo).port}` }
}

/** Routes requests as the edge does for the console: one address for the pages and their API calls. The first match counts. */
function passOn(targets: Readonly<Record<string, string>>, host: string): RequestListener {
  return (request, response) => {
    const [, target] = Object.entries(targets).find(([prefix]) => request.url?.startsWith(prefix)) ?? []
    const { hostname, port } = new URL(target ?? '')
    // The address is no host of the workspace, and the processes serve other test files as well.
    const upstream = sendRequest(
      { hostname, port, method: request.method, path: request.url, headers: { ...request.headers, host } },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      },
    )
    upstream.on('error', () => response.destroy())
    // Whoever leaves a page ends its streams, and gives their places back.
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  }
}

/** Returns the function that waits for a link to an address among the mails in a folder. */
function tokensIn(folder: string): Installation['mailedToken'] {
  const tokensFor = (address: string): string[] =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''))
      .filter((mail) => mail.includes(address))
      .flatMap((mail) => /#([\w-]{40,})/.exec(mail)?.[1] ?? [])
  return (address, known = []) =>
    eventually(() => {
      const token = tokensFor(address).find((one) => !known.includes(one))
      if (token === undefined) throw new Error(`No link was mailed to ${address}`)
      return token
    })
}
