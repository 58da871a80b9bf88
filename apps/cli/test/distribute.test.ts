import { createDatabase, createPool, distribute, inTurn, joinWorkers, migrate } from '@crm/db'
import { createTestWorkspace, isOnCitus, testRedis, undistributedDatabase } from '@crm/testkit'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { commandIn } from './command.ts'

const migrations = fileURLToPath(new URL('../../../packages/db/migrations', import.meta.url))

// `npm run test:citus` gives the machines.
describe.skipIf(!isOnCitus)('crm db distribute', async () => {
  if (!isOnCitus) return
  const { ownerUrl, workers } = await undistributedDatabase()
  const { url: redisUrl } = await testRedis()
  const pool = createPool({ databaseUrl: ownerUrl, max: 2, applicationName: 'test-distribute' })
  afterAll(() => pool.end())
  const db = createDatabase(pool)
  const backups = mkdtempSync(join(tmpdir(), 'crm-backups-'))
  afterAll(() => rmSync(backups, { recursive: true }))
  const one = await createTestWorkspace(db)
  const other = await createTestWorkspace(db)

  const crm = (...args: string[]) =>
    commandIn(
      { DATABASE_URL: ownerUrl, REDIS_URL: redisUrl, BASE_URL: 'http://localhost:9090', DATA_DIR: backups },
      args,
    )
  const command = ['db', 'distribute', '--workers', workers.join(','), '--json']

  const count = async (query: string): Promise<number> =>
    Number((await pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${query}`)).rows[0]?.n)
  const keys = async () =>
    (
      await pool.query(
        `SELECT c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) AS key
         FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace ORDER BY 1`,
      )
    ).rows
  const peopleOf = async () =>
    (await pool.query('SELECT workspace_id, count(*) AS n FROM employees GROUP BY 1 ORDER BY 1')).rows

  it('refuses while a process runs', async () => {
    await pool.query(`INSERT INTO processes (id, kind, version, migration) VALUES (uuidv7(), 'crm-api', '1.0.0', 1)`)
    const { code, stderr } = await crm(...command)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('crm-api was last seen') as string,
    })
    await pool.query('DELETE FROM processes')
  })

  it('refuses while something stands in the way, and names it', async () => {
    await pool.query('CREATE TABLE astray (id uuid PRIMARY KEY)')
    const { code, stderr } = await crm(...command)
    expect(code).toBe(1)
    expect(stderr).toContain('astray workspace_id: the table has no such column, or it may be null')
    await pool.query('DROP TABLE astray')
  })

  it('goes on where an earlier run ended, and keeps every row and every key', async () => {
    const before = { people: await peopleOf(), keys: await keys() }
    const tables = await count(`pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
    const [host = '', port] = workers[0]!.split(':')
    const { hostname, port: own } = new URL(ownerUrl)
    await joinWorkers(ownerUrl, { host: hostname, port: Number(own) }, [{ host, port: Number(port) }])
    const done: string[] = []
    const interrupted = inTurn(ownerUrl, (client) =>
      distribute(client, ({ table }) => {
        done.push(table)
        if (done.length === 20) throw new Error('the machine went down')
      }),
    )
    await expect(interrupted).rejects.toThrow('the machine went down')
    const { code, stdout, stderr } = await crm(...command)
    expect(code, stderr).toBe(0)
    const outcome = JSON.parse(stdout) as { tables: { table: string; rows: number }[] }
    expect(outcome.tables).toHaveLength(tables - 20)
    expect({ people: await peopleOf(), keys: await keys() }).toEqual(before)
    expect(before.people.map(({ workspace_id: id }) => id)).toEqual([one.workspaceId, other.workspaceId].toSorted())
    expect(await count('pg_dist_partition')).toBe(tables)
    expect(await count('migrations.keys_aside')).toBe(0)
  })

  it('is refused as the target of a restored backup', async () => {
    const backup = (JSON.parse((await crm('backup', 'create', '--to', backups, '--json')).stdout) as { path: string })
      .path
    const { code, stderr } = await crm('backup', 'restore', backup, '--force')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('restore into an empty database of the coordinator') as string,
    })
    expect(await count('employees')).toBeGreaterThan(0)
  })

  it('is followed by migrations, whose new tables are distributed too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crm-migrations-'))
    try {
      cpSync(migrations, folder, { recursive: true })
      const journal = join(folder, 'meta', '_journal.json')
      const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { when: number }[] }
      const when = Math.max(...entries.map((entry) => entry.when)) + 1
      writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, { when, tag: '9999_test' }] }))
      writeFileSync(
        join(folder, '9999_test.sql'),
        `CREATE TABLE extras (workspace_id uuid NOT NULL, id uuid NOT NULL, owner_id uuid, PRIMARY KEY (workspace_id, id));--> statement-breakpoint
         ALTER TABLE extras ADD FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE;--> statement-breakpoint
         ALTER TABLE extras ADD FOREIGN KEY (workspace_id, owner_id) REFERENCES employees (workspace_id, id);--> statement-breakpoint
         ALTER TABLE leads ADD COLUMN extra text;`,
      )
      await migrate(ownerUrl, { folder })
      await pool.query('INSERT INTO extras (workspace_id, id) VALUES ($1, $1)', [one.workspaceId])
      expect(await count(`pg_dist_partition WHERE logicalrelid = 'extras'::regclass AND partmethod = 'h'`)).toBe(1)
      expect(await count('leads WHERE extra IS NOT NULL')).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('changes nothing when all is done, and then lets a worker join while processes run', async () => {
    await pool.query(`INSERT INTO processes (id, kind, version, migration) VALUES (uuidv7(), 'crm-api', '1.0.0', 1)`)
    const { code, stdout, stderr } = await crm(...command)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ workers: workers.length, tables: [] })
  })
})
