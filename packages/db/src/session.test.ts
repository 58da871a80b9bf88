import { ConfigError } from '@crm/runtime'
import { testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Client, type Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool, usualDeadlines } from './client.ts'
import { toInstant } from './columns.ts'
import { migrate } from './migrate.ts'
import {
  isThroughPgpool,
  readFitServer,
  requireFitServer,
  sessionSettings,
  unfitnessOf,
  UnfitServerError,
} from './session.ts'
import { inTransaction } from './transaction.ts'
import { withClient } from './with-client.ts'

const database = await testDatabase()
const pools: { end(): Promise<void> }[] = []
const poolOf = (databaseUrl: string, more: Partial<Parameters<typeof createPool>[0]> = {}) => {
  const pool = createPool({ databaseUrl, max: 4, applicationName: 'test-session', ...more })
  pools.push(pool)
  return pool
}
const owner = poolOf(database.ownerUrl)
/** A role that signs in with settings that nothing here may rely on; so does everybody in this database. */
const stranger = `stranger_${randomBytes(4).toString('hex')}`
const odd = {
  TimeZone: 'America/New_York',
  DateStyle: 'German, DMY',
  search_path: 'elsewhere, public',
  default_transaction_isolation: 'serializable',
}
const setAll = (whom: string): string =>
  Object.entries(odd)
    .map(([name, value]) => `${whom} SET ${name} = ${name === 'search_path' ? value : `'${value}'`}`)
    .join('; ')
await owner.query(`CREATE ROLE ${stranger} LOGIN PASSWORD 'test' IN ROLE crm_api; ${setAll(`ALTER ROLE ${stranger}`)};
  ${setAll(`ALTER DATABASE ${database.name}`)}; ${setAll(`ALTER ROLE crm_api IN DATABASE ${database.name}`)};
  CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.workspaces (id int); GRANT USAGE ON SCHEMA elsewhere TO PUBLIC; GRANT SELECT ON elsewhere.workspaces TO PUBLIC`)
const strangerUrl = (() => {
  const url = new URL(database.ownerUrl)
  Object.assign(url, { username: stranger, password: 'test' })
  return url.href
})()
afterAll(async () => {
  await owner.query(
    `ALTER ROLE crm_api IN DATABASE ${database.name} RESET ALL; DROP OWNED BY ${stranger}; DROP ROLE ${stranger}`,
  )
  await Promise.all(pools.map((pool) => pool.end()))
})

const shown = `SELECT ARRAY[${[...sessionSettings.keys()].map((name) => `current_setting('${name}')`).join()}] AS settings,
  current_setting('transaction_isolation') AS isolation, '2026-01-31 08:00:00.25Z'::timestamptz(3)::text AS at, 'workspaces'::regclass = 'public.workspaces'::regclass AS "isOurs"`
const settled = {
  settings: [...sessionSettings.values()],
  isolation: 'read committed',
  at: '2026-01-31 08:00:00.25+00',
  isOurs: true,
}

describe('every connection has its own settings, whatever the role and the database say', () => {
  it.each([
    ['the owner', database.ownerUrl, {}],
    ['a deployable', database.urlFor('crm_api'), { deadlines: usualDeadlines }],
    [
      'a deployable with deadlines of its own',
      database.urlFor('crm_api'),
      { deadlines: { ...usualDeadlines, lockMs: 2_000 } },
    ],
    ['another role', strangerUrl, { deadlines: usualDeadlines }],
  ])('%s', async (_who, url, more) => {
    const pool = poolOf(url, more)
    expect((await pool.query(shown)).rows).toEqual([settled])
    const { rows } = await inTransaction(createDatabase(pool), undefined, (tx) => tx.execute(sql.raw(shown)))
    expect(rows).toEqual([settled])
  })

  it('a connection for migrations and backups', async () => {
    expect(await withClient(strangerUrl, 'test', async (client) => (await client.query(shown)).rows)).toEqual([settled])
  })

  it('so that changes of one row at a moment wait for one another', async () => {
    const pool = poolOf(strangerUrl, { max: 8, deadlines: usualDeadlines })
    await owner.query(
      'CREATE TABLE public.counted (n int); INSERT INTO public.counted VALUES (0); GRANT ALL ON public.counted TO crm_api',
    )
    await Promise.all(Array.from({ length: 8 }, () => pool.query('UPDATE counted SET n = n + 1')))
    expect((await pool.query('SELECT n FROM counted')).rows).toEqual([{ n: 8 }])
  })
})

/** A way to the server that refuses settings in a connection, as a pooler does that shares connections. */
async function poolerInFront(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl)
  const to = { host: target.hostname, port: Number(target.port) }
  const server = createServer((client) => {
    client.once('data', (first: Buffer) => {
      if (first.toString('latin1').includes('options\0')) {
        const fields = Buffer.from('SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
        const head = Buffer.alloc(5)
        head.write('E')
        head.writeUInt32BE(fields.length + 4, 1)
        client.end(Buffer.concat([head, fields]))
        return
      }
      const upstream = connect(to)
      upstream.write(first)
      client.pipe(upstream).pipe(client)
      upstream.on('error', () => client.destroy())
    })
    client.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  pools.push({ end: async () => void server.close() })
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return target.href
}

describe('behind a pooler', () => {
  it('each transaction has the settings, and none is left behind on a connection that others share', async () => {
    const url = await poolerInFront(strangerUrl)
    for (const deadlines of [usualDeadlines, { ...usualDeadlines, lockMs: 2_000 }, undefined]) {
      const pool = poolOf(url, { deadlines })
      const inSession = { ...settled, settings: [...settled.settings.slice(0, -1), odd.default_transaction_isolation] }
      expect((await pool.query(shown)).rows).toEqual([inSession])
      const { rows } = await inTransaction(createDatabase(pool), undefined, (tx) => tx.execute(sql.raw(shown)))
      expect(rows).toEqual([inSession])
      const client = await pool.connect()
      expect((await client.query<{ settings: string[] }>(shown)).rows[0]?.settings).toEqual(Object.values(odd))
      client.release()
    }
  })

  it('nothing is sent with a transaction where the role has the settings', async () => {
    await owner.query(`ALTER ROLE crm_api IN DATABASE ${database.name} RESET ALL`)
    const pool = poolOf(await poolerInFront(database.urlFor('crm_api')), { deadlines: usualDeadlines })
    expect((await pool.query(shown)).rows).toEqual([settled])
    const client = await pool.connect()
    expect((await client.query(shown)).rows).toEqual([settled])
    client.release()
  })
})

describe('a time in another form than that of UTC', () => {
  it.each([
    '2026-01-31 08:00:00-05',
    '2026-01-31 08:00:00+01',
    '31.01.2026 08:00:00 UTC',
    '2026-01-31 13:30:00+05:30',
    'Sat Jan 31 08:00:00 2026 UTC',
    'infinity',
    '2026-01-31',
    '',
    '2026-01-31 08:00:00',
    '0044-03-15 00:00:00+00 BC',
    '10000-01-01 00:00:00+00',
  ])('is a fault: %s', (text) => {
    expect(() => toInstant(text)).toThrow(/another form/)
  })

  it('is none where it is', () => {
    expect(['2026-01-31 08:00:00+00', '2026-01-31 08:00:00.5+00'].map(toInstant)).toEqual([
      '2026-01-31T08:00:00.000Z',
      '2026-01-31T08:00:00.500Z',
    ])
  })
})

describe('a server that is not fit', () => {
  const fit = { versionNumber: 180_000, version: '18.0', encoding: 'UTF8', moves: [] }

  it.each([
    [150_014, '15.14 (Debian 15.14-0+deb12u1)'],
    [170_002, '17.2'],
    [179_999, '18beta1'],
    [90_624, '9.6.24'],
  ])('is too old with the number %i', (versionNumber, version) => {
    expect(unfitnessOf({ ...fit, versionNumber, version })).toBe(
      `PostgreSQL ${version} is too old: workspace-crm needs PostgreSQL 18 or later.`,
    )
  })

  it.each(['LATIN1', 'SQL_ASCII', 'WIN1252', 'EUC_JP'])('has the encoding %s', (encoding) => {
    expect(unfitnessOf({ ...fit, encoding })).toContain(`encoding ${encoding}`)
  })

  it('is neither this one nor a later one', async () => {
    for (const versionNumber of [180_000, 180_004, 190_001])
      expect(unfitnessOf({ ...fit, versionNumber })).toBeUndefined()
    expect(await readFitServer(owner)).toMatchObject({ encoding: 'UTF8' })
  })

  it('gives no connection, takes no migration, and stops the start of a process by name', async () => {
    const name = `${database.name}_latin`
    await owner.query(
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
    )
    const url = new URL(database.ownerUrl)
    url.pathname = `/${name}`
    const pool = createPool({ databaseUrl: url.href, max: 1, applicationName: 'test-latin' })
    try {
      await expect(pool.query('SELECT 1')).rejects.toThrow(/encoding LATIN1/)
      await expect(migrate(url.href)).rejects.toThrow(UnfitServerError)
      await expect(requireFitServer(pool)).rejects.toThrow(ConfigError)
      await expect(requireFitServer(pool)).rejects.toThrow(/^[^]*DATABASE_URL: The database has the encoding LATIN1/)
    } finally {
      await pool.end()
      await owner.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })

  it('has extensions where no statement finds them, until they are moved', async () => {
    const name = `${database.name}_extended`
    await owner.query(`CREATE DATABASE ${name} TEMPLATE template0`)
    const url = new URL(database.ownerUrl)
    url.pathname = `/${name}`
    const own = new Client({ connectionString: url.href })
    await own.connect()
    try {
      await own.query(
        'CREATE SCHEMA extensions; CREATE EXTENSION unaccent SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions',
      )
      await expect(migrate(url.href)).rejects.toThrow(
        'run ALTER EXTENSION pg_trgm SET SCHEMA public; ALTER EXTENSION unaccent SET SCHEMA public.',
      )
      await own.query('ALTER EXTENSION pg_trgm SET SCHEMA public; ALTER EXTENSION unaccent SET SCHEMA public')
      expect(await readFitServer(own)).toMatchObject({ moves: [] })
    } finally {
      await own.end()
      await owner.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })

  it('is pgpool, which answers itself what PostgreSQL does not know', async () => {
    expect(await isThroughPgpool(owner)).toBe(false)
    expect(await isThroughPgpool({ query: async () => ({ rows: [] }) } as unknown as Pool)).toBe(true)
  })

  it('does not stop a start while it is away: nobody knows yet', async () => {
    await expect(requireFitServer(poolOf('postgres://nobody@127.0.0.1:9/none'))).resolves.toBeUndefined()
    await expect(requireFitServer(owner)).resolves.toBeUndefined()
  })
})
