import {
  bundleOf,
  freePort,
  launchBrowser,
  startProcess,
  startRedisServer,
  testDatabase,
  eventually,
} from '@crm/testkit'
import { request } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { callHook, createLead, ownerPool, runsOf, startInstallation } from './installation.ts'
import { makeHook, makeWorkspace } from './workspace.ts'

const database = await testDatabase()
const redis = await startRedisServer()
const pool = ownerPool(database)
afterAll(() => pool.end())
const port = await freePort()
const installation = await startInstallation(database, redis.url)
await installation.startDispatcher({ QUEUE_VIEW_PORT: String(port) })
const view = `http://127.0.0.1:${port}`

const queues = ['change', 'run', 'rule', 'access', 'job', 'periodic-crm-api', 'periodic-booking', 'periodic-dispatcher']

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly host?: string
}

/** Returns the status of an answer to a request with a chosen host, which fetch does not allow. */
function statusOf({ method = 'GET', path = '/', host = `localhost:${port}` }: Asked): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, method, path, host: '127.0.0.1', headers: { host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', reject).end()
  })
}

/**
 * Collects the commands of all connections that concern a queue, as Redis tells them, until the test ends. ioredis takes commands that
 * come in one packet with the answer to MONITOR for answers, so this speaks to Redis itself.
 */
async function watchCommands(url: string): Promise<readonly string[]> {
  const { hostname, port: redisPort, password } = new URL(url)
  const socket = connect(Number(redisPort), hostname)
  onTestFinished(() => void socket.destroy())
  const lines = createInterface(socket)
  const seen: string[] = []
  const isWatching = new Promise<void>((resolve, reject) => {
    let accepted = 0
    socket.on('error', reject)
    lines.on('line', (line) => {
      if (line.startsWith('-')) reject(new Error(line))
      if (line === '+OK' && ++accepted === 2) resolve()
      if (line.includes('{crm-')) seen.push(line)
    })
  })
  socket.write(`AUTH ${password}\r\nMONITOR\r\n`)
  await isWatching
  return seen
}

it('shows every queue in a browser, which asks nobody else for anything', async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  const isOwn = (url: string): boolean => url.startsWith(view) || url.startsWith('data:')
  // The policy stops the library's requests to other servers before they leave the browser.
  const elsewhere: (string | undefined)[] = []
  page.on('requestfinished', (asked) => void (isOwn(asked.url()) || elsewhere.push(asked.url())))
  page.on('requestfailed', (asked) => void (isOwn(asked.url()) || elsewhere.push(asked.failure()?.errorText)))
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(error.message))
  await page.goto(view)
  for (const name of queues)
    await expect.poll(() => page.getByText(name, { exact: true }).count(), { timeout: 30_000 }).toBeGreaterThan(0)
  expect({ problems, elsewhere: new Set(elsewhere) }).toEqual({ problems: [], elsewhere: new Set(['csp']) })
})

it('can be looked at only, and by the names of this machine only', async () => {
  expect(await statusOf({})).toBe(200)
  expect(await statusOf({ host: '127.0.0.1' })).toBe(200)
  expect(await statusOf({ host: 'rebound.example' })).toBe(421)
  expect(await statusOf({ path: '/api/queues', host: `rebound.example:${port}` })).toBe(421)
  for (const [method, path] of [
    ['PUT', '/api/queues/change/pause'],
    ['PUT', '/api/queues/pause'],
    ['POST', '/api/queues/change/add'],
    ['DELETE', '/api/queues/change'],
  ] as const)
    expect(await statusOf({ method, path })).toBe(405)
  const { headers } = await fetch(view)
  expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

it('is not there unless it was asked for', async () => {
  const other = await installation.startDispatcher()
  expect((await fetch(`${other.url}/api/queues`)).status).toBe(404)
})

it('has nothing to show but ids: no word of a record and no secret reaches the queues', async () => {
  const sent = await watchCommands(redis.url)
  await startProcess(bundleOf('booking'), { DATABASE_URL: database.urlFor('crm_booking'), REDIS_URL: redis.url })

  const workspace = await makeWorkspace(pool)
  const steps = [
    {
      key: 'lead',
      name: '',
      type: 'CREATE_RECORD',
      entityType: 'LEAD',
      values: { lastName: 'Planted-name', email: '{{trigger.email}}' },
    },
  ]
  const hook = await makeHook(pool, workspace, { steps })
  expect(await callHook(installation.ingress, workspace.host, hook, { email: 'planted@guest.example' })).toBe(202)
  await eventually(
    async () => expect((await runsOf(pool, hook.workflowId)).map(({ state }) => state)).toEqual(['SUCCEEDED']),
    { timeout: 30_000 },
  )
  const lead = await createLead(installation, workspace, {
    lastName: 'Planted-name',
    phone: '+12025550134',
    description: 'planted text',
  })
  // The data of a job, as an import or a mail leaves it.
  const id = crypto.randomUUID()
  await pool.query(
    `INSERT INTO outbox (workspace_id, id, topic, event, payload) VALUES ($1, $2, 'job', 'booking.tell-guest-record', $3)`,
    [workspace.workspaceId, id, { bookingId: lead['id'], text: 'planted text' }],
  )
  await eventually(() => expect(sent.some((line) => line.includes(id))).toBe(true), { timeout: 30_000 })
  await eventually(
    () =>
      expect(
        queues.filter((name) => name.startsWith('periodic-') && !sent.some((line) => line.includes(`{crm-${name}}`))),
      ).toEqual([]),
    { timeout: 30_000 },
  )

  const all = sent.join('\n')
  expect(all).toContain(workspace.workspaceId)
  expect(
    ['Planted', 'planted', '+12025550134', hook.secret, hook.path, workspace.host].filter((text) => all.includes(text)),
  ).toEqual([])
})
