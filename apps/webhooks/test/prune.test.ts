import { createPool, newId } from '@crm/db'
import { asDeployable, testDatabase } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'
import { prune, type Retention } from '../src/dispatcher/prune.ts'
import { makeHook, makeWorkspace } from './workspace.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const dispatcher = createPool({
  ...asDeployable,
  databaseUrl: database.urlFor('crm_dispatcher'),
  max: 2,
  applicationName: 'test-dispatcher',
})
afterAll(() => Promise.all([owner.end(), dispatcher.end()]))

const retention: Retention = {
  runs: 90,
  ruleRuns: 90,
  deliveries: 30,
  refusedCalls: 30,
  notifications: 180,
  audit: 730,
  outbox: 1,
}

it('deletes what has served its time, in batches, and nothing else', async () => {
  const workspace = await makeWorkspace(owner)
  const { workflowId } = await makeHook(owner, workspace)
  const [workspaceId, employeeId, ruleId] = [workspace.workspaceId, workspace.adminUserId, newId()]
  await owner.query(
    "INSERT INTO automation_rules (workspace_id, id, name, event, actions) VALUES ($1, $2, 'Rule', 'lead.created', '[]')",
    [workspaceId, ruleId],
  )
  const old = (days: number) => `now() - interval '${days} days' - interval '1 minute'`
  const young = (days: number) => `now() - interval '${days} days' + interval '1 minute'`
  const many = 25
  const kinds: Readonly<
    Record<string, { readonly days: number; insert(at: string): string; readonly values: readonly unknown[] }>
  > = {
    outbox: {
      days: 1,
      insert: (at) =>
        `INSERT INTO outbox (workspace_id, id, topic, event, done_at) SELECT $1::uuid, gen_random_uuid(), 'job', 'test', ${at}`,
      values: [workspaceId],
    },
    idempotency_keys: {
      days: 0,
      insert: (at) =>
        `INSERT INTO idempotency_keys (workspace_id, employee_id, key, fingerprint, claim_id, lease_until, expires_at) SELECT $1::uuid, $2::uuid, gen_random_uuid()::text, 'f', gen_random_uuid(), now(), ${at}`,
      values: [workspaceId, employeeId],
    },
    workflow_runs: {
      days: 90,
      insert: (at) =>
        `INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, state, finished_at) SELECT $1::uuid, gen_random_uuid(), $2::uuid, 1, $3::uuid, 'SUCCEEDED', ${at}`,
      values: [workspaceId, workflowId, employeeId],
    },
    rule_runs: {
      days: 90,
      insert: (at) =>
        `INSERT INTO rule_runs (workspace_id, id, rule_id, event_id, event, state, finished_at) SELECT $1::uuid, gen_random_uuid(), $2::uuid, gen_random_uuid(), 'lead.created', 'SUCCEEDED', ${at}`,
      values: [workspaceId, ruleId],
    },
    deliveries: {
      days: 30,
      insert: (at) =>
        `INSERT INTO deliveries (workspace_id, id, request, state, attempted_at) SELECT $1::uuid, gen_random_uuid(), '{}', 'SUCCEEDED', ${at}`,
      values: [workspaceId],
    },
    refused_calls: {
      days: 30,
      insert: (at) =>
        `INSERT INTO refused_calls (workspace_id, id, workflow_id, reason, at) SELECT $1::uuid, gen_random_uuid(), $2::uuid, 'x', ${at}`,
      values: [workspaceId, workflowId],
    },
    notifications: {
      days: 180,
      insert: (at) =>
        `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, created_at) SELECT $1::uuid, gen_random_uuid(), $2::uuid, 'x', 'x', ${at}`,
      values: [workspaceId, employeeId],
    },
    audit_log: {
      days: 730,
      insert: (at) =>
        `INSERT INTO audit_log (workspace_id, id, actor_name, action, subject_type, summary, at) SELECT $1::uuid, gen_random_uuid(), 'x', 'x', 'x', 'x', ${at}`,
      values: [workspaceId],
    },
  }
  const count = async (table: string): Promise<number> =>
    (await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0
  const before: Record<string, number> = {}
  for (const [table, { days, insert, values }] of Object.entries(kinds)) {
    for (const at of [old(days), young(days)])
      await owner.query(`${insert(at)} FROM generate_series(1, ${many})`, [...values])
    before[table] = await count(table)
  }
  // A running run has no end, however old it is.
  await owner.query(
    "INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, state, created_at) VALUES ($1, $2, $3, 1, $4, 'WAITING', now() - interval '900 days')",
    [workspaceId, newId(), workflowId, employeeId],
  )

  expect(await prune(dispatcher, retention, 10)).toEqual(
    Object.fromEntries(Object.keys(kinds).map((table) => [table, many])),
  )
  for (const table of Object.keys(kinds))
    expect(await count(table), table).toBe((before[table] ?? 0) - many + (table === 'workflow_runs' ? 1 : 0))
  expect(Object.values(await prune(dispatcher, retention, 10)).every((n) => n === 0)).toBe(true)
})

it('finds the oldest rows and the runs of one state by an index', async () => {
  const plan = async (text: string): Promise<string> => {
    const client = await owner.connect()
    try {
      await client.query('SET enable_seqscan = off')
      return (await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`)).rows
        .map((row) => row['QUERY PLAN'])
        .join('\n')
    } finally {
      await client.query('RESET enable_seqscan')
      client.release()
    }
  }
  const id = newId()
  expect(
    await plan(
      `SELECT id FROM workflow_runs WHERE workspace_id = '${id}' AND state = 'FAILED' ORDER BY id DESC LIMIT 50`,
    ),
  ).toContain('workflow_runs_by_state')
  expect(
    await plan(
      `SELECT id FROM workflow_runs WHERE workspace_id = '${id}' AND workflow_id = '${id}' AND state = 'FAILED' ORDER BY id DESC LIMIT 50`,
    ),
  ).toContain('workflow_runs_by_workflow_state')
  for (const [table, age] of [
    ['workflow_runs', 'finished_at'],
    ['rule_runs', 'finished_at'],
    ['deliveries', 'attempted_at'],
    ['refused_calls', 'at'],
    ['notifications', 'created_at'],
    ['audit_log', 'at'],
    ['outbox', 'done_at'],
    ['idempotency_keys', 'expires_at'],
  ] as const) {
    expect(await plan(`SELECT 1 FROM ${table} WHERE ${age} < now() ORDER BY ${age} LIMIT 10`), table).toMatch(
      /Index (Only )?Scan/,
    )
  }
})
