import { createDatabase, createPool } from '@crm/db'
import {
  bundleOf,
  childrenOf,
  createTestWorkspace,
  isAlive,
  startProcess,
  testDatabase,
  testRedis,
  untilGone,
  type TestProcess,
} from '@crm/testkit'
import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
const workspace = await createTestWorkspace(createDatabase(owner))
const { key } = await workspace.apiKey()
const redis = await testRedis()
const startApi = (): Promise<TestProcess> =>
  startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redis.url })

interface Answer {
  readonly status: number
  readonly content: Buffer
}

/** Sends a request with the workspace's host, which fetch does not allow to set. */
function send({ url }: TestProcess, path: string, body?: unknown): Promise<Answer> {
  const headers = { host: workspace.host, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { agent: false, method: body === undefined ? 'GET' : 'POST', headers },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, content: Buffer.concat(parts) }))
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function createInvoice(api: TestProcess, lines: number): Promise<string> {
  const items = Array.from({ length: lines }, (_, n) => ({
    name: `Position ${n}`,
    description: 'What was done',
    quantity: '1',
    unitPrice: '9.99',
  }))
  const { content } = await send(api, '/api/invoices', { currency: 'EUR', items })
  return `/api/invoices/${(JSON.parse(content.toString()) as { data: { id: string } }).data.id}`
}

function onlyChildOf(api: TestProcess): number {
  const [pid, ...more] = childrenOf(api.pid, 'main-pdf')
  if (pid === undefined || more.length > 0) throw new Error(`The API has ${more.length + (pid ? 1 : 0)} children`)
  return pid
}

describe('the process that makes PDFs', () => {
  it('starts with the first look at a document, and when it is killed only what it was at fails', async () => {
    const api = await startApi()
    const invoice = await createInvoice(api, 500)
    expect(childrenOf(api.pid, 'main-pdf')).toEqual([])
    await send(api, invoice)
    expect(isAlive(onlyChildOf(api))).toBe(true)

    let isAnswered = false
    const killed = send(api, `${invoice}/pdf`).finally(() => (isAnswered = true))
    await expect
      .poll(() => (childrenOf(api.pid, 'main-pdf').forEach((pid) => process.kill(pid, 'SIGKILL')), isAnswered), {
        timeout: 30_000,
        interval: 10,
      })
      .toBe(true)
    const { status, content } = await killed
    expect(status).toBe(500)
    expect(JSON.parse(content.toString())).toMatchObject({ code: 'INTERNAL_ERROR' })

    const next = await send(api, `${invoice}/pdf`)
    expect(next.status).toBe(200)
    expect(next.content.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(await api.stop()).toBe(0)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends with the API that ends by %s', async (signal) => {
    const api = await startApi()
    const invoice = await createInvoice(api, 1)
    expect((await send(api, `${invoice}/pdf`)).status).toBe(200)
    const pid = onlyChildOf(api)
    expect(isAlive(pid)).toBe(true)
    expect(await api.stop(signal)).toBe(signal === 'SIGTERM' ? 0 : null)
    await untilGone(pid)
  })

  it('finishes what an API that is asked to end has begun, though the whole group is asked', async () => {
    const api = await startApi()
    const invoice = await createInvoice(api, 500)
    await send(api, invoice)
    const pid = onlyChildOf(api)
    // Both are answered in turn, so the first answer shows that the second is in progress.
    const asked = Array.from({ length: 2 }, () => send(api, `${invoice}/pdf`))
    await Promise.race(asked)
    process.kill(pid, 'SIGTERM')
    const exitCode = await api.stop()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
    expect(exitCode).toBe(0)
    await untilGone(pid)
  })
})
