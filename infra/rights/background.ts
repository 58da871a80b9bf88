import { createPool, type Pool } from '@crm/db'
import { createEgress } from '@crm/egress'
import { createWakeUp, noQueues } from '@crm/jobs'
import type { MailMessage } from '@crm/mail'
import { createLogger, createMetrics } from '@crm/runtime'
import { testRedis, asDeployable } from '@crm/testkit'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { runTokenSecret, secrets, type OwnApi } from '../../apps/crm-api/test/harness.ts'
import { jobsUnderTest } from '../../apps/crm-api/test/jobs.ts'
import type { Background } from '../../apps/crm-api/test/rights.walk.ts'
import { createCrmApi } from '../../apps/webhooks/src/dispatcher/sending/crm-api.ts'
import { startDispatcher } from '../../apps/webhooks/src/dispatcher/dispatcher.ts'
import { createSight } from '../../apps/webhooks/src/dispatcher/rules/maker-sight.ts'

/** All background work behind an API under test. */
export interface BackgroundUnderTest extends Background {
  /** Returns the texts that the automation of the boss has sent and written since the last call. */
  takeBossGot(): readonly string[]
  /** Makes automation receive every change, as if its authors saw it, until it is called with false. */
  ignoreSight(isIgnored: boolean): void
}

const loopback = '127.0.0.1'
const bossMail = 'boss@planted.example'
const retention = {
  runs: 90,
  deliveries: 30,
  refusedCalls: 30,
  notifications: 90,
  audit: 730,
  timeline: 0,
  sessions: 30,
  jobs: 7,
  outbox: 1,
}

/**
 * Starts the dispatcher and the background work of the API in this process, with a server that receives their requests.
 *
 * It is outside the apps, because no app may import another one.
 */
export async function startBackground(api: OwnApi): Promise<BackgroundUnderTest> {
  const sent: string[] = []
  const bossGot: string[] = []
  const receiver = await startReceiver((path, text) => void (path === '/boss' ? bossGot : sent).push(text))
  const mailer = mailerTo((message) => (message.to.address === bossMail ? bossGot : sent).push(mailText(message)))
  await jobsUnderTest(api, { mailer })

  const pool = createPool({
    databaseUrl: api.dispatcherDatabaseUrl,
    max: 10,
    applicationName: 'test-dispatcher',
    ...asDeployable,
  })
  const crmApi = createCrmApi(await api.app.listen({ host: loopback, port: 0 }), 4)
  const egress = createEgress({ allowCidrs: [`${loopback}/32`] })
  let isSightIgnored = false
  const { url: redisUrl } = await testRedis()
  const dispatcher = startDispatcher({
    pool,
    purgePool: pool,
    redisUrl,
    crmApi,
    crmApiPauseMs: 200,
    egress,
    mailer,
    countMail: async () => ({ allowed: true, retryAfterS: 0 }),
    runTokenSecret,
    secrets,
    retention,
    queues: noQueues,
    epochs: api.epochs,
    logger: createLogger({ name: 'dispatcher', level: 'silent' }),
    metrics: createMetrics('dispatcher'),
    runConcurrency: 4,
    ruleConcurrency: 4,
    leaseMs: 30_000,
    shares: { perWorkspace: 4, perOwner: 4, perReceiver: 4 },
    circuit: { timeoutsMax: 3, pauseMs: 30_000, pauseMsMax: 600_000 },
    sight: (tx, workspaceId) => (isSightIgnored ? async () => true : createSight(tx, workspaceId)),
  })
  afterAll(async () => {
    await dispatcher.close(5_000)
    await Promise.all([crmApi.close(), egress.close(), receiver.close(), pool.end()])
  })

  const wakeUp = createWakeUp(api.redis)
  return {
    address: `${receiver.url}/walker`,
    bossAddress: `${receiver.url}/boss`,
    bossMail,
    takeBossGot: () => bossGot.splice(0),
    ignoreSight: (isIgnored) => void (isSightIgnored = isIgnored),
    settle: async (workspaceId) => {
      wakeUp.send(['run'])
      await expect.poll(() => openWork(pool, workspaceId), { interval: 15, timeout: 60_000 }).toEqual([])
    },
    takeSent: () => sent.splice(0),
  }
}

/** Returns the queued work of a workspace that is not done; a run that waits for a set time is excluded. */
async function openWork(pool: Pool, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ work: string }>(
    `SELECT concat(event, ' ', attempts) AS work FROM outbox WHERE workspace_id = $1 AND done_at IS NULL
     UNION ALL SELECT concat('run ', state) FROM workflow_runs WHERE workspace_id = $1 AND state IN ('QUEUED', 'RUNNING')`,
    [workspaceId],
  )
  return rows.map(({ work }) => work)
}

function mailText({
  to,
  subject,
  text,
  html = '',
  icalEvent,
  cc = [],
  alsoTo = [],
  attachments = [],
}: MailMessage): string {
  const recipients = [to, ...cc, ...alsoTo].map(({ address }) => address).join(', ')
  return [
    `mail to ${recipients}`,
    subject,
    text,
    html,
    icalEvent?.content ?? '',
    ...attachments.map(({ content }) => Buffer.from(content).toString('latin1')),
  ].join('\n')
}

/** Starts a server that answers everything with 200. */
async function startReceiver(
  take: (path: string, text: string) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        take(
          incoming.url ?? '',
          `request ${incoming.method} ${incoming.url}\n${JSON.stringify(incoming.headers)}\n${Buffer.concat(chunks).toString()}`,
        )
        response.end('{"received":true}')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, loopback, resolve))
  return {
    url: `http://${loopback}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
