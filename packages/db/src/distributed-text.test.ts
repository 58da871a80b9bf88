import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { distributedText } from './distributed-text.ts'
import { fastCommit } from './fast-commit.ts'
import { opaque } from './opaque.ts'

const textOf = (query: ReturnType<typeof sql>): string => new PgDialect().sqlToQuery(query).sql

it('shows the coordinator whose rows it is asked for', () => {
  const id = '01a22258-daaa-7331-9823-71baeeeda6ff'
  const text = textOf(sql`SELECT id FROM leads WHERE workspace_id = ${opaque(id)} AND owner_id = ${opaque(id)}`)
  expect(distributedText(text)).toBe('SELECT id FROM leads WHERE workspace_id = $1::uuid AND owner_id = $2::uuid')
})

it('leaves out how a commit of another machine is made', () => {
  const text = textOf(
    sql`WITH ${sql.raw(fastCommit)} UPDATE outbox SET done_at = now() FROM fast WHERE workspace_id = ${'x'}`,
  )
  expect(distributedText(text)).toBe(
    'WITH fast AS (SELECT 1) UPDATE outbox SET done_at = now() FROM fast WHERE workspace_id = $1',
  )
})

it('leaves every other statement as it is', () => {
  const text =
    'SELECT id FROM leads WHERE workspace_id = $1 AND id = (SELECT max(lead_id) FROM deals WHERE workspace_id = $1)'
  expect(distributedText(text)).toBe(text)
})
