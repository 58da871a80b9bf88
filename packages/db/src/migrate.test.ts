import { testDatabase } from '@crm/testkit'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { migrate, NewerSchemaError, newestMigration, OlderSchemaError } from './migrate.ts'
import { newId } from './new-id.ts'
import { createPool } from './pool.ts'
import { createSchemaCheck } from './schema-check.ts'
import { usualHome } from './usual-home.ts'

type Row = Record<string, unknown>

const newest = await newestMigration()

describe('migrate', () => {
  it('leaves a database as it is that has every migration', async () => {
    const { ownerUrl } = await testDatabase()
    const applied = () => onDatabase(ownerUrl, (query) => query('SELECT * FROM migrations.__drizzle_migrations'))
    const before = await applied()
    await migrate(ownerUrl)
    expect(await applied()).toEqual(before)
  })

  it('goes on with a database whose migrations have other names, and were made until then', async () => {
    const { ownerUrl } = await testDatabase()
    const workspaceId = newId()
    await onDatabase(ownerUrl, async (query) => {
      await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'one', 'One', 'http://a')", [
        workspaceId,
      ])
      await rememberMigrations(query, [newest - 2_000, newest - 1_000, newest])
    })
    await migrate(ownerUrl)
    await onDatabase(ownerUrl, async (query) => {
      expect(await query('SELECT id FROM workspaces')).toEqual([{ id: workspaceId }])
      expect(await query('SELECT created_at FROM migrations.__drizzle_migrations')).toHaveLength(3)
    })
  })

  it('refuses a database that was left behind before the first migration, and one that is ahead', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, (query) => rememberMigrations(query, [1]))
    await expect(migrate(ownerUrl)).rejects.toThrow(OlderSchemaError)
    await onDatabase(ownerUrl, (query) => rememberMigrations(query, [newest + 1]))
    await expect(migrate(ownerUrl)).rejects.toThrow(NewerSchemaError)
  })
})

describe('workspaces that were there before', () => {
  it('get the home that a new one begins with', async () => {
    const { ownerUrl } = await testDatabase()
    const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))
    const [file = ''] = globSync('*_add_dashboards.sql', { cwd: migrations })
    const last = readFileSync(`${migrations}${file}`, 'utf8').split('--> statement-breakpoint').at(-1) ?? ''
    await onDatabase(ownerUrl, async (query) => {
      const id = newId()
      await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'old', 'Old', 'http://a')", [id])
      await query(last)
      const homes = await query('SELECT name, visibility, is_home AS "isHome", widgets FROM dashboards')
      expect(homes).toEqual([usualHome])
    })
  })
})

describe('the question whether the schema is behind', () => {
  it('is answered by the newest migration of the database, however many it has', async () => {
    const { ownerUrl } = await testDatabase()
    const pool = createPool({ databaseUrl: ownerUrl, max: 1, applicationName: 'test-schema' })
    const isBehind = async (): Promise<boolean> => createSchemaCheck(pool)()
    try {
      expect(await isBehind()).toBe(false)
      await onDatabase(ownerUrl, (query) => rememberMigrations(query, [1, 2, 3, newest - 1]))
      expect(await isBehind()).toBe(true)
      await onDatabase(ownerUrl, (query) => rememberMigrations(query, []))
      expect(await isBehind()).toBe(true)
    } finally {
      await pool.end()
    }
  })
})

describe('crm_searchable', () => {
  const asciiSigns = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) =>
    /[^a-zA-Z0-9]/.test(sign),
  )

  it('lets each sign stand as a letter of its own, which the index of texts takes for one and no other text holds', async () => {
    const { ownerUrl } = await testDatabase()
    await onDatabase(ownerUrl, async (query) => {
      const rows = await query(
        "SELECT crm_searchable(sign) AS letter, crm_fold(crm_searchable(sign)) AS folded, cardinality(show_trgm(crm_searchable('x' || sign))) AS known FROM unnest($1::text[]) AS sign",
        [asciiSigns],
      )
      expect(new Set(rows.map(({ letter }) => letter)).size).toBe(32)
      expect(rows.filter(({ letter, folded }) => letter === folded || !/^[a-z]$/.test(String(folded)))).toEqual([])
      // A word of two letters has three pieces, a word of one letter only two.
      expect(new Set(rows.map(({ known }) => known))).toEqual(new Set([3]))
      expect(await query("SELECT crm_searchable('Zoë''s Ünit 7') AS text")).toEqual([{ text: 'zoečsššunitšš7' }])
    })
  })
})

async function rememberMigrations(
  query: (text: string, values?: unknown[]) => Promise<Row[]>,
  madeAt: readonly number[],
): Promise<void> {
  await query('DELETE FROM migrations.__drizzle_migrations')
  for (const at of madeAt)
    await query('INSERT INTO migrations.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [`hash of ${at}`, at])
}

async function onDatabase<T>(
  connectionString: string,
  work: (query: (text: string, values?: unknown[]) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query<Row>(text, values)).rows)
  } finally {
    await client.end()
  }
}
