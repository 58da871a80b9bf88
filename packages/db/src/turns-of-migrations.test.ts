import { testDatabase } from '@crm/testkit'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { inTurn, migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'

const { ownerUrl } = await testDatabase()
const name = `turns_${randomBytes(4).toString('hex')}`
const url = new URL(ownerUrl)
url.pathname = `/${name}`

async function query(databaseUrl: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

afterAll(() => query(ownerUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))

it('migrates an empty database once, however many begin at one moment, and fails nobody', async () => {
  await query(ownerUrl, `CREATE DATABASE ${name}`)
  const waited: number[] = []
  await Promise.all(Array.from({ length: 4 }, (_, at) => migrate(url.href, { onTurn: () => void waited.push(at) })))
  expect(waited).toHaveLength(3)
  const migrations = await readMigrations()
  // Indexes that are built concurrently are among them: they wait for every statement under way, so nobody may wait within one.
  expect(migrations.filter(({ isConcurrent }) => isConcurrent).length).toBeGreaterThan(0)
  const done = await query(url.href, 'SELECT created_at AS at FROM migrations.__drizzle_migrations ORDER BY at')
  expect(done.map(({ at }) => Number(at))).toEqual(migrations.map(({ when }) => when))
  expect(await query(url.href, 'SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid')).toEqual([])
})

it('lets nobody begin before the one before has ended', async () => {
  const told: string[] = []
  const works = ['first', 'second', 'third'].map((who) =>
    inTurn(ownerUrl, async (client) => {
      told.push(`${who} begins`)
      await client.query('SELECT pg_sleep(0.05)')
      told.push(`${who} ends`)
    }),
  )
  await Promise.all(works)
  expect(told).toHaveLength(6)
  for (let at = 0; at < told.length; at += 2) expect(told[at + 1]).toBe(told[at]?.replace('begins', 'ends'))
})

it('gives the turn on when whoever has it is gone', async () => {
  const broken = inTurn(ownerUrl, async (client) => {
    await client.query('SELECT pg_terminate_backend(pg_backend_pid())')
  })
  await expect(broken).rejects.toThrow('terminating connection')
  await expect(inTurn(ownerUrl, async () => 'mine')).resolves.toBe('mine')
})
