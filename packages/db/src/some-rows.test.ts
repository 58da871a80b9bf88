import { testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool } from './client.ts'
import { someRows } from './some-rows.ts'
import { given, statement } from './statement.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-rows' })
const db = createDatabase(pool)
afterAll(() => pool.end())

const rows = (lengths: readonly number[]) => sql`
  SELECT n::text AS id, repeat('x', length) AS text, jsonb_build_object('n', n) AS data, NULL::text AS nothing, '2026-01-02T03:04:05Z'::timestamptz AS at
  FROM unnest(${sql.param([...lengths])}::int[]) WITH ORDINALITY AS given (length, n)`

describe('someRows', () => {
  it('gives all rows that are small enough together, as every other query does', async () => {
    const { rows: all, later } = await someRows(db, rows([2, 3]), {}, 1_000)
    expect(all).toEqual([
      { id: '1', text: 'xx', data: { n: 1 }, nothing: null, at: '2026-01-02 03:04:05+00' },
      { id: '2', text: 'xxx', data: { n: 2 }, nothing: null, at: '2026-01-02 03:04:05+00' },
    ])
    expect(later).toEqual([])
  })

  it('keeps the rows before the one that is too much, and says of the others how large they are', async () => {
    const { rows: kept, later } = await someRows<{ id: string; text: string }>(db, rows([400, 400, 400, 10]), {}, 1_000)
    expect(kept.map(({ id, text }) => [id, text.length])).toEqual([
      ['1', 400],
      ['2', 400],
    ])
    expect(later.map(({ id, size }) => [id, size > 10, size > 400])).toEqual([
      ['3', true, true],
      ['4', true, false],
    ])
  })

  it('keeps the first row, however large it is', async () => {
    const { rows: kept, later } = await someRows<{ text: string; data: object }>(db, rows([5_000, 1]), {}, 1_000)
    expect(kept).toMatchObject([{ text: 'x'.repeat(5_000), data: { n: 1 } }])
    expect(later.map(({ id }) => id)).toEqual(['2'])
  })

  it('runs statements that are built once', async () => {
    const built = statement(sql`SELECT ${given('id')}::text AS id`)
    expect(await someRows(db, built, { id: 'one' }, 10)).toEqual({ rows: [{ id: 'one' }], later: [] })
  })

  it('gives nothing of nothing', async () => {
    expect(await someRows(db, rows([]), {}, 10)).toEqual({ rows: [], later: [] })
  })
})
