import { createDatabase, createPool, systemScope } from '@crm/db'
import { afterThisFile, createTestWorkspace, testDatabase } from '@crm/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillWorkspace } from './growth-data.ts'
import { companyKind } from '../apps/crm-api/src/kinds/companies.ts'
import { contactKind } from '../apps/crm-api/src/kinds/contacts.ts'
import { dealKind } from '../apps/crm-api/src/kinds/deals.ts'
import { leadKind } from '../apps/crm-api/src/kinds/leads.ts'
import { taskKind } from '../apps/crm-api/src/kinds/tasks.ts'
import type { RecordKind } from '../apps/crm-api/src/records/owned/kind.ts'
import { listRecords, type ListQuery } from '../apps/crm-api/src/records/owned/list.ts'
import { momentOf } from '../apps/crm-api/src/records/moment.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 1, applicationName: 'test-growth' })
const db = createDatabase(owner)
afterThisFile(() => owner.end())

const workspace = await createTestWorkspace(db)
const { workspaceId } = workspace
for (let at = 0; at < 4; at += 1) await workspace.employee()
const leads = 6_000
await fillWorkspace(db, owner, workspaceId, leads)
await owner.query('VACUUM ANALYZE')
await owner.query(
  `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_format = json; SET auto_explain.log_level = notice`,
)
const client = await owner.connect()
const plans: Plan[] = []
client.on('notice', ({ message = '' }) => {
  const json = message.slice(message.indexOf('{'))
  if (message.includes('plan:')) plans.push((JSON.parse(json) as { Plan: Plan }).Plan)
})
client.release()

/** A node of a plan, as PostgreSQL tells it. */
interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns how many rows of a table a plan has looked at. */
function rowsOf(plan: Plan, table: string): number {
  const own =
    plan['Relation Name'] === table
      ? ((plan['Actual Rows'] ?? 0) +
          (plan['Rows Removed by Filter'] ?? 0) +
          (plan['Rows Removed by Index Recheck'] ?? 0)) *
        (plan['Actual Loops'] ?? 1)
      : 0
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part, table), own)
}

const moment = momentOf({
  at: new Date().toISOString(),
  workspace: { id: workspaceId, locale: 'en', timezone: 'UTC', weekStart: 'MONDAY', modulesOff: new Map() } as never,
})

/** Lists records and returns how many rows of their table were looked at. */
async function lookedAt(
  kind: RecordKind,
  asked: Partial<ListQuery> & object,
): Promise<{ rows: number; items: number }> {
  plans.length = 0
  const { items } = await listRecords(db, kind, {
    scope: systemScope(workspaceId),
    query: { page: 1, pageSize: 5, sortOrder: 'desc', ...asked },
    customFieldFilters: new Map(),
    customFields: [],
    moment,
  })
  const table = (kind.rows.stored as unknown as { queryChunks: { value: string[] }[] }).queryChunks[0]?.value[0]
  const name = /"(\w+)"/.exec(table ?? '')?.[1] ?? ''
  expect(plans.length).toBeGreaterThan(0)
  return { rows: plans.reduce((sum, plan) => sum + rowsOf(plan, name), 0), items: items.length }
}

const kinds: readonly RecordKind[] = [leadKind, contactKind, companyKind, dealKind, taskKind] as never
const orders = kinds.flatMap((kind) =>
  ['createdAt', ...Object.keys(kind.sortable)].flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ kind, noun: kind.noun, sortBy, sortOrder })),
  ),
)

/** The smallest tables are quicker to read and sort than to walk; the plan of a large one is what counts here. */
const withoutPlans = async (...ways: readonly string[]): Promise<void> => {
  await owner.query('RESET enable_seqscan; RESET enable_sort; RESET enable_hashjoin; RESET enable_bitmapscan')
  for (const way of ways) await owner.query(`SET enable_${way} = off`)
}

describe('a page of a large list', () => {
  beforeAll(() => withoutPlans('seqscan', 'sort', 'hashjoin', 'bitmapscan'))

  it.each(orders)('of each $noun by $sortBy $sortOrder reads few rows', async ({ kind, sortBy, sortOrder }) => {
    const { rows, items } = await lookedAt(kind, { sortBy, sortOrder })
    expect(items).toBe(5)
    expect(rows).toBeLessThanOrEqual(20)
  })

  it.each(['createdAt', 'lastName', 'score'])('at the end of all by %s reads few rows', async (sortBy) => {
    const { rows, items } = await lookedAt(leadKind, { sortBy, page: leads / 5 })
    expect(items).toBe(5)
    expect(rows).toBeLessThanOrEqual(20)
  })

  it('behind the last one reads none', async () => {
    expect(await lookedAt(leadKind, { page: leads })).toEqual({ rows: 0, items: 0 })
  })
})

describe('a question that has few answers', () => {
  beforeAll(() => withoutPlans('seqscan'))

  it('about a rare tag looks at its records only', async () => {
    const { rows } = await lookedAt(leadKind, { tag: ['few'] } as never)
    expect(rows).toBeLessThanOrEqual(60)
  })

  it('about rotting records looks at none where no stage has a time for it', async () => {
    expect((await lookedAt(leadKind, { isRotting: true } as never)).rows).toBe(0)
  })
})

it('begins every index of many values with the workspace', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE m.amname = 'gin' AND c.relnamespace = 'public'::regnamespace AND a.attname <> 'workspace_id'
     UNION ALL
     SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     WHERE m.amname = 'gin' AND c.relnamespace = 'public'::regnamespace AND i.indkey[0] = 0`,
  )
  expect(rows).toEqual([])
})

it('expects few leads with one address', async () => {
  const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT json) SELECT l.id FROM unnest(ARRAY(SELECT 'person.' || n || '@example.com' FROM generate_series(1, 100) n)) AS one
     JOIN leads l ON l.workspace_id = $1 AND l.deleted_at IS NULL AND lower(l.email COLLATE "C") = one`,
    [workspaceId],
  )
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeLessThan(100)
})
