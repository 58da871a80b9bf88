import { createDatabase, createPool, schema } from '@crm/db'
import {
  bundleOf,
  createTestWorkspace,
  eventually,
  startProcess,
  testDatabase,
  testRedis,
  type TestProcess,
} from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { encodeForm } from './uploads.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const db = createDatabase(owner)
const workspace = await createTestWorkspace(db)
const cookie = await workspace.session()
const redis = await testRedis()
const directory = mkdtempSync(join(tmpdir(), 'crm-moving-'))
afterAll(async () => {
  await owner.end()
  rmSync(directory, { recursive: true, force: true })
})

const start = (): Promise<TestProcess> =>
  startProcess(bundleOf('crm-api'), {
    DATABASE_URL: database.urlFor('crm_api'),
    REDIS_URL: redis.url,
    DATA_DIR: directory,
  })

interface Migration {
  readonly id: string
  readonly state: string
  readonly result: { readonly processed: number; readonly created: number; readonly failed: number } | null
}

/** Sends a request with the workspace's host, which fetch does not allow to set. */
function send(
  { url }: TestProcess,
  method: string,
  path: string,
  body?: { contentType: string; payload: Buffer },
): Promise<Migration> {
  const headers = {
    host: workspace.host,
    cookie,
    origin: `http://${workspace.host}`,
    ...(body ? { 'content-type': body.contentType } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { agent: false, method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve((JSON.parse(Buffer.concat(parts).toString()) as { data: Migration }).data))
    })
    sent.on('error', reject)
    sent.end(body?.payload)
  })
}

const path = '/api/settings/migrations'

async function until(api: TestProcess, id: string, isThere: (migration: Migration) => boolean): Promise<Migration> {
  return eventually(
    async () => {
      const migration = await send(api, 'GET', `${path}/${id}`)
      expect(isThere(migration), JSON.stringify(migration.result)).toBe(true)
      return migration
    },
    { timeout: 800_000 },
  )
}

/** Jobs that were handed on and are not done fall due again after a minute; this simulates the minute. */
const dueAgain = () =>
  db.execute(
    sql`UPDATE outbox SET relayed_at = now() - interval '61 seconds' WHERE relayed_at IS NOT NULL AND done_at IS NULL`,
  )

const kills = 10

it('a process that is killed ten times brings in every row, none twice', { timeout: 900_000 }, async () => {
  const count = 20_000
  const rows = Array.from({ length: count }, (_, n) => `Person ${n},person${n}@example.com,Company ${n % 500}`)
  const form = new FormData()
  form.append('options', '{}')
  form.append('files', new Blob([['Last Name,Email,Company', ...rows].join('\n')]), 'contacts.csv')
  let api = await start()
  const { id } = await send(api, 'POST', path, await encodeForm(form))
  await until(api, id, ({ state }) => state === 'ANALYSED')
  await send(api, 'POST', `${path}/${id}/start`)
  for (let kill = 1; kill <= kills; kill++) {
    const enough = (count / (kills + 1)) * kill
    await until(api, id, ({ result }) => (result?.processed ?? 0) >= enough)
    await api.stop('SIGKILL')
    await dueAgain()
    api = await start()
  }
  const done = await until(api, id, ({ state }) => state === 'DONE')
  expect(done.result).toMatchObject({ processed: count, created: count, failed: 0 })
  const { rows: found } = await db.execute(sql`
    SELECT count(*)::int AS contacts, count(DISTINCT lower(email))::int AS addresses, count(DISTINCT company_id)::int AS companies
    FROM ${schema.contacts} WHERE workspace_id = ${workspace.workspaceId} AND deleted_at IS NULL`)
  expect(found).toEqual([{ contacts: count, addresses: count, companies: 500 }])
  expect(await db.$count(schema.companies, sql`workspace_id = ${workspace.workspaceId}`)).toBe(500)
})

it('a hundred thousand people with their companies come in', { timeout: 900_000 }, async () => {
  const [people, firms] = [100_000, 10_000]
  const form = new FormData()
  form.append('options', '{"source":"HUBSPOT"}')
  const companies = Array.from({ length: firms }, (_, n) => `70${n},Firm ${n},firm${n}.example,Berlin`)
  const contacts = Array.from(
    { length: people },
    (_, n) => `80${n},Ann,Smith ${n},ann${n}@firm${n % firms}.example,+4930${1_000_000 + n},70${n % firms}`,
  )
  form.append(
    'files',
    new Blob([['Record ID,First Name,Last Name,Email,Phone Number,Associated Company IDs', ...contacts].join('\n')]),
    'contacts.csv',
  )
  form.append(
    'files',
    new Blob([['Record ID,Company name,Company Domain Name,City', ...companies].join('\n')]),
    'companies.csv',
  )
  const api = await start()
  const { id } = await send(api, 'POST', path, await encodeForm(form))
  await until(api, id, ({ state }) => state === 'ANALYSED')
  const began = performance.now()
  await send(api, 'POST', `${path}/${id}/start`)
  const done = await until(api, id, ({ state }) => state === 'DONE')
  expect(done.result).toMatchObject({ created: people + firms, failed: 0 })
  const { rows } = await db.execute(sql`
    SELECT count(*)::int AS contacts, count(DISTINCT company_id)::int AS companies FROM ${schema.contacts}
    WHERE workspace_id = ${workspace.workspaceId} AND external_id IS NOT NULL`)
  expect(rows).toEqual([{ contacts: people, companies: firms }])
  // A figure for whoever reads the log; speed is no matter of a test.
  process.stdout.write(`${people} people in ${Math.round((performance.now() - began) / 1_000)} s\n`)
})
