import { randomUUID } from 'node:crypto'
import { createDatabase, createPool, migrate } from '@crm/db'
import { createSecrets, environmentKeys } from '@crm/secrets'
import { createTestWorkspace, freezableDatabase, startRedisServer, testScratchDir } from '@crm/testkit'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeBackups } from '../src/doctor/others.ts'
import { clockDistance } from '../src/doctor/database.ts'
import type { Finding } from '../src/doctor/finding.ts'
import { commandAsProcess, commandIn } from './command.ts'

const database = await freezableDatabase()
const redis = await startRedisServer()
const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
const dataDir = testScratchDir()
let edge: Server
/** The deployable that does not answer. */
let down: string | undefined
/** Whether the edge believes every forwarded address. */
let believes = false
let env: Record<string, string>

beforeAll(async () => {
  mail.listen(0, '127.0.0.1')
  edge = createServer(({ headers }, response) =>
    response.end(
      JSON.stringify({
        services: { 'crm-api': 'ok', booking: 'ok', ...(down ? { [down]: 'down' } : {}) },
        client: believes ? headers['x-forwarded-for'] : '127.0.0.1',
      }),
    ),
  )
  edge.listen(0, '127.0.0.1')
  await Promise.all([once(mail.server, 'listening'), once(edge, 'listening')])
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
  env = {
    DATABASE_URL: database.ownerUrl,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    SMTP_URL: `smtp://127.0.0.1:${portOf(mail.server)}`,
    BASE_URL: `http://127.0.0.1:${portOf(edge)}`,
  }
})
afterAll(() => {
  edge.close()
  mail.close(() => undefined)
})

async function doctor(
  more: Record<string, string> = {},
): Promise<{ readonly code: number; readonly findings: readonly Finding[] }> {
  const { code, stdout, stderr } = await commandIn({ ...env, ...more }, ['doctor', '--json'])
  expect(stderr).toBe('')
  return { code, findings: JSON.parse(stdout) as Finding[] }
}

const notOk = ({ findings }: { readonly findings: readonly Finding[] }): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, area }) => `${level} ${area}`)

async function onDatabase(text: string): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

describe('crm doctor', () => {
  it('looks at everything, and says of what fails what to do', async () => {
    const { code, findings } = await doctor()
    expect(new Set(findings.map(({ area }) => area))).toEqual(
      new Set([
        'settings',
        'database',
        'pooler',
        'secrets',
        'zones',
        'redis',
        'files',
        'mail',
        'address',
        'purge',
        'sending',
        'work',
        'people',
        'backup',
      ]),
    )
    for (const { level, remedy } of findings) expect(remedy !== undefined).toBe(level !== 'ok')
    expect(code).toBe(findings.some(({ level }) => level === 'fail') ? 1 : 0)
  })

  it('names the workspace and the work that fails again and again, and nothing that may pass by itself', async () => {
    const workspaceId = randomUUID()
    await onDatabase(`INSERT INTO workspaces (id, slug, name, base_url) VALUES ('${workspaceId}', 'acme', 'Acme', 'http://acme.test');
      INSERT INTO work_failures (workspace_id, work, row, failures, since, next_try_at, problem)
      SELECT '${workspaceId}', work, n::text, failures, now(), now() + interval '1 minute', 'TypeError'
      FROM (VALUES ('start-schedules', 3), ('fetch-calendars', 1)) AS one (work, failures), generate_series(1, 2) n`)
    const { findings } = await doctor()
    const found = findings.filter(({ area }) => area === 'work')
    expect(found).toMatchObject([
      {
        level: 'warn',
        sentence: expect.stringMatching(/^In the workspace acme “start schedules” fails for 2 rows since/),
      },
    ])
    await onDatabase(`DELETE FROM workspaces WHERE id = '${workspaceId}'`)
    expect((await doctor()).findings.filter(({ area }) => area === 'work')).toMatchObject([{ level: 'ok' }])
  })

  it('finds Redis well once it keeps what it is given', async () => {
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(notOk(await doctor())).toContain('fail redis')
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.config('SET', 'appendonly', 'yes')
    client.disconnect()
    expect(notOk(await doctor()).filter((line) => line.endsWith('redis'))).toEqual([])
  })

  it('tells a Redis that answers and takes nothing from one that works, and one that tells nothing of itself', async () => {
    const client = new Redis(redis.url)
    const told = async (more = {}): Promise<readonly string[]> =>
      (await doctor(more)).findings
        .filter(({ area }) => area === 'redis')
        .map(({ level, sentence }) => `${level}: ${sentence}`)
    await client.replicaof('127.0.0.1', '1')
    expect(await told()).toContainEqual(expect.stringMatching(/^fail: It answers, and takes nothing: READONLY/))
    await client.replicaof('NO', 'ONE')
    await client.config('SET', 'maxmemory', '1')
    expect(await told()).toContainEqual(expect.stringMatching(/^fail: It answers, and takes nothing: OOM/))
    await client.config('SET', 'maxmemory', '0')
    await client.acl('SETUSER', 'tenant', 'on', '>secret', '~*', '&*', '+@all', '-config')
    const url = new URL(redis.url)
    Object.assign(url, { username: 'tenant', password: 'secret' })
    expect(await told({ REDIS_URL: url.href })).toEqual([
      'ok: It answers, and keeps what is written.',
      'warn: It does not say how it is set up.',
      'ok: Its clock agrees with this one.',
    ])
    client.disconnect()
  })

  it.each([
    ['a database that is not there', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'fail database'],
    ['a replica that is not there', { DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'fail replica'],
    ['a replica that is none', { DATABASE_REPLICA_URL: database.ownerUrl }, 'fail replica'],
    ['Redis that is not there', { REDIS_URL: 'redis://127.0.0.1:1' }, 'fail redis'],
    ['a mail server that is not there', { SMTP_URL: 'smtp://127.0.0.1:1' }, 'fail mail'],
    ['an address that leads elsewhere', { BASE_URL: 'http://127.0.0.1:1' }, 'fail address'],
    ['a folder that cannot be written', { DATA_DIR: import.meta.filename }, 'fail files'],
    ['a published secret', { NODE_ENV: 'production', RUN_TOKEN_SECRET: 'change-this-please' }, 'fail settings'],
  ])('finds %s', async (_what, more, found) => {
    const outcome = await doctor(more)
    expect(notOk(outcome)).toContain(found)
    expect(outcome.code).toBe(1)
  })

  it('finds an edge that believes a forged address', async () => {
    believes = true
    expect(notOk(await doctor())).toContain('warn address')
    believes = false
    expect(notOk(await doctor()).filter((line) => line.endsWith('address'))).toEqual([])
  })

  it('finds history that is not deleted, and that nobody deletes any', async () => {
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({ level: 'warn', sentence: 'No dispatcher runs, so expired history is not deleted.' }),
    )
    const tell = (behind: object) =>
      onDatabase(
        `INSERT INTO processes (id, kind, version, migration, behind) VALUES (gen_random_uuid(), 'webhooks-dispatcher', '1', 1, '${JSON.stringify(behind)}')`,
      )
    await tell({ outbox: 0, deliveries: 30 * 3_600 })
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        sentence: 'Expired rows of deliveries have waited 30 hours for their deletion.',
      }),
    )
    await onDatabase('DELETE FROM processes')
    await tell({ outbox: 0, deliveries: 3_600 })
    expect(notOk(await doctor())).not.toContain('warn purge')
  })

  it('finds work that waits, and work that a dead worker holds', async () => {
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    const { workspaceId } = await createTestWorkspace(createDatabase(pool))
    const plant = (relayedAt: string) =>
      pool.query(
        `INSERT INTO outbox (workspace_id, id, topic, event, created_at, relayed_at)
         VALUES ($1, gen_random_uuid(), 'job', 'test', now() - interval '20 minutes', ${relayedAt})`,
        [workspaceId],
      )
    // One whose next attempt is due later.
    await plant("now() + interval '5 minutes'")
    expect(notOk(await doctor())).not.toContain('warn sending')
    await plant("now() - interval '10 seconds'")
    await plant('NULL')
    const late = (await doctor()).findings.filter(({ area }) => area === 'sending')
    expect(late.map(({ level }) => level)).toEqual(['warn', 'warn'])
    expect(late.map(({ sentence }) => sentence.replace(/\d+ s/, 'N s'))).toEqual([
      'Something has waited for N s.',
      'A job was handed on and is not done, N s after it was asked for.',
    ])
    await pool.query("DELETE FROM outbox WHERE event = 'test'")
    await pool.end()
  })

  it('finds pools that are larger than the server', async () => {
    await onDatabase(
      "INSERT INTO processes (id, kind, version, migration, connections) VALUES (gen_random_uuid(), 'crm-api', '1', 1, 9000), (gen_random_uuid(), 'booking', '1', 1, 9)",
    )
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        sentence: expect.stringContaining('The running processes open up to 9009 connections, of'),
      }),
    )
    await onDatabase('DELETE FROM processes WHERE connections IS NOT NULL')
  })

  it('knows the age of the last verified backup without being told where backups are', async () => {
    expect(notOk(await doctor())).toContain('warn backup')
    await onDatabase("INSERT INTO installation (backup_at) VALUES (now() - interval '27 hours')")
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({ level: 'warn', sentence: 'The newest verified one is 27 hours old.' }),
    )
    await onDatabase('UPDATE installation SET backup_at = now()')
    expect(notOk(await doctor())).not.toContain('warn backup')
  })

  it('finds a lost or wrong key of stored secrets', async () => {
    const [right, wrong] = [randomBytes(32), randomBytes(32)]
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    const db = createDatabase(pool)
    const { workspaceId } = await createTestWorkspace(db)
    await createSecrets(environmentKeys(right)).seal(db, { workspaceId, table: 't', column: 'c', row: 'r' }, 'secret')
    await pool.end()
    expect(notOk(await doctor())).toContain('fail secrets')
    expect(notOk(await doctor({ SECRETS_KEY: wrong.toString('base64') }))).toContain('fail secrets')
    const given = { SECRETS_KEY: wrong.toString('base64'), SECRETS_KEY_PREVIOUS: right.toString('base64') }
    for (const keys of [given, { SECRETS_KEY: right.toString('base64') }])
      expect(notOk(await doctor(keys)).filter((line) => line.endsWith('secrets'))).toEqual([])
  })

  it('finds a deployable that is down', async () => {
    down = 'booking'
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({ level: 'fail', sentence: 'booking does not answer.' }),
    )
    down = undefined
  })

  it('finds settings of roles that count more than those of the product, and the migration takes them away', async () => {
    const settings = async () =>
      (await doctor()).findings.map(({ sentence }) => sentence).filter((sentence) => /timezone/i.test(sentence))
    const name = new URL(database.ownerUrl).pathname.slice(1)
    await onDatabase(`ALTER ROLE crm_api IN DATABASE "${name}" SET timezone = 'Asia/Tokyo'`)
    expect(await settings()).toEqual([expect.stringContaining('crm_api has TimeZone=Asia/Tokyo')])
    expect((await commandAsProcess(env, ['db', 'migrate'])).code).toBe(0)
    expect(await settings()).toEqual([])
  })

  it('finds roles that lack rights, have others besides, or cannot log in, and changes none of it', async () => {
    expect(notOk(await doctor()).filter((line) => line.endsWith('database'))).toEqual([])
    await onDatabase(
      `REVOKE SELECT ON workspaces FROM crm_booking; REVOKE UPDATE (seq) ON audit_log FROM crm_api; ALTER ROLE crm_hooks RESET lock_timeout;
       GRANT DELETE ON bookings TO crm_booking; ALTER ROLE crm_gateway NOLOGIN`,
    )
    for (let twice = 0; twice < 2; twice += 1) {
      const sentences = (await doctor()).findings.map(({ level, sentence }) => `${level} ${sentence}`)
      expect(sentences).toEqual(
        expect.arrayContaining([
          'fail Roles lack rights: crm_api has UPDATE on audit_log.seq, crm_booking has SELECT on workspaces, crm_hooks has lock_timeout=3000.',
          'warn Roles have more rights than they need: crm_booking has DELETE on bookings.',
          'fail Roles cannot log in: crm_gateway.',
        ]),
      )
    }
  })

  it('finds a pause', async () => {
    await onDatabase('UPDATE installation SET paused_at = now()')
    expect(notOk(await doctor())).toContain('warn sending')
  })

  it('finds names that are sorted otherwise than their indexes', async () => {
    const owner = new Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query("UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'crm_names'")
      const { findings } = await doctor()
      expect(findings).toContainEqual(
        expect.objectContaining({ level: 'fail', sentence: expect.stringContaining('collation public.crm_names') }),
      )
      await migrate(database.ownerUrl)
      expect((await doctor()).findings).toContainEqual(
        expect.objectContaining({ level: 'ok', sentence: 'Texts are sorted as their indexes were built.' }),
      )
    } finally {
      await owner.end()
    }
  })

  it('finds a schema that is behind', async () => {
    await onDatabase(
      'DELETE FROM migrations.__drizzle_migrations WHERE created_at > (SELECT min(created_at) FROM migrations.__drizzle_migrations)',
    )
    expect((await doctor()).findings).toContainEqual(
      expect.objectContaining({ level: 'fail', sentence: 'The schema is behind this version.' }),
    )
  })
})

it.each([
  [0, 500, 1_000, 0],
  [1_000, 400, 1_200, 600],
  [1_000, 2_500, 1_200, 1_300],
])('a clock that was asked at %i, said %i and had answered by %i is %i ms away', (before, read, after, away) => {
  expect(clockDistance(before, read, after)).toBe(away)
})

it('judges backups by the newest that was verified', () => {
  const at = Date.parse('2026-03-02T12:00:00Z')
  const backup = (createdAt: string, verifiedAt: string | null) => ({ id: createdAt, createdAt, verifiedAt })
  expect(judgeBackups([], at)).toMatchObject({ level: 'warn' })
  expect(judgeBackups([backup('2026-03-02T11:00:00Z', null)], at)).toMatchObject({ level: 'warn' })
  expect(judgeBackups([backup('2026-03-01T11:00:00Z', 'x'), backup('2026-03-02T11:00:00Z', null)], at)).toMatchObject({
    level: 'ok',
  })
  expect(judgeBackups([backup('2026-02-27T11:00:00Z', 'x')], at)).toMatchObject({ level: 'warn' })
})
