import { bundleOf, eventually, startProcess, startRedisServer, freezableDatabase, testScratchDir } from '@crm/testkit'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareDatabase, requireDatabase, takeDatabase } from '../database.ts'
import { databaseRoles, type DatabaseRole } from '../roles.ts'

// A server of its own: the passwords of its roles change.
const database = await freezableDatabase()
const redis = await startRedisServer()
const mark = randomBytes(4).toString('hex')
const [latin, poor, ...twins] = [`latin_${mark}`, `poor_${mark}`, `first_${mark}`, `second_${mark}`]

/** Returns the address of a database on the server of the tests. */
function at(name: string, user?: string): string {
  const url = new URL(database.ownerUrl)
  url.pathname = `/${name}`
  if (user !== undefined) Object.assign(url, { username: user, password: 'test' })
  return url.href
}

async function asOperator(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

// The owner of the second database may make no roles, and its sessions begin with another zone and way to write days.
await asOperator(
  `CREATE DATABASE ${latin} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
  `CREATE ROLE ${poor} LOGIN PASSWORD 'test' NOCREATEROLE`,
  `ALTER ROLE ${poor} SET timezone = 'America/New_York'`,
  `ALTER ROLE ${poor} SET datestyle = 'German'`,
  `CREATE DATABASE ${poor} OWNER ${poor} TEMPLATE template0`,
  ...twins.map((name) => `CREATE DATABASE ${name}`),
)
afterAll(() =>
  asOperator(...[latin, poor, ...twins].map((name) => `DROP DATABASE ${name} WITH (FORCE)`), `DROP ROLE ${poor}`),
)

const sentence = 'The database has the encoding LATIN1, and workspace-crm needs UTF8'

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function crm(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const given = { PATH: process.env['PATH'] ?? '', DATA_DIR: testScratchDir(), REDIS_URL: redis.url, ...env }
  return new Promise((resolve) => {
    execFile(process.execPath, [bundleOf('cli'), ...args], { env: given }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

describe('a database that is not fit', () => {
  it.each([
    ['crm-api', 'main'],
    ['booking', 'main'],
    ['webhooks', 'main-ingress'],
    ['webhooks', 'main-dispatcher'],
    ['mcp-gateway', 'main'],
  ])('stops the start of %s (%s) with a line that names it', async (app, main) => {
    const env = {
      DATABASE_URL: at(latin),
      REDIS_URL: redis.url,
      DATA_DIR: testScratchDir(),
      CRM_API_URL: 'http://127.0.0.1:9',
      RUN_TOKEN_SECRET: 'of the tests, long enough for everybody',
    }
    await expect(startProcess(bundleOf(app, main), env)).rejects.toThrow(`DATABASE_URL: ${sentence}`)
  })

  it('is refused by npm start, by the migration and by the doctor', async () => {
    await expect(requireDatabase(at(latin))).rejects.toThrow(sentence)
    const migrated = await crm({ DATABASE_URL: at(latin) }, 'db', 'migrate')
    expect([migrated.code, migrated.stderr]).toEqual([1, expect.stringContaining(sentence)])
    const { code, stdout } = await crm({ DATABASE_URL: at(latin) }, 'doctor', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ level: 'fail', area: 'database', sentence: expect.stringContaining(sentence) }),
    )
  })
})

describe('an owner that may make no roles', () => {
  const passwords = Object.fromEntries(databaseRoles.map((role) => [role, 'test'])) as Record<DatabaseRole, string>

  it('is told by npm start what that costs, and how to get the right', async () => {
    const said: string[] = []
    const urlOf = await prepareDatabase(at(poor, poor), passwords, (line) => void said.push(line))
    expect(urlOf('crm_booking')).toBe(at(poor, poor))
    expect(said).toEqual([expect.stringMatching(`would open all data.*ALTER ROLE "${poor}" CREATEROLE`)])
  })

  it('is told so by the migration and the doctor as well', async () => {
    const env = { DATABASE_URL: at(poor, poor) }
    const migrated = await crm(env, 'db', 'migrate')
    expect([migrated.code, migrated.stderr]).toEqual([
      1,
      expect.stringMatching(`would open all data.*ALTER ROLE "${poor}" CREATEROLE`),
    ])
    const { stdout } = await crm(env, 'doctor', '--json')
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        area: 'database',
        remedy: expect.stringContaining(`ALTER ROLE "${poor}"`),
      }),
    )
  })
})

describe('two at one moment', () => {
  it('migrate and make the roles one after the other, in one database and in two of one server', async () => {
    const all = [twins[0], twins[0], twins[1], twins[1]].map((name) =>
      crm({ DATABASE_URL: at(name ?? '') }, 'db', 'migrate'),
    )
    const ended = await Promise.all(all)
    expect(ended.map(({ code, stderr }) => [code, stderr.replace(/^Somebody else migrates .*\n/, '')])).toEqual(
      all.map(() => [0, '']),
    )
  })

  it('start on one database: one works, the other is told so, and can when the first has ended', async () => {
    const both = await Promise.allSettled([takeDatabase(database.ownerUrl), takeDatabase(database.ownerUrl)])
    const taken = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const told = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(taken).toHaveLength(1)
    expect(told).toEqual([expect.stringContaining('another npm start works with this database')])
    await taken[0]?.()
    await (
      await takeDatabase(database.ownerUrl)
    )()
  })
})

describe('two installations on one server', () => {
  const [first, second] = twins.map((name) => at(name)) as [string, string]
  const passwordsOf = (start: string) =>
    Object.fromEntries(databaseRoles.map((role) => [role, `${role} of the ${start}`])) as Record<DatabaseRole, string>
  // The server notices the end of a connection a little later.
  const canBeTaken = (databaseUrl: string) => eventually(async () => (await takeDatabase(databaseUrl))())

  it('would lock each other out: roles belong to the server, so the second start is refused', async () => {
    const giveBack = await takeDatabase(first)
    await expect(takeDatabase(second)).rejects.toThrow(
      new RegExp(`DATABASE_URL: another installation works with ${twins[0]} on this server.*roles belong to the whole`),
    )
    await giveBack()
    await canBeTaken(second)
  })

  it('are told apart by the processes of the first one, which keep their passwords as long as they work', async () => {
    const urlOf = await prepareDatabase(first, passwordsOf('first'), () => undefined)
    const open = async () => {
      const booking = new Client({ connectionString: urlOf('crm_booking') })
      await booking.connect()
      return booking
    }
    const booking = await open()
    await expect(takeDatabase(second)).rejects.toThrow(`another installation works with ${twins[0]}`)
    await booking.end()
    await canBeTaken(second)
    await prepareDatabase(second, passwordsOf('second'), () => undefined)
    await expect(open()).rejects.toThrow('password authentication failed')
  })

  it('work beside each other where the second may give no passwords', async () => {
    const giveBack = await takeDatabase(first)
    await (
      await takeDatabase(at(poor, poor))
    )()
    await giveBack()
  })
})

describe('an address in a form that is not taken', () => {
  it('is refused by name, with the right form and nothing of what was given', async () => {
    const url = new URL(database.ownerUrl)
    const inQuery = `postgres://${url.host}${url.pathname}?user=${url.username}&password=${url.password}`
    const { code, stderr } = await crm({ DATABASE_URL: inQuery }, 'db', 'migrate')
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('DATABASE_URL: The user and the password stand before the @'),
    ])
    expect(stderr).not.toContain(url.password)
    await expect(startProcess(bundleOf('booking'), { DATABASE_URL: inQuery })).rejects.toThrow(
      /DATABASE_URL: The user and the password stand before the @/,
    )
  })
})

describe('the passwords of roles', () => {
  const names = databaseRoles.map((role) => `ROLE_PASSWORD_${role.toUpperCase()}`)
  const own = Object.fromEntries(names.map((name) => [name, `${name.toLowerCase()} of its own`]))
  const signIn = async (role: string, password: string): Promise<boolean> => {
    const url = new URL(database.ownerUrl)
    Object.assign(url, { username: role, password })
    const client = new Client({ connectionString: url.href })
    return client.connect().then(
      async () => {
        await client.end()
        return true
      },
      () => false,
    )
  }
  it('differ: that of one process opens no other role', async () => {
    const { code, stderr } = await crm({ DATABASE_URL: database.ownerUrl, ...own }, 'db', 'migrate')
    expect([code, stderr]).toEqual([0, ''])
    for (const [at, role] of databaseRoles.entries()) {
      const found = await Promise.all(names.map((name) => signIn(role, own[name]!)))
      expect(found).toEqual(names.map((_name, other) => other === at))
    }
  })
  it('may be one for all, as before, and the migration and the doctor say what that costs', async () => {
    const env = { DATABASE_URL: database.ownerUrl, ROLE_PASSWORD: 'one for all of them' }
    const { code, stderr } = await crm(env, 'db', 'migrate')
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/crm_api, .*crm_gateway have one password.*ROLE_PASSWORD_CRM_API/),
    ])
    expect(await Promise.all(databaseRoles.map((role) => signIn(role, env.ROLE_PASSWORD)))).not.toContain(false)
    const { stdout } = await crm(env, 'doctor', '--json')
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        area: 'settings',
        sentence: expect.stringContaining('have one password'),
      }),
    )
  })

  it('may stand in the addresses of the deployables, and change one by one', async () => {
    const booking = `postgres://crm_booking:${encodeURIComponent('s/ecret @ of booking')}@pgbouncer:6432/crm`
    const env = { DATABASE_URL: database.ownerUrl, ...own, ROLE_PASSWORD_CRM_BOOKING: booking }
    expect((await crm(env, 'db', 'migrate')).code).toBe(0)
    expect(await signIn('crm_booking', 's/ecret @ of booking')).toBe(true)
    expect(await signIn('crm_api', own['ROLE_PASSWORD_CRM_API']!)).toBe(true)
    const twins = { ...env, ROLE_PASSWORD_CRM_HOOKS: 's/ecret @ of booking' }
    expect((await crm(twins, 'db', 'migrate')).stderr).toContain('The roles crm_booking, crm_hooks have one password')
  })
})
