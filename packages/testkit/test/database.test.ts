import { createPool } from '@crm/db'
import { afterAll, expect, it } from 'vitest'
import { databaseRoles, testDatabase } from '../src/index.ts'

const [first, second] = [await testDatabase(), await testDatabase()]
const pools = [first, second].map(({ ownerUrl }) =>
  createPool({ databaseUrl: ownerUrl, max: 1, applicationName: 'test' }),
)
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

it('gives each caller a migrated database of its own', async () => {
  const tables = "select count(*)::int as count from information_schema.tables where table_schema = 'public'"
  const [one, other] = await Promise.all(pools.map((pool) => pool.query<{ count: number }>(tables)))
  expect(one?.rows[0]?.count).toBeGreaterThan(0)
  expect(other?.rows).toEqual(one?.rows)
  expect(first.name).not.toBe(second.name)
})

it.each(databaseRoles)('lets %s sign in, without the rights of the owner', async (role) => {
  const pool = createPool({ databaseUrl: first.urlFor(role), max: 1, applicationName: 'test' })
  const { rows } = await pool.query<{ user: string }>('select current_user as user')
  expect(rows).toEqual([{ user: role }])
  await expect(pool.query('create table public.intruder (id int)')).rejects.toThrow('permission denied')
  await pool.end()
})
