import { publicContract } from '@crm/contract'
import { createEgress } from '@crm/egress'
import { createDatabase, createPool } from '@crm/db'
import { connectRedis, createEpochs, createFixedWindow } from '@crm/redis'
import { createLogger, createMetrics, systemClock } from '@crm/runtime'
import { toolCatalogue } from '@crm/tools'
import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../src/app.ts'
import type { GatewayWorkspace } from '../src/discovery/deps.ts'
import { createPersonFinder } from '../src/oauth/person.ts'
import { connectCrmApi, type Patience } from '../src/tools/crm-api.ts'
import { startDoor, type Door } from './door.ts'
import { startUpstream, type Upstream } from './upstream.ts'

export const workspace: GatewayWorkspace = {
  id: '0197b2f0-0000-7000-8000-00000000000a',
  name: 'Acme',
  baseUrl: 'https://crm.acme.example',
}

/** A listening gateway, with stand-ins for the CRM API and for the recognition of credentials. */
export interface TestGateway {
  readonly url: string
  readonly upstream: Upstream
  readonly door: Door
  readonly app: FastifyInstance
  /** Posts a body to the tool server. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Posts a request with a key that has these permissions. */
  rpc(
    method: string,
    params?: unknown,
    options?: { readonly key?: string | null; readonly path?: string },
  ): Promise<RpcReply>
  close(): Promise<void>
}

interface RpcReply {
  readonly status: number
  readonly headers: Headers
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: Readonly<Record<string, unknown>>
  }
}

/** Starts it; every host except `nobody.example` belongs to the workspace. */
export async function startGateway({
  crmApiUrl,
  patience,
  contract = publicContract,
}: {
  crmApiUrl?: string
  patience?: Patience
  contract?: Parameters<typeof toolCatalogue>[0]
} = {}): Promise<TestGateway> {
  const upstream = await startUpstream()
  const door = startDoor()
  const crmApi = connectCrmApi(crmApiUrl ?? upstream.url, patience)
  const catalogue = toolCatalogue(contract)
  // The pool connects only on the first query, and no tool makes one.
  const pool = createPool({ databaseUrl: 'postgresql://nobody@127.0.0.1:9/none', applicationName: 'test' })
  const redis = await connectRedis(undefined, { role: 'test' })
  const app = buildApp({
    findWorkspace: async (host) => (host === 'nobody.example' ? null : workspace),
    findOwnScopes: async () => ['VIEW_VEHICLE', 'CREATE_VEHICLE'],
    isRegisteredHost: async (host) => host === 'second.example',
    recognise: door.recognise,
    isSchemaBehind: async () => false,
    crmApi,
    catalogue,
    confirmations: { db: createDatabase(pool), clock: systemClock },
    oauth: {
      db: createDatabase(pool),
      epochs: createEpochs(redis),
      clock: systemClock,
      registrations: createFixedWindow({ redis, name: 'test', points: 10, windowMs: 3_600_000 }),
      documentReads: createFixedWindow({ redis, name: 'test-documents', points: 10, windowMs: 3_600_000 }),
      egress: createEgress(),
      findPerson: createPersonFinder(pool, systemClock),
      tools: catalogue.tools,
    },
    logger: createLogger({ name: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
    ready: { 'crm-api': () => crmApi.check() },
    trustedProxies: ['loopback'],
  })
  app.addHook('onClose', () => crmApi.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const post: TestGateway['post'] = (body, headers = {}) =>
    fetch(`${url}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    url,
    upstream,
    door,
    app,
    post,
    rpc: async (method, params, { key = 'sk-VIEW_LEAD', path = '/api/mcp' } = {}) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return { status: response.status, headers: response.headers, ...((await response.json()) as object) }
    },
    close: async () => {
      await app.close()
      await pool.end()
      await upstream.close()
    },
  }
}
