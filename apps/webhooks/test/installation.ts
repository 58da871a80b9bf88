import { createPool, type Pool } from '@crm/db'
import { bundleOf, startProcess, type TestDatabase, type TestProcess } from '@crm/testkit'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createCrmApi } from '../src/dispatcher/sending/crm-api.ts'
import type { TestWorkspace } from './workspace.ts'

export const runTokenSecret = 'a secret of the tests with more than 32 characters'
export const secretsKey = Buffer.alloc(32, 'a key of the tests').toString('base64')

/** The processes that webhooks need, as the operator runs them. */
export interface Installation {
  ingress: TestProcess
  readonly crmApi: TestProcess
  /** Starts another ingress in place of a killed one. */
  restartIngress(): Promise<void>
  startDispatcher(env?: Readonly<Record<string, string>>): Promise<TestProcess>
}

/** Starts the ingress and the CRM API; they run without Redis if there is no Redis URL. */
export async function startInstallation(database: TestDatabase, redisUrl?: string): Promise<Installation> {
  const redis: Record<string, string> = redisUrl === undefined ? {} : { REDIS_URL: redisUrl }
  const startIngress = (): Promise<TestProcess> =>
    startProcess(bundleOf('webhooks', 'main-ingress'), { ...redis, DATABASE_URL: database.urlFor('crm_hooks') })
  const [ingress, crmApi] = await Promise.all([
    startIngress(),
    startProcess(bundleOf('crm-api'), {
      ...redis,
      DATABASE_URL: database.urlFor('crm_api'),
      RUN_TOKEN_SECRET: runTokenSecret,
      SECRETS_KEY: secretsKey,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32',
    }),
  ])
  const installation: Installation = {
    ingress,
    crmApi,
    restartIngress: async () => void (installation.ingress = await startIngress()),
    startDispatcher: (env = {}) =>
      startProcess(bundleOf('webhooks', 'main-dispatcher'), {
        ...redis,
        DATABASE_URL: database.urlFor('crm_dispatcher'),
        RUN_TOKEN_SECRET: runTokenSecret,
        SECRETS_KEY: secretsKey,
        CRM_API_URL: crmApi.url,
        OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32',
        RUN_LEASE_MS: '1000',
        QUEUE_LOCK_MS: '1500',
        CRM_API_PAUSE_MS: '20',
        ...env,
      }),
  }
  return installation
}

export interface Received {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Starts a customer's server: it stores its requests and answers as it is told. */
export async function startReceiver(
  answer: (request: Received) => Promise<number> | number = () => 200,
  body = '{"received":true}',
): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const got = { method: incoming.method ?? '', headers: incoming.headers, body: Buffer.concat(chunks).toString() }
      received.push(got)
      response.writeHead(await answer(got)).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

/**
 * Starts a customer's server that takes requests and does not answer until it recovers; it counts the requests that
 * still have a waiting sender.
 */
export async function startSilentReceiver(): Promise<{
  readonly url: string
  readonly received: () => number
  readonly mostOpen: () => number
  readonly recover: () => void
}> {
  const count = { received: 0, open: 0, mostOpen: 0 }
  let isSilent = true
  const server = createServer((_incoming, response) => {
    count.received++
    count.open++
    count.mostOpen = Math.max(count.mostOpen, count.open)
    response.on('close', () => count.open--)
    if (!isSilent) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: () => count.received,
    mostOpen: () => count.mostOpen,
    recover: () => void (isSilent = false),
  }
}

/** Calls a webhook of a workspace and returns the status of the answer. */
export function callHook(
  ingress: TestProcess,
  host: string,
  hook: { readonly path: string; readonly secret: string },
  body: unknown,
  caller = '203.0.113.9',
): Promise<number> {
  const headers = { host, 'x-api-key': hook.secret, 'x-forwarded-for': caller }
  return new Promise((resolve, reject) => {
    const call = request(
      `${ingress.url}/api/hooks/${hook.path}`,
      { method: 'POST', headers, agent: keptConnections },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    call.on('error', reject).end(JSON.stringify(body))
  })
}

const keptConnections = new Agent({ keepAlive: true, maxSockets: 20 })

/** A request that stands between a dispatcher and the CRM API. */
export interface Passing {
  /** The moment at which its credential ends, in milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/**
 * Starts a line to the CRM API that holds each request until `until` ends, as a busy network would, and stores the statuses
 * of the answers. The CRM API sees the requests unchanged.
 */
export async function startSlowLine(
  crmApi: TestProcess,
  until: (request: Passing) => Promise<void>,
): Promise<{ readonly url: string; readonly statuses: number[] }> {
  const statuses: number[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const [payload = ''] = incoming.headers.authorization?.replace('Bearer run.', '').split('.') ?? []
    await until(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Passing)
    const { method = '', url = '', headers } = incoming
    request(`${crmApi.url}${url}`, { method, headers, agent: keptConnections }, (answer) => {
      statuses.push(answer.statusCode ?? 0)
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    }).end(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statuses }
}

export interface StoredRun {
  readonly id: string
  readonly state: string
  readonly epoch: number
  readonly depth: number
  readonly failureCode: string | null
  readonly failureMessage: string | null
  readonly trigger: unknown
  readonly steps: readonly {
    readonly position: string
    readonly key: string
    readonly state: string
    readonly epoch: number
    readonly output: unknown
    readonly failureCode: string | null
  }[]
}

/** Returns the runs of a workflow with their steps, oldest first. */
export async function runsOf(pool: Pool, workflowId: string): Promise<StoredRun[]> {
  const { rows } = await pool.query<StoredRun>(
    `SELECT r.id, r.state, r.epoch, r.depth, r.failure_code AS "failureCode", r.failure_message AS "failureMessage", r.trigger,
       coalesce((SELECT json_agg(json_build_object('position', s.position, 'key', s.step_key, 'state', s.state, 'epoch', s.epoch, 'output', s.output, 'failureCode', s.failure_code)
         ORDER BY s.started_at, s.position) FROM workflow_step_runs s WHERE s.workspace_id = r.workspace_id AND s.run_id = r.id), '[]') AS steps
     FROM workflow_runs r WHERE r.workflow_id = $1 ORDER BY r.created_at, r.id`,
    [workflowId],
  )
  return rows
}

export function ownerPool(database: TestDatabase): Pool {
  return createPool({ databaseUrl: database.ownerUrl, max: 6, applicationName: 'test' })
}

/** Creates a lead through the CRM API, with a key of the administrator of the workspace. */
export async function createLead(
  { crmApi }: Installation,
  workspace: TestWorkspace,
  body: unknown,
): Promise<Record<string, unknown>> {
  const api = createCrmApi(crmApi.url, 1)
  const { key: token } = await workspace.apiKey()
  const answer = await api.send({ method: 'POST', path: '/api/leads', host: workspace.host, token, body })
  await api.close()
  if (answer.status !== 201) throw new Error(`The lead was not created: ${JSON.stringify(answer.body)}`)
  return (answer.body as { data: Record<string, unknown> }).data
}
