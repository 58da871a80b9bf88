import { createDatabase, createPool, newId, schema } from '@crm/db'
import { digest, hashPassword } from '@crm/identity'
import { connectRedis, createEpochs } from '@crm/redis'
import { miscounted, testDatabase, testRedis } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandAsProcess, commandIn, type Outcome } from './command.ts'

const database = await testDatabase()
const { url: redisUrl } = await testRedis()
const dataDir = mkdtempSync(join(tmpdir(), 'crm-cli-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const crm = (...args: string[]): Promise<Outcome> => crmWith({}, ...args)

const environment = {
  DATABASE_URL: database.operatorUrl,
  DATABASE_PREPARE: process.env['DATABASE_PREPARE'],
  REDIS_URL: redisUrl,
  DATA_DIR: dataDir,
  BASE_URL: 'http://localhost:9090',
}

const crmWith = (variables: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> =>
  commandIn({ ...environment, ...variables }, args)

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await crm(...args, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Record<string, unknown>
}

const created = await json(
  'workspace',
  'create',
  '--slug',
  'acme',
  '--name',
  'Acme',
  '--admin-email',
  'ada@acme.test',
  '--admin-password',
  'long enough pass',
  '--host',
  'acme.test',
)

describe('crm workspace', () => {
  it('creates a workspace and says its ids', () => {
    expect(created).toEqual({
      workspaceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      adminUserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('makes the address from the first host and the port of BASE_URL', async () => {
    const { stdout } = await crm('workspace', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ slug: 'acme', baseUrl: 'http://acme.test:9090' }])
  })

  it('refuses a slug that is taken, in one line on standard error', async () => {
    const again = [
      'workspace',
      'create',
      '--slug',
      'acme',
      '--name',
      'B',
      '--admin-email',
      'b@b.test',
      '--admin-password',
      'long enough pass',
    ]
    const refused = { code: 1, stdout: '', stderr: 'The slug acme is taken\n' }
    expect(await crm(...again)).toEqual(refused)
    expect(await commandAsProcess(environment, again)).toEqual(refused)
  })

  it('sets and lifts limits, modules and maintenance, and makes the services forget', async () => {
    const redis = await connectRedis(redisUrl, { role: 'test' })
    const epochs = createEpochs(redis)
    const before = await epochs.read(created['workspaceId'] as string)
    expect(await json('workspace', 'retain', 'acme', 'runs=30', 'audit=365')).toMatchObject({
      retention: { runs: 30, audit: 365, timeline: null },
    })
    expect(await json('workspace', 'retain', 'acme', 'runs=none')).toMatchObject({
      retention: { runs: null, audit: 365 },
    })
    // A command that knows the settings of the installation gives nobody more.
    const longer = ['workspace', 'retain', 'acme', 'jobs=8', 'exports=3'] as const
    expect(await crmWith({ RETAIN_JOBS_DAYS: '7' }, ...longer)).toMatchObject({
      code: 1,
      stderr: 'The installation keeps jobs for less: RETAIN_JOBS_DAYS is 7\n',
    })
    const hours = await crmWith({ RETAIN_OUTBOX_HOURS: '24' }, 'workspace', 'retain', 'acme', 'outbox=2')
    expect(hours.stderr).toContain('RETAIN_OUTBOX_HOURS is 24')
    expect((await crmWith({ RETAIN_JOBS_DAYS: '0' }, ...longer)).code).toBe(0)
    expect(await json('workspace', 'retain', 'acme', 'jobs=none', 'exports=none')).toMatchObject({
      retention: { jobs: null, outbox: null, exports: null },
    })
    expect(await json('workspace', 'quota', 'acme', 'leads=5')).toMatchObject({ quotas: { leads: 5 } })
    expect(await json('workspace', 'quota', 'acme', 'leads=none')).toMatchObject({ quotas: { leads: null } })
    expect(await json('workspace', 'quota', 'acme', 'storage=10GB', 'tasks=7')).toMatchObject({
      quotas: { storage: '10GB', tasks: 7 },
    })
    expect(await json('workspace', 'quota', 'acme', 'storage=1500mb')).toMatchObject({ quotas: { storage: '1500MB' } })
    expect(await json('workspace', 'quota', 'acme')).toMatchObject({
      quotas: { leads: null, tasks: 7, storage: '1500MB' },
    })
    expect(await json('workspace', 'quota', 'acme', 'storage=none', 'tasks=none')).toMatchObject({
      quotas: { tasks: null, storage: null },
    })
    const usualLimits = {
      'api.per-minute': 600,
      'hooks.per-minute': 60,
      'bookings.per-minute': 10,
      'mails.per-hour': 1000,
      'runs.share': 25,
      'requests.share': 50,
      'storage.mb': 0,
    }
    expect(await json('workspace', 'limit', 'acme')).toMatchObject({ limits: usualLimits })
    expect(await json('workspace', 'limit', 'acme', 'api.per-minute=5', 'storage.mb=1500')).toMatchObject({
      limits: { ...usualLimits, 'api.per-minute': 5, 'storage.mb': 1500 },
    })
    expect(await json('workspace', 'quota', 'acme')).toMatchObject({ quotas: { storage: '1500MB' } })
    expect(await json('workspace', 'limit', 'acme', 'runs.share=100', 'storage.mb=0')).toMatchObject({
      limits: { ...usualLimits, 'api.per-minute': 5, 'runs.share': 100 },
    })
    expect(await json('workspace', 'limit', 'acme', 'api.per-minute=default', 'runs.share=default')).toMatchObject({
      limits: usualLimits,
    })
    expect(await json('workspace', 'module', 'acme', 'SALES', 'off', '--reason', 'self')).toMatchObject({
      enabled: false,
      reason: 'self',
    })
    expect(await json('workspace', 'maintenance', 'acme', 'on')).toMatchObject({ maintenance: true })
    expect(await epochs.read(created['workspaceId'] as string)).not.toBe(before)
    await redis.close()
  })

  it('adds a host and keeps one that belongs to another workspace', async () => {
    await json(
      'workspace',
      'create',
      '--slug',
      'other',
      '--name',
      'Other',
      '--admin-email',
      'o@o.test',
      '--admin-password',
      'long enough pass',
    )
    expect(await json('workspace', 'host', 'add', 'acme', 'CRM.Acme.test')).toMatchObject({ host: 'crm.acme.test' })
    expect((await crm('workspace', 'host', 'add', 'other', 'crm.acme.test')).code).toBe(1)
  })
})

describe('crm user, key and booking-link', () => {
  it('adds a person, suspends them, gives and revokes a key', async () => {
    const user = await json(
      'user',
      'create',
      '--workspace',
      'acme',
      '--email',
      'bob@acme.test',
      '--password',
      'long enough pass',
      '--role',
      'Member',
      '--department',
      'Sales',
      '--name',
      'Bob Stone',
    )
    expect(user['userId']).toMatch(/^[0-9a-f-]{36}$/)
    expect(await json('user', 'status', '--workspace', 'acme', 'bob@acme.test', 'SUSPENDED')).toMatchObject({
      status: 'SUSPENDED',
    })
    const key = await json(
      'key',
      'create',
      '--workspace',
      'acme',
      '--owner',
      'ada@acme.test',
      '--name',
      'CI',
      '--scopes',
      'VIEW_LEAD,CREATE_LEAD',
    )
    expect(key).toEqual({ id: expect.any(String), key: expect.stringMatching(/^sk-[\w-]{43}$/) })
    expect(await json('key', 'revoke', '--workspace', 'acme', key['id'] as string)).toMatchObject({ revoked: true })
    expect((await crm('key', 'revoke', '--workspace', 'acme', key['id'] as string)).code).toBe(1)
  })

  it('keeps one active administrator', async () => {
    const refused = await crm('user', 'status', '--workspace', 'acme', 'ada@acme.test', 'TERMINATED')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('One active administrator must stay') })
    await json(
      'user',
      'create',
      '--workspace',
      'acme',
      '--email',
      'second@acme.test',
      '--password',
      'long enough pass',
      '--role',
      'Administrator',
    )
    expect(await json('user', 'status', '--workspace', 'acme', 'ada@acme.test', 'SUSPENDED')).toMatchObject({
      status: 'SUSPENDED',
    })
    expect(await json('user', 'status', '--workspace', 'acme', 'ada@acme.test', 'ACTIVE')).toMatchObject({
      status: 'ACTIVE',
    })
  })

  it.each([
    [
      [
        'workspace',
        'create',
        '--slug',
        'x',
        '--name',
        'X',
        '--admin-email',
        'nobody',
        '--admin-password',
        'long enough pass',
      ],
      'not an email address',
    ],
    [
      [
        'workspace',
        'create',
        '--slug',
        'x',
        '--name',
        'X',
        '--admin-email',
        'x@x.test',
        '--admin-password',
        'long enough pass',
        '--base-url',
        'ftp://x.test',
      ],
      'not ftp://x.test',
    ],
    [
      [
        'workspace',
        'create',
        '--slug',
        'x',
        '--name',
        'X',
        '--admin-email',
        'x@x.test',
        '--admin-password',
        'long enough pass',
        '--host',
        'ACME.test',
      ],
      'acme.test belongs to another workspace',
    ],
    [['workspace', 'host', 'add', 'acme', 'https://acme.test/'], 'not a host name'],
    [['workspace', 'retain', 'acme', 'runs=0'], 'Expected days of at least 1 such as runs=30'],
    [['workspace', 'retain', 'acme', 'moons=5'], 'Unknown history moons; known: runs'],
    [['workspace', 'limit', 'acme', 'moons=5'], 'Unknown limit moons; known: api.per-minute'],
    [['workspace', 'limit', 'acme', 'api.per-minute=many'], 'Expected a limit such as api.per-minute=1200'],
    [['workspace', 'limit', 'acme', 'api.per-minute=0'], 'api.per-minute is a number from 1 to 1000000'],
    [['workspace', 'limit', 'acme', 'runs.share=101'], 'runs.share is a number from 1 to 100'],
    [['workspace', 'limit', 'acme', 'storage.mb=9999999999'], 'storage.mb is a number from 0 to 2147483647'],
    [['workspace', 'quota', 'acme', 'moons=5'], 'Unknown limit moons; known: leads'],
    [['workspace', 'quota', 'acme', 'leads=5GB'], 'Expected a limit such as leads=5 or storage=10GB'],
    [['workspace', 'quota', 'acme', 'storage=10'], 'Expected a size such as 500MB, 10GB or 1TB'],
    [['workspace', 'quota', 'acme', 'storage=999999TB'], 'Expected a size such as'],
    [
      ['user', 'create', '--workspace', 'acme', '--email', 'x@acme.test', '--password', 'short', '--role', 'Member'],
      'at least 10',
    ],
    [
      [
        'user',
        'create',
        '--workspace',
        'acme',
        '--email',
        'x@a.test',
        '--password',
        'password1234',
        '--role',
        'Member',
      ],
      'easy to guess',
    ],
    [
      [
        'user',
        'create',
        '--workspace',
        'acme',
        '--email',
        'x@acme.test',
        '--password',
        'long enough pass',
        '--role',
        'Emperor',
      ],
      'no role',
    ],
    [
      ['key', 'create', '--workspace', 'acme', '--owner', 'ada@acme.test', '--name', 'x', '--scopes', 'VIEW_MOON'],
      'Unknown scopes',
    ],
    [['key', 'create', '--workspace', 'nowhere', '--owner', 'a@b.c', '--name', 'x', '--scopes', 'ALL'], 'no workspace'],
    [
      ['booking-link', 'create', '--workspace', 'acme', '--organizer', 'ada@acme.test', '--slug', 'manage'],
      'cannot be a slug',
    ],
    [
      [
        'booking-link',
        'create',
        '--workspace',
        'acme',
        '--organizer',
        'ada@acme.test',
        '--slug',
        'call',
        '--hours',
        'MOO 9-5',
      ],
      'Expected hours',
    ],
    [
      [
        'booking-link',
        'create',
        '--workspace',
        'acme',
        '--organizer',
        'ada@acme.test',
        '--slug',
        'call',
        '--timezone',
        'AET',
      ],
      'AET is not an IANA time zone',
    ],
  ])('refuses %j', async (args, reason) => {
    const { code, stdout, stderr } = await crm(...args)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(reason)
  })

  it('takes the port off a host, which requests are told apart without, and keeps it in the address', async () => {
    await json(
      'workspace',
      'create',
      '--slug',
      'ported',
      '--name',
      'P',
      '--admin-email',
      'p@p.test',
      '--admin-password',
      'long enough pass',
      '--host',
      'p.test:7070',
      '--host',
      '[::2]:7070',
    )
    expect(JSON.parse((await crm('workspace', 'list', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ slug: 'ported', baseUrl: 'http://p.test:7070' }),
    )
    expect((await crm('workspace', 'host', 'add', 'acme', 'P.test')).stderr).toBe(
      'The host p.test belongs to another workspace\n',
    )
    expect((await crm('workspace', 'host', 'add', 'acme', '[::2]')).code).toBe(1)
  })

  it('says what the database said when it cannot be reached', async () => {
    const { code, stderr } = await crmWith({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'workspace', 'list')
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The command failed: connect ECONNREFUSED 127.0.0.1:1\n' })
  })

  it('gives a key the permissions of the workspace’s own types of record, and of no other workspace’s', async () => {
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-owner' })
    const db = createDatabase(pool)
    await db.insert(schema.customEntities).values({
      workspaceId: created['workspaceId'] as string,
      id: newId(),
      key: 'vehicle',
      labels: { singular: 'Vehicle', plural: 'Vehicles' },
      fields: [],
    })
    const give = (workspace: string, owner: string, scopes: string) => [
      'key',
      'create',
      '--workspace',
      workspace,
      '--owner',
      owner,
      '--name',
      'Own',
      '--scopes',
      scopes,
    ]
    const scopesOf = async ({ id }: Record<string, unknown>) =>
      (
        await db
          .select()
          .from(schema.apiKeys)
          .where(eq(schema.apiKeys.id, id as string))
      )[0]?.scopes
    expect(await scopesOf(await json(...give('acme', 'ada@acme.test', 'VIEW_VEHICLE,VIEW_LEAD')))).toEqual([
      'VIEW_VEHICLE',
      'VIEW_LEAD',
    ])
    expect(await scopesOf(await json(...give('acme', 'ada@acme.test', 'ALL')))).toEqual(
      expect.arrayContaining(['VIEW_LEAD', 'DELETE_VEHICLE']),
    )
    expect(await crm(...give('other', 'o@o.test', 'VIEW_VEHICLE'))).toMatchObject({
      code: 1,
      stderr: 'Unknown scopes: VIEW_VEHICLE\n',
    })
    await pool.end()
  })

  it('creates a booking link with hours', async () => {
    const link = await json(
      'booking-link',
      'create',
      '--workspace',
      'acme',
      '--organizer',
      'ada@acme.test',
      '--slug',
      'intro',
      '--duration',
      '45',
      '--hours',
      'MON-FRI 09:00-17:00; SAT 10:00-12:00',
      '--timezone',
      'Europe/Paris',
    )
    expect(link).toMatchObject({ slug: 'intro', url: 'http://acme.test:9090/book/intro' })
  })

  it('explains itself with --help at every level', async () => {
    for (const args of [['--help'], ['workspace', '--help'], ['key', 'create', '--help']]) {
      const told = await crm(...args)
      expect(told).toEqual({ code: 0, stdout: expect.stringContaining('Usage:'), stderr: '' })
      expect(await commandAsProcess(environment, args)).toEqual(told)
    }
  })
})

describe('crm db', () => {
  it('seeds the demo once, and again gives the same key and password', async () => {
    const demo = await json('db', 'seed-demo')
    const file = join(dataDir, 'demo.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(demo)
    expect(demo).toMatchObject({
      baseUrl: 'http://localhost:9090',
      admin: { email: 'admin@demo.test' },
      bookingLink: { slug: 'intro-call', url: 'http://localhost:9090/book/intro-call' },
      mcpUrl: 'http://localhost:9090/api/mcp',
    })
    expect(await json('db', 'seed-demo')).toEqual(demo)
  })

  it('notes what it has planted, and nothing that stays', async () => {
    const { workspaceId } = (await json('demo')) as { workspaceId: string }
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    const { rows } = await pool.query<{ missing: string; stray: string }>(
      `SELECT (SELECT count(*) FROM leads l WHERE l.workspace_id = $1 AND NOT EXISTS (SELECT FROM demo_records d WHERE d.id = l.id AND d.kind = 'LEAD')) AS missing,
        (SELECT count(*) FROM demo_records d JOIN employees e ON e.id = d.id WHERE e.email = 'admin@demo.test') AS stray`,
      [workspaceId],
    )
    expect(rows).toEqual([{ missing: '0', stray: '0' }])
    const kinds = await pool.query<{ kind: string }>('SELECT DISTINCT kind FROM demo_records')
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['VEHICLE', 'EMPLOYEE', 'FILE', 'BOOKING']),
    )
    await pool.end()
  })

  it('tells the demo again, for people and as JSON', async () => {
    const demo = await json('demo')
    expect(demo).toEqual(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
    expect((await crm('demo')).stdout).toContain((demo['admin'] as { password: string }).password)
  })

  it('names the demo’s own webhook and link after others were made', async () => {
    const demo = await json('demo')
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    const db = createDatabase(pool)
    const workspaceId = demo['workspaceId'] as string
    const [admin] = await db.select().from(schema.employees).where(eq(schema.employees.email, 'admin@demo.test'))
    const ownerId = admin!.id
    const workflowId = '00000000-0000-7000-8000-000000000001'
    await db.insert(schema.workflows).values({
      workspaceId,
      id: workflowId,
      name: 'Another',
      status: 'PUBLISHED',
      trigger: { type: 'WEBHOOK', method: 'POST' },
      steps: [],
      publishedVersion: 1,
      runAsId: ownerId,
      createdById: ownerId,
    })
    await db.insert(schema.webhookTriggers).values({
      workspaceId,
      workflowId,
      path: 'another',
      pathHash: Buffer.from('another'),
      secretHash: Buffer.from('theirs'),
      isPublished: true,
      method: 'POST',
    })
    await db.insert(schema.bookingLinks).values({
      workspaceId,
      id: workflowId,
      slug: 'another',
      name: 'Another',
      organizerId: ownerId,
      timezone: 'UTC',
      weeklyHours: [],
    })
    expect(await json('db', 'seed-demo')).toEqual(demo)

    rmSync(join(dataDir, 'demo.json'))
    const renewed = await json('db', 'seed-demo')
    expect(renewed).toMatchObject({
      bookingLink: demo['bookingLink'],
      webhook: { url: (demo['webhook'] as { url: string }).url },
    })
    const [other] = await db
      .select()
      .from(schema.webhookTriggers)
      .where(eq(schema.webhookTriggers.workflowId, workflowId))
    expect(other?.secretHash.toString()).toBe('theirs')
    await pool.end()
  })

  it('overwrites no secret of the demo that somebody uses', async () => {
    const { webhook } = (await json('db', 'seed-demo')) as { webhook: { url: string } }
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    const db = createDatabase(pool)
    const trigger = eq(schema.webhookTriggers.path, webhook.url.split('/').at(-1) ?? '')
    await db.update(schema.webhookTriggers).set({ lastRequestAt: new Date().toISOString() }).where(trigger)
    const [before] = await db.select().from(schema.webhookTriggers).where(trigger)
    const chosen = await hashPassword('a password of my own')
    await db.update(schema.employees).set({ passwordHash: chosen }).where(eq(schema.employees.email, 'admin@demo.test'))

    for (let round = 0; round < 2; round++)
      expect(await json('db', 'seed-demo')).toMatchObject({ admin: { password: null } })
    rmSync(join(dataDir, 'demo.json'))
    const renewed = (await json('db', 'seed-demo')) as { webhook: { url: string; secret: string } }
    const [after] = await db.select().from(schema.webhookTriggers).where(trigger)
    expect(after?.secretHash).toEqual(before?.secretHash)
    expect(renewed.webhook.url).not.toBe(webhook.url)
    const [own] = await db
      .select()
      .from(schema.webhookTriggers)
      .where(eq(schema.webhookTriggers.path, renewed.webhook.url.split('/').at(-1) ?? ''))
    expect(own?.secretHash).toEqual(digest(renewed.webhook.secret))
    await pool.end()
  })

  it('generates records of several kinds by COPY and counts them, and goes on with the numbers of tasks', async () => {
    expect(
      await json(
        'db',
        'generate',
        '--workspace',
        'acme',
        '--leads',
        '1234',
        '--contacts',
        '20',
        '--deals',
        '30',
        '--tasks',
        '40',
      ),
    ).toMatchObject({ leads: 1234, contacts: 20, deals: 30, tasks: 40 })
    expect(await json('db', 'generate', '--workspace', 'acme', '--tasks', '2')).toMatchObject({ tasks: 2 })
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    expect(await miscounted(pool).finally(() => pool.end())).toEqual([])
    expect((await crm('db', 'generate', '--workspace', 'acme')).stderr).toContain('--deals <n>')
  })

  it('names everything that keeps a table from being distributed by workspace', async () => {
    const { code, stdout } = await crm('db', 'distributable', '--json')
    const found = JSON.parse(stdout) as { table: string; part: string; because: string }[]
    expect(code).toBe(1)
    // Triggers count for older statements, keep follow-ups and guard the audit log; nothing else may stand in the way.
    expect(found.filter(({ because }) => !because.startsWith('a trigger'))).toEqual([])
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-distributable' })
    try {
      await pool.query('CREATE TABLE astray (workspace_id uuid, id uuid PRIMARY KEY REFERENCES workspaces)')
      await pool.query('ALTER TABLE astray ADD link uuid REFERENCES astray')
      // An index compares no column that it only carries, and an exclusion compares as its operators say.
      await pool.query('CREATE UNIQUE INDEX astray_carried ON astray (link) INCLUDE (workspace_id)')
      await pool.query('CREATE UNIQUE INDEX astray_own ON astray (workspace_id, link)')
      await pool.query(
        'ALTER TABLE astray ADD CONSTRAINT astray_others EXCLUDE USING gist (workspace_id WITH <>, link WITH =)',
      )
      await pool.query(
        'ALTER TABLE astray ADD CONSTRAINT astray_same EXCLUDE USING gist (workspace_id WITH =, link WITH =)',
      )
      const told = (await crm('db', 'distributable')).stdout.split('\n').filter((line) => line.startsWith('astray '))
      expect(told.map((line) => line.split(' ')[1])).toEqual([
        'astray_carried:',
        'astray_link_fkey:',
        'astray_others:',
        'astray_pkey:',
        'workspace_id:',
      ])
    } finally {
      await pool.query('DROP TABLE astray')
      await pool.end()
    }
  })

  it('distributes nothing over machines without Citus, or over ones that it cannot read', async () => {
    expect(await crm('db', 'distribute', '--workers', 'one')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--workers takes addresses such as 10.0.0.5:5432, not one') as string,
    })
    const { code, stderr } = await crm('db', 'distribute', '--workers', '127.0.0.1:1')
    expect(code).toBe(1)
    expect(stderr).toContain('The database server has no Citus')
  })

  it('names statements of requests without a workspace, where the server keeps statements', async () => {
    const told = async () =>
      (await crm('db', 'distributable')).stdout.split('\n').filter((line) => line.includes('a statement of a request'))
    const owner = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-distributable' })
    const pool = createPool({ databaseUrl: database.urlFor('crm_api'), max: 1, applicationName: 'test-distributable' })
    try {
      await owner.query('CREATE EXTENSION pg_stat_statements')
      expect(await told()).toEqual([])
      await pool.query('SELECT tags FROM leads WHERE id = $1', [randomUUID()])
      await pool.query('SELECT tags FROM leads WHERE workspace_id = $1', [randomUUID()])
      expect(await told()).toEqual([expect.stringContaining('leads crm_api SELECT tags FROM leads WHERE id = $1: ')])
    } finally {
      // The end of the test run judges all statements that are left.
      await owner.query(
        'SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)',
      )
      await owner.query('DROP EXTENSION pg_stat_statements')
      await owner.end()
      await pool.end()
    }
  })

  it('migrates a database that is up to date without changing it', async () => {
    expect(await json('db', 'migrate')).toEqual({ migrated: true })
  })
})

describe('crm audit and crm secrets', () => {
  const key = randomBytes(32).toString('base64')
  const withKey = (...args: string[]) => crmWith({ SECRETS_KEY: key }, ...args, '--json')
  const verified = async (...args: string[]) => {
    const { code, stdout } = await withKey('audit', 'verify', '--workspace', 'acme', ...args)
    return { code, ...(JSON.parse(stdout) as object) }
  }

  it('verify the database and exported files, and end with 2 when something is wrong', async () => {
    const file = join(dataDir, 'acme.ndjson')
    const exported = JSON.parse((await withKey('audit', 'export', '--workspace', 'acme', '--file', file)).stdout)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ head: exported.head })
    expect(await verified('--file', file)).toEqual({
      code: 0,
      ok: true,
      entries: lines.length - 1,
      head: { seq: exported.head.seq, hash: exported.head.hash, at: expect.any(String) },
      brokenAt: null,
      reason: null,
    })
    expect(await verified()).toMatchObject({ code: 0, ok: true })
    const cut = async (kept: readonly string[]) => {
      writeFileSync(file, `${kept.join('\n')}\n`)
      return verified('--file', file)
    }
    expect(await cut(lines.slice(0, -2))).toMatchObject({ code: 2, ok: false, reason: 'TRUNCATED' })
    expect(await cut(lines.toSpliced(-2, 1))).toMatchObject({ code: 2, reason: 'TRUNCATED' })
    expect(await cut(lines.slice(1))).toMatchObject({ code: 2, reason: 'GAP', brokenAt: 1 })
    expect(await cut(lines.toSpliced(1, 1))).toMatchObject({ code: 2, reason: 'GAP', brokenAt: 2 })
    expect(await cut(lines.map((line) => line.replace('"outcome":"SUCCESS"', '"outcome":"FAILURE"')))).toMatchObject({
      code: 2,
      reason: 'HASH',
      brokenAt: 1,
    })
    writeFileSync(file, `${lines.join('\n')}\n`)
    const foreign = await crmWith({}, 'audit', 'verify', '--workspace', 'acme', '--file', file, '--json')
    expect({ code: foreign.code, ...JSON.parse(foreign.stdout) }).toMatchObject({ code: 2, reason: 'HASH' })
    // A line that is no entry is a finding like every other one, and is printed like it.
    for (const line of ['nothing', '{', 'null', '7', '[]', '{}', '{"seq":1,"action":"x"}', '{"head":7}']) {
      expect(await cut([line])).toMatchObject({ code: 2, ok: false, entries: 0, brokenAt: 1, reason: 'HASH' })
      expect(await cut(lines.toSpliced(1, 1, line))).toMatchObject({ code: 2, entries: 1, brokenAt: 2, reason: 'HASH' })
    }
    const absent = await withKey('audit', 'verify', '--workspace', 'acme', '--file', join(dataDir, 'absent'))
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') })

    // After a change of the key, heads and files of before are proven by the new one.
    writeFileSync(file, `${lines.join('\n')}\n`)
    const next = randomBytes(32).toString('base64')
    const withNext = async (...args: string[]) => {
      const { code, stdout } = await crmWith(
        { SECRETS_KEY: next },
        'audit',
        'verify',
        '--workspace',
        'acme',
        ...args,
        '--json',
      )
      return { code, ...(JSON.parse(stdout) as object) }
    }
    expect(await withNext('--file', file)).toMatchObject({ code: 2, reason: 'HASH' })
    expect(await withNext()).toMatchObject({ code: 2, reason: 'HASH', brokenAt: exported.head.seq })
    const both = { SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: key }
    expect((await crmWith(both, 'secrets', 'rotate', '--json')).code).toBe(0)
    expect(await withNext('--file', file)).toMatchObject({ code: 0, ok: true })
    expect(await withNext()).toMatchObject({ code: 0, ok: true })
    expect((await crmWith({ SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: next }, 'secrets', 'rotate', '--json')).code).toBe(
      0,
    )
    const heads = join(dataDir, 'audit', 'heads.ndjson')
    const whole = readFileSync(heads, 'utf8')
    writeFileSync(heads, `${whole}{"seq":\n`)
    expect(await verified()).toMatchObject({ code: 2, ok: false, reason: 'TRUNCATED' })
    writeFileSync(heads, whole)
    expect(await verified()).toMatchObject({ code: 0, ok: true })

    // The owner of the database cuts the log and its head: the head that was kept outside tells.
    const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
    await pool.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_kept')
    await pool.query('DELETE FROM audit_log WHERE workspace_id = $1 AND seq >= $2', [
      created['workspaceId'],
      exported.head.seq,
    ])
    await pool.query('UPDATE audit_chains SET seq = a.seq, hash = a.hash FROM audit_log a WHERE a.seq = $1', [
      exported.head.seq - 1,
    ])
    expect(await verified()).toMatchObject({ code: 2, reason: 'TRUNCATED', brokenAt: exported.head.seq })
    // Nor does a head that nobody can prove hide it, or one that the database calls removed by retention.
    writeFileSync(heads, whole.replaceAll(/"signature":"\w/g, '"signature":"-'))
    expect(await verified()).toMatchObject({ code: 2, reason: 'TRUNCATED', brokenAt: exported.head.seq })
    writeFileSync(heads, whole)
    await pool.query('UPDATE audit_chains SET pruned_seq = 1000000 WHERE workspace_id = $1', [created['workspaceId']])
    expect(await verified()).toMatchObject({ code: 2, reason: 'TRUNCATED', brokenAt: exported.head.seq })
    await pool.query('UPDATE audit_chains SET pruned_seq = 0 WHERE workspace_id = $1', [created['workspaceId']])
    await pool.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_kept')
    await pool.end()
  })

  it('count and renew what is sealed, and need the key for it', async () => {
    expect(JSON.parse((await withKey('secrets', 'status')).stdout)).toEqual({ plain: 0, previous: 0, current: 0 })
    expect(JSON.parse((await withKey('secrets', 'rotate')).stdout)).toMatchObject({ resealed: 0, unreadable: 0 })
    expect(await crm('secrets', 'rotate')).toMatchObject({ code: 1, stderr: 'SECRETS_KEY is not set.\n' })
  })
})

it('leaves what every command did in the audit log, with what was before and after', async () => {
  const { workspaceId } = await json(
    'workspace',
    'create',
    '--slug',
    'traced',
    '--name',
    'Traced',
    '--admin-email',
    'ada@traced.test',
    '--admin-password',
    'long enough pass',
    '--host',
    'traced.test',
  )
  await json('workspace', 'quota', 'traced', 'leads=5')
  await json('workspace', 'limit', 'traced', 'api.per-minute=5')
  await json('workspace', 'module', 'traced', 'FILES', 'off')
  await json('workspace', 'maintenance', 'traced', 'on')
  await json('workspace', 'host', 'add', 'traced', 'also.traced.test')
  await json(
    'user',
    'create',
    '--workspace',
    'traced',
    '--email',
    'bo@traced.test',
    '--password',
    'long enough pass',
    '--role',
    'Member',
  )
  await json('user', 'status', '--workspace', 'traced', 'bo@traced.test', 'SUSPENDED')
  const { id } = await json(
    'key',
    'create',
    '--workspace',
    'traced',
    '--owner',
    'ada@traced.test',
    '--name',
    'K',
    '--scopes',
    'VIEW_LEAD',
  )
  await json('key', 'revoke', '--workspace', 'traced', String(id))
  await json('booking-link', 'create', '--workspace', 'traced', '--organizer', 'ada@traced.test', '--slug', 'intro')
  const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test' })
  const lines = await createDatabase(pool)
    .select()
    .from(schema.auditLog)
    .where(eq(schema.auditLog.workspaceId, workspaceId as string))
    .orderBy(schema.auditLog.id)
  await pool.end()
  expect(
    lines.map(({ action, changes }) => [action, ...changes.map(({ field, from, to }) => `${field}: ${from} to ${to}`)]),
  ).toEqual([
    ['workspace.created'],
    ['workspace.quota-changed', 'leads: null to 5'],
    ['workspace.changed', 'api.per-minute: 600 to 5'],
    ['module.switched', 'enabled: true to false'],
    ['workspace.changed', 'inMaintenance: false to true'],
    ['workspace.changed', 'host: null to also.traced.test'],
    ['user.created'],
    ['password.typed'],
    ['user.suspended', 'status: ACTIVE to SUSPENDED'],
    ['api-key.created'],
    ['api-key.revoked'],
    ['booking-link.created'],
  ])
  for (const line of lines)
    expect(line).toMatchObject({
      actorType: 'CLI',
      actorId: null,
      actorName: expect.stringMatching(/^crm command \(.+\)$/),
      address: null,
    })
  expect(JSON.stringify(lines)).not.toContain('long enough pass')
})
