// A backup is written while others write, and everything is restored elsewhere.
import { createDatabase, createPool, newId, readMaySend, schema } from '@crm/db'
import { createTestWorkspace, freezableDatabase, testDatabase, testRedis, testScratchDir, noise } from '@crm/testkit'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { commandIn, type Outcome } from './command.ts'

const source = await testDatabase()
const { url: redisUrl, redis } = await testRedis()
// Restoring changes the rights of roles, which belong to a whole server.
const server = await freezableDatabase()

const newFolder = (): string => mkdtempSync(join(testScratchDir(), 'backup-'))

interface Place {
  readonly databaseUrl: string
  readonly dataDir: string
  /** Additional environment variables of the place. */
  readonly env?: NodeJS.ProcessEnv
}

function crm({ databaseUrl, dataDir, env: more }: Place, ...args: string[]): Promise<Outcome> {
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    BASE_URL: 'http://localhost:9090',
    ...more,
  }
  return commandIn(environment, [...args, '--json'])
}

async function json<T = Record<string, unknown>>(place: Place, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await crm(place, ...args)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

async function query<Row extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Creates a database on the server of the restores, without any data. */
async function emptyPlace(): Promise<Place> {
  const name = `restore_${newId().slice(-8)}`
  await query(server.ownerUrl, `CREATE DATABASE ${name}`)
  const url = new URL(server.ownerUrl)
  url.pathname = `/${name}`
  return { databaseUrl: url.href, dataDir: newFolder() }
}

/** Plants notifications that wait for their mails, and workflows that start at a time of day; returns the ids of these. */
async function plantTimed(databaseUrl: string): Promise<readonly string[]> {
  const [person] = await query<{ workspaceId: string; id: string }>(
    databaseUrl,
    'SELECT workspace_id AS "workspaceId", id FROM employees ORDER BY id LIMIT 1',
  )
  const place = [person?.workspaceId, person?.id]
  await query(databaseUrl, `UPDATE workspaces SET timezone = 'Asia/Tokyo'`)
  await query(
    databaseUrl,
    `INSERT INTO notification_mails (workspace_id, employee_id, kinds, digest, since)
     VALUES ($1, $2, '{MENTIONED}', '{TASK_DUE}', now() - interval '9 days')`,
    place,
  )
  await query(
    databaseUrl,
    `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, created_at)
     SELECT $1, gen_random_uuid(), $2, kind, 'planted: ' || what, now() - age::interval FROM (VALUES
       ('MENTIONED', 'at once', '1 hour'), ('TASK_DUE', 'with the digest', '20 hours'),
       ('OTHER', 'unwished', '1 hour'), ('MENTIONED', 'old', '3 days')) AS planted (kind, what, age)`,
    place,
  )
  const ids = [newId(), newId()]
  const starts = [
    ['Due', "now() - interval '1 hour'", '12:00'],
    ['Later', "date_trunc('hour', now()) + interval '3 days 17 minutes'", '07:17'],
  ] as const
  for (const [n, [name, nextRunAt, at]] of starts.entries()) {
    const trigger = JSON.stringify({ type: 'SCHEDULE', at })
    await query(
      databaseUrl,
      `INSERT INTO workflows (workspace_id, id, name, status, trigger, steps, published_version, next_run_at, run_as_id)
       VALUES ($1, $3, $4, 'PUBLISHED', $5, '[]', 1, ${nextRunAt}, $2)`,
      [...place, ids[n], name, trigger],
    )
    await query(
      databaseUrl,
      "INSERT INTO workflow_versions (workspace_id, workflow_id, version, trigger, steps) VALUES ($1, $2, 1, $3, '[]')",
      [place[0], ids[n], trigger],
    )
  }
  return ids
}

/** Rows and digest of each table. */
async function contentOf(databaseUrl: string): Promise<Record<string, unknown>> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relname IN ('installation', 'processes') ORDER BY 1",
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await query(
        databaseUrl,
        // The columns stand in another order where a migration added some.
        `SELECT count(*)::int AS rows, md5(string_agg(md5(to_jsonb(t)::text), '' ORDER BY md5(to_jsonb(t)::text))) AS digest FROM "${name}" t`,
      )
      return [name, row] as const
    }),
  )
  return Object.fromEntries(found)
}

/** Returns the parts of the schema: constraints, indexes, triggers and rights. */
async function schemaOf(databaseUrl: string): Promise<unknown> {
  return query(
    databaseUrl,
    `SELECT 'constraint' AS kind, conrelid::regclass::text || ' ' || conname AS name, pg_get_constraintdef(oid) || convalidated AS text
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT 'trigger', tgrelid::regclass::text || ' ' || tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal AND tgname NOT LIKE 'zz\\_%'
     UNION ALL SELECT 'right', c.relname || ' ' || a.grantee::regrole::text, string_agg(a.privilege_type, ',' ORDER BY a.privilege_type)
       FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace = 'public'::regnamespace AND a.grantee::regrole::text LIKE 'crm%' GROUP BY 2
     ORDER BY 1, 2`,
  )
}

/** Returns the contents of a storage, by key. */
function filesIn({ dataDir }: Place): Record<string, string> {
  const root = join(dataDir, 'files')
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(root, name)))
          .digest('hex'),
      ]),
  )
}

interface Made {
  readonly id: string
  readonly path: string
  readonly rows: number
  readonly files: number
  readonly bytes: number
  readonly seconds: number
}

const from: Place = { databaseUrl: source.ownerUrl, dataDir: newFolder() }
const backups = newFolder()
const owner = createPool({ databaseUrl: source.ownerUrl, max: 4, applicationName: 'test-owner' })
afterAll(() => owner.end())

const acknowledged: string[] = []
let before: Record<string, unknown>
let made: Made

beforeAll(async () => {
  await json(from, 'db', 'seed-demo')
  const db = createDatabase(owner)
  const { workspaceId, adminUserId } = await createTestWorkspace(db)
  const bytes = noise(100_000)
  await db.insert(schema.employeePictures).values({
    workspaceId,
    employeeId: adminUserId,
    version: newId(),
    mediaType: 'image/png',
    size: bytes.length,
    bytes,
  })
  await query(
    source.ownerUrl,
    "INSERT INTO outbox (workspace_id, id, topic, event, relayed_at) VALUES ($1, $2, 'change', 'lead.created', now())",
    [workspaceId, newId()],
  )
  // The waiting rows of the outbox stay as they were: no process that takes them runs here.
  before = await contentOf(source.ownerUrl)

  const over = new AbortController()
  const writing = (async () => {
    while (!over.signal.aborted) {
      const id = newId()
      await db.insert(schema.industries).values({ workspaceId, id, name: `Written meanwhile ${id}` })
      acknowledged.push(id)
    }
  })()
  const acknowledgedBefore = () => acknowledged.length > 5
  while (!acknowledgedBefore()) await new Promise((resolve) => setImmediate(resolve))
  acknowledgedThen.push(...acknowledged)
  made = await json<Made>(from, 'backup', 'create', '--to', backups)
  over.abort()
  await writing
}, 120_000)

const acknowledgedThen: string[] = []

it('tells what it has written', () => {
  expect(made).toMatchObject({ path: join(backups, made.id), rows: expect.any(Number), files: expect.any(Number) })
  expect(made.rows).toBeGreaterThan(1_000)
  expect(made.files).toBe(Object.keys(filesIn(from)).length)
  expect(readdirSync(made.path).toSorted()).toEqual(['files', 'manifest.json', 'tables'])
})

it('is verified, listed, and says when it was', async () => {
  expect(await json(from, 'backup', 'verify', made.path)).toMatchObject({ verified: true, rows: made.rows })
  expect(await json(from, 'backup', 'list', '--at', backups)).toMatchObject([
    { id: made.id, rows: made.rows, files: made.files, verifiedAt: expect.stringMatching(/^\d{4}-/) },
  ])
})

describe('a damaged backup', () => {
  const copy = (): string => {
    const path = join(newFolder(), made.id)
    cpSync(made.path, path, { recursive: true })
    return path
  }
  const largest = (folder: string): string =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted((a, b) => statSync(b).size - statSync(a).size)[0] as string

  it.each([
    ['the middle of a table', 'tables', (bytes: Buffer) => bytes.length >> 1],
    // The head of an archive holds only its time and operating system, which nobody needs.
    ['the head of a table', 'tables', () => 9],
    ['the end of a table', 'tables', (bytes: Buffer) => bytes.length - 1],
    ['a content', 'files', (bytes: Buffer) => bytes.length >> 1],
  ])('is found by one flipped bit in %s, and is not restored', async (_where, folder, at) => {
    const path = copy()
    const file = largest(join(path, folder))
    const bytes = readFileSync(file)
    const offset = at(bytes)
    bytes[offset] = (bytes[offset] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const { code, stderr } = await crm(from, 'backup', 'verify', path)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The backup is damaged at (tables|files)\/\S+: /)])
    const to = await emptyPlace()
    expect(await crm(to, 'backup', 'restore', path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('damaged'),
    })
    if (folder === 'tables')
      expect(await query(to.databaseUrl, 'SELECT count(*)::int AS n FROM leads')).toEqual([{ n: 0 }])
  })

  it('is found by a manifest that cannot be read, and by none', async () => {
    const path = copy()
    writeFileSync(join(path, 'manifest.json'), readFileSync(join(path, 'manifest.json')).subarray(0, 100))
    expect(await crm(from, 'backup', 'verify', path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The manifest of'),
    })
    expect(await crm(from, 'backup', 'verify', join(backups, 'nothing'))).toMatchObject({
      code: 1,
      stderr: `There is no backup at ${join(backups, 'nothing')}\n`,
    })
  })

  it('of a newer version is refused', async () => {
    const path = copy()
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Record<string, unknown>
    writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...manifest, migration: Date.now() * 2 }))
    const { code, stderr } = await crm(await emptyPlace(), 'backup', 'restore', path)
    expect([code, stderr]).toEqual([1, expect.stringContaining('was made by a newer version of workspace-crm')])
  })
})

describe('restoring', () => {
  let to: Place
  let restored: Record<string, unknown>

  beforeAll(async () => {
    to = { ...(await emptyPlace()), env: { ROLE_PASSWORD: 'at least twelve characters' } }
    for (const key of ['{crm-jobs}:id', 'epoch:a', 'changed.1:a', 'limit.1:sign-in:a', 'limit:b', 'call-seats.7:{a}'])
      await redis.set(key, 1)
    await redis.set('of another program', 1)
    restored = await json(to, 'backup', 'restore', made.path)
  }, 60_000)

  it('brings every row that was there, and all that was acknowledged before', async () => {
    const after = await contentOf(to.databaseUrl)
    const { industries: _, outbox: _waits, ...untouched } = before
    expect(after).toMatchObject(untouched)
    const found = await query<{ id: string }>(
      to.databaseUrl,
      "SELECT id FROM industries WHERE name LIKE 'Written meanwhile %' ORDER BY id",
    )
    expect(acknowledgedThen.length).toBeGreaterThan(5)
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(acknowledged.slice(0, found.length)))
    expect(found.length).toBeGreaterThanOrEqual(acknowledgedThen.length)
    expect(restored).toMatchObject({ restored: made.id, rows: made.rows, files: made.files, paused: true })
  })

  it('forgets what Redis holds for this installation, and nothing else', async () => {
    expect(await redis.keys('*')).toEqual(['of another program'])
  })

  it('lets the deployables log in', async () => {
    const url = new URL(to.databaseUrl)
    Object.assign(url, { username: 'crm_api', password: 'at least twelve characters' })
    expect(await query(url.href, 'SELECT count(*)::int AS n FROM workspaces')).toEqual([{ n: 2 }])
  })

  it('brings the contents of files', () => expect(filesIn(to)).toEqual(filesIn(from)))

  it('leaves a schema like that of a migrated database', async () => {
    expect(await schemaOf(to.databaseUrl)).toEqual(await schemaOf(server.ownerUrl))
  })

  it('goes on with sequences where they were', async () => {
    const text = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1"
    expect(await query(to.databaseUrl, text)).toEqual(await query(source.ownerUrl, text))
  })

  it('refuses a database and a storage that hold something, and replaces them when it is told to', async () => {
    const { code, stderr } = await crm(to, 'backup', 'restore', made.path)
    expect([code, stderr]).toEqual([1, 'The database is not empty: name another one, or empty it with --force\n'])
    const other = await emptyPlace()
    mkdirSync(join(other.dataDir, 'files', 'somebody'), { recursive: true })
    writeFileSync(join(other.dataDir, 'files', 'somebody', 'else'), 'x')
    expect((await crm(other, 'backup', 'restore', made.path)).stderr).toContain('The storage of files is not empty')
    await query(to.databaseUrl, "UPDATE workspaces SET name = 'Changed'")
    await json({ ...to, dataDir: other.dataDir }, 'backup', 'restore', made.path, '--force')
    expect(await query(to.databaseUrl, "SELECT FROM workspaces WHERE name = 'Changed'")).toEqual([])
    expect(filesIn(other)).toEqual(filesIn(from))
  })

  it('is done once when two begin at one moment; the other one waits, then finds a database that is not empty', async () => {
    const other = await emptyPlace()
    const both = await Promise.all([1, 2].map(() => crm(other, 'backup', 'restore', made.path)))
    const [won, lost] = both.toSorted((a, b) => a.code - b.code)
    expect(won?.code).toBe(0)
    expect([lost?.code, lost?.stderr]).toEqual([
      1,
      'Somebody else migrates or restores this database; this command waits for them.\nThe database is not empty: name another one, or empty it with --force\n',
    ])
    expect(filesIn(other)).toEqual(filesIn(from))
    const rows = 'SELECT count(*)::int AS n FROM timeline'
    expect(await query(other.databaseUrl, rows)).toEqual(await query(to.databaseUrl, rows))
  })

  it('sends nothing until it is resumed, which says how much waits', async () => {
    expect(await readMaySend({ query: onTarget } as never)).toBe(false)
    expect(await query(to.databaseUrl, 'SELECT FROM outbox WHERE done_at IS NULL AND relayed_at IS NOT NULL')).toEqual(
      [],
    )
    const [dueId, laterId] = await plantTimed(to.databaseUrl)
    const waiting = await json<{ outbox: number }>(to, 'resume')
    expect(waiting).toMatchObject({
      pausedSince: expect.any(String),
      runs: expect.any(Number),
      notificationMails: 2,
      schedules: 1,
    })
    expect(waiting.outbox).toBeGreaterThan(0)
    expect((await crm(to, 'resume', '--send-outbox', '--drop-outbox')).code).toBe(1)
    expect(await json(to, 'resume', '--drop-outbox')).toMatchObject({
      resumed: true,
      dropped: { outbox: waiting.outbox, notificationMails: 2, schedules: 1 },
    })
    expect(
      await query(
        to.databaseUrl,
        `SELECT name, next_run_at > now() AS "isLater", (next_run_at AT TIME ZONE 'Asia/Tokyo')::time = '12:00' AS "isAtNoon"
         FROM workflows WHERE id IN ($1, $2) ORDER BY name`,
        [dueId, laterId],
      ),
    ).toEqual([
      { name: 'Due', isLater: true, isAtNoon: true },
      { name: 'Later', isLater: true, isAtNoon: false },
    ])
    const texts = await query(
      to.databaseUrl,
      "SELECT text FROM notifications WHERE mailed_at IS NULL AND text LIKE 'planted%' ORDER BY 1",
    )
    expect(texts).toEqual([{ text: 'planted: old' }, { text: 'planted: unwished' }])
    expect(await readMaySend({ query: onTarget } as never)).toBe(true)
    expect(await query(to.databaseUrl, 'SELECT FROM outbox WHERE done_at IS NULL')).toEqual([])
    expect(
      await query(to.databaseUrl, "SELECT FROM workflow_runs WHERE state IN ('QUEUED', 'RUNNING', 'WAITING')"),
    ).toEqual([])
    expect(await crm(to, 'resume')).toMatchObject({ code: 1, stderr: 'The installation is not paused\n' })
  })

  it('keeps what waits when it is to be sent', async () => {
    const other = await emptyPlace()
    await json(other, 'backup', 'restore', made.path)
    const waiting = await json<{ outbox: number }>(other, 'resume')
    expect(await json(other, 'resume', '--send-outbox')).toMatchObject({
      resumed: true,
      sent: { outbox: waiting.outbox },
    })
    expect(await query(other.databaseUrl, 'SELECT FROM outbox WHERE done_at IS NULL')).toHaveLength(waiting.outbox)
  })

  it('is paused by a command, also after its database came back to an earlier time', async () => {
    const other = await emptyPlace()
    await json(other, 'backup', 'restore', made.path)
    await json(other, 'resume', '--send-outbox')
    const handedOn = 'SELECT count(*)::int AS n FROM outbox WHERE done_at IS NULL AND relayed_at IS NOT NULL'
    await query(other.databaseUrl, 'UPDATE outbox SET relayed_at = now() WHERE done_at IS NULL')
    const [before] = await query<{ n: number }>(other.databaseUrl, handedOn)
    expect(before?.n).toBeGreaterThan(0)
    const paused = await json<{ pausedSince: string }>(other, 'pause')
    expect(paused).toMatchObject({ pausedSince: expect.any(String), outbox: before?.n })
    expect(await query(other.databaseUrl, handedOn)).toEqual([before])
    expect(await json(other, 'pause', '--recovered')).toMatchObject({ pausedSince: paused.pausedSince })
    expect(await query(other.databaseUrl, handedOn)).toEqual([{ n: 0 }])
    expect(await json(other, 'resume', '--drop-outbox')).toMatchObject({ resumed: true })
  })

  const onTarget = async ({ text }: { text: string }) => ({ rows: await query(to.databaseUrl, text) })
})

it('names contents that were lost, and backs up the others', async () => {
  const place = { ...from, dataDir: newFolder() }
  const files = Object.keys(filesIn(from))
  cpSync(join(from.dataDir, 'files'), join(place.dataDir, 'files'), { recursive: true })
  const [lost = ''] = files
  rmSync(join(place.dataDir, 'files', lost))
  const partial = await json<Made & { lost: number }>(place, 'backup', 'create', '--to', newFolder())
  expect(partial).toMatchObject({ lost: 1, files: files.length - 1 })
  expect(JSON.parse(readFileSync(join(partial.path, 'manifest.json'), 'utf8'))).toMatchObject({ lost: [lost] })
})

it('is kept in a bucket as well', async () => {
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: newFolder(),
    configureBuckets: [
      { name: 'backups', configs: [] },
      { name: 'files', configs: [] },
    ],
  })
  const { port } = await s3.run()
  onTestFinished(() => s3.close())
  const place = {
    ...from,
    env: { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
  }
  const first = await json<Made>(place, 'backup', 'create', '--to', 's3://backups/crm')
  const second = await json<Made>(place, 'backup', 'create', '--to', 's3://backups/crm')
  expect(second.path).toBe(`s3://backups/crm/${second.id}`)
  await json(place, 'backup', 'verify', second.path)
  expect(await json(place, 'backup', 'list', '--at', 's3://backups/crm')).toMatchObject([
    { id: first.id },
    { id: second.id },
  ])
  const prune = [
    'backup',
    'prune',
    '--at',
    's3://backups/crm',
    '--keep-daily',
    '1',
    '--keep-weekly',
    '0',
    '--keep-monthly',
    '0',
  ]
  expect(await json(place, ...prune)).toEqual({ removed: [first.id] })
  const to = { ...(await emptyPlace()), env: place.env }
  expect(await json(to, 'backup', 'restore', second.path)).toMatchObject({ restored: second.id, rows: second.rows })

  const files = filesIn(from)
  const number = Object.keys(files).length
  const elsewhere = { ...place, env: { ...place.env, S3_BUCKET: 'files' } }
  const back = { ...elsewhere, dataDir: newFolder() }
  expect(await json(elsewhere, 'files', 'move', '--to', 's3')).toEqual({ contents: number, copied: number, removed: 0 })
  expect(await json(elsewhere, 'files', 'move', '--to', 's3')).toEqual({ contents: number, copied: 0, removed: 0 })
  const moved = await json(back, 'files', 'move', '--to', 'local', '--remove')
  expect(moved).toEqual({ contents: number, copied: number, removed: number })
  expect(filesIn(back)).toEqual(files)
  writeFileSync(join(back.dataDir, 'files', Object.keys(files)[0] ?? ''), 'damaged')
  expect(await json(elsewhere, 'files', 'move', '--to', 's3')).toMatchObject({ copied: number })
  expect((await crm(back, 'files', 'move', '--to', 'local')).stderr).toContain('differs in the two places')
})
