import { readEntries, sealEntries, verifyChain } from '@crm/audit'
import { createDatabase, createPool, newId } from '@crm/db'
import { createLogger, systemClock } from '@crm/runtime'
import { asDeployable, isOnCitus, testDatabase } from '@crm/testkit'
import { afterAll, expect, it } from 'vitest'
import { prune, readBehind, type Retention } from '../src/dispatcher/prune.ts'
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

const deps = {
  db: createDatabase(dispatcher),
  clock: systemClock,
  logger: createLogger({ name: 'test', level: 'silent' }),
}

const retention: Retention = {
  runs: 90,
  deliveries: 30,
  refusedCalls: 30,
  notifications: 90,
  audit: 730,
  timeline: 400,
  sessions: 30,
  jobs: 7,
  outbox: 1,
}

const bounds = { batchRows: 10, batchesMax: 1_000 }

const rowsPruned = async (periods: Retention): Promise<Readonly<Record<string, number>>> => {
  const pruned: Record<string, number> = {}
  const failed = (table: string, error: unknown): void => {
    throw new Error(table, { cause: error })
  }
  await prune(
    deps,
    periods,
    { deleted: (table, rows) => (pruned[table] = (pruned[table] ?? 0) + rows), failed },
    bounds,
  )
  return pruned
}

/** An id of long ago, as a row has it that was made then. */
const oldId = "uuidv7(interval '-9000 days')"

it('deletes what has served its time, in batches, and nothing else', async () => {
  const workspace = await makeWorkspace(owner)
  const { workflowId } = await makeHook(owner, workspace)
  const [workspaceId, employeeId, ruleId] = [workspace.workspaceId, workspace.adminUserId, newId()]
  await owner.query(
    "INSERT INTO automation_rules (workspace_id, id, name, event, actions) VALUES ($1, $2, 'Rule', 'lead.created', '[]')",
    [workspaceId, ruleId],
  )
  const [clientId, grantId] = [newId(), newId()]
  await owner.query(
    "INSERT INTO oauth_clients (workspace_id, id, name, redirect_uris) VALUES ($1, $2, 'Client', '{}')",
    [workspaceId, clientId],
  )
  await owner.query(
    "INSERT INTO oauth_grants (workspace_id, id, client_id, employee_id, scopes) VALUES ($1, $2, $3, $4, '{}')",
    [workspaceId, grantId, clientId, employeeId],
  )
  const [providerId, ssoId] = [newId(), newId()]
  await owner.query(
    "INSERT INTO identity_providers (workspace_id, id, slug, name, issuer, client_id, auth_method, scopes) VALUES ($1, $2, 'corp', 'Corporate', 'https://corp.example', 'crm', 'none', '{}')",
    [workspaceId, providerId],
  )
  // The sign-in of a session that still lasts stays, however old it is.
  await owner.query(
    "INSERT INTO sso_sessions (workspace_id, session_id, provider_id, created_at) VALUES ($1, $2, $3, now() - interval '900 days')",
    [workspaceId, ssoId, providerId],
  )
  await owner.query(
    "INSERT INTO sessions (workspace_id, id, employee_id, token_hash, expires_at, sso_id) VALUES ($1, gen_random_uuid(), $2, 'lasting', now() + interval '1 hour', $3)",
    [workspaceId, employeeId, ssoId],
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
        `INSERT INTO outbox (workspace_id, id, topic, event, done_at) SELECT $1::uuid, ${oldId}, 'job', 'test', ${at}`,
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
        `INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, state, finished_at) SELECT $1::uuid, ${oldId}, $2::uuid, 1, $3::uuid, 'SUCCEEDED', ${at}`,
      values: [workspaceId, workflowId, employeeId],
    },
    rule_runs: {
      days: 90,
      insert: (at) =>
        `INSERT INTO rule_runs (workspace_id, id, rule_id, event_id, event, state, finished_at) SELECT $1::uuid, ${oldId}, $2::uuid, gen_random_uuid(), 'lead.created', 'SUCCEEDED', ${at}`,
      values: [workspaceId, ruleId],
    },
    deliveries: {
      days: 30,
      insert: (at) =>
        `INSERT INTO deliveries (workspace_id, id, request, state, attempted_at) SELECT $1::uuid, ${oldId}, '{}', 'SUCCEEDED', ${at}`,
      values: [workspaceId],
    },
    refused_calls: {
      days: 30,
      insert: (at) =>
        `INSERT INTO refused_calls (workspace_id, id, workflow_id, reason, at) SELECT $1::uuid, ${oldId}, $2::uuid, 'x', ${at}`,
      values: [workspaceId, workflowId],
    },
    notifications: {
      days: 90,
      insert: (at) =>
        `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, created_at) SELECT $1::uuid, gen_random_uuid(), $2::uuid, 'x', 'x', ${at}`,
      values: [workspaceId, employeeId],
    },
    timeline: {
      days: 400,
      insert: (at) =>
        `INSERT INTO timeline (workspace_id, id, entity_type, entity_id, kind, actor_type, actor_name, source, occurred_at) SELECT $1::uuid, ${oldId}, 'LEAD', gen_random_uuid(), 'CREATED', 'SYSTEM', 'x', 'API', ${at}`,
      values: [workspaceId],
    },
    jobs: {
      days: 7,
      insert: (at) =>
        `INSERT INTO jobs (workspace_id, id, kind, employee_id, state, finished_at) SELECT $1::uuid, ${oldId}, 'x', $2::uuid, 'DONE', ${at}`,
      values: [workspaceId, employeeId],
    },
    sessions: {
      days: 30,
      insert: (at) =>
        `INSERT INTO sessions (workspace_id, id, employee_id, token_hash, expires_at) SELECT $1::uuid, ${oldId}, $2::uuid, gen_random_uuid()::text::bytea, ${at}`,
      values: [workspaceId, employeeId],
    },
    sso_sessions: {
      days: 30,
      insert: (at) =>
        `INSERT INTO sso_sessions (workspace_id, session_id, provider_id, created_at) SELECT $1::uuid, ${oldId}, $2::uuid, ${at}`,
      values: [workspaceId, providerId],
    },
    invitations: {
      days: 30,
      insert: (at) =>
        `INSERT INTO invitations (workspace_id, id, email, role_ids, invited_by_id, status, token_hash, expires_at) SELECT $1::uuid, ${oldId}, 'x@x.test', '{}', $2::uuid, 'ACCEPTED', gen_random_uuid()::text::bytea, ${at}`,
      values: [workspaceId, employeeId],
    },
    oauth_codes: {
      days: 30,
      insert: (at) =>
        `INSERT INTO oauth_codes (workspace_id, code_hash, grant_id, redirect_uri, challenge, expires_at) SELECT $1::uuid, gen_random_uuid()::text::bytea, $2::uuid, 'x', 'x', ${at}`,
      values: [workspaceId, grantId],
    },
    oauth_tokens: {
      days: 30,
      insert: (at) =>
        `INSERT INTO oauth_tokens (workspace_id, id, grant_id, kind, token_hash, expires_at) SELECT $1::uuid, ${oldId}, $2::uuid, 'access', gen_random_uuid()::text::bytea, ${at}`,
      values: [workspaceId, grantId],
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

  expect(await rowsPruned(retention)).toEqual(Object.fromEntries(Object.keys(kinds).map((table) => [table, many])))
  for (const table of Object.keys(kinds))
    expect(await count(table), table).toBe((before[table] ?? 0) - many + (table === 'workflow_runs' ? 1 : 0))
  expect(await rowsPruned(retention)).toEqual({})
  const forEver = Object.fromEntries(Object.keys(retention).map((name) => [name, 0])) as unknown as Retention
  const moment = "now() - interval '20 years'"
  for (const { insert, values } of Object.values(kinds).filter(({ days }) => days > 0))
    await owner.query(`${insert(moment)} FROM generate_series(1, 1)`, [...values])
  expect(await rowsPruned(forEver)).toEqual({})

  // A workspace keeps less, never more; another one keeps what the installation keeps.
  await owner.query(`UPDATE workspaces SET retention = '{"deliveries": 10, "runs": 900}' WHERE id = $1`, [workspaceId])
  const other = await makeWorkspace(owner)
  const delivered = kinds['deliveries']?.insert("now() - interval '11 days'")
  for (const id of [workspaceId, other.workspaceId]) await owner.query(`${delivered} FROM generate_series(1, 3)`, [id])
  expect(await rowsPruned(forEver)).toMatchObject({ deliveries: 1 + many + 3, workflow_runs: 1 })
  const atLast = await rowsPruned(retention)
  expect(atLast).toMatchObject({ jobs: 1 })
  expect(Object.keys(atLast)).not.toContain('deliveries')
  expect(Object.keys(atLast)).not.toContain('workflow_runs')
})

/** Plants deliveries of some days ago. */
const deliver = (workspaceId: string, days: number, n: number) =>
  owner.query(
    `INSERT INTO deliveries (workspace_id, id, request, state, attempted_at)
     SELECT $1::uuid, ${oldId}, '{}', 'SUCCEEDED', now() - $2::float8 * interval '1 day' FROM generate_series(1, $3::int)`,
    [workspaceId, days, n],
  )

it('says how late it is, and goes on with the other tables when one cannot be deleted', async () => {
  const { workspaceId, adminUserId } = await makeWorkspace(owner)
  await deliver(workspaceId, 32, 3)
  await owner.query(
    `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, created_at) VALUES ($1, ${oldId}, $2, 'x', 'x', now() - interval '91 days')`,
    [workspaceId, adminUserId],
  )
  const daySeconds = 86_400
  const behind = await readBehind(dispatcher, retention)
  expect(behind.get('deliveries')).toBeGreaterThanOrEqual(2 * daySeconds)
  expect(behind.get('notifications')).toBeGreaterThanOrEqual(daySeconds)
  expect([behind.get('jobs'), behind.get('idempotency_keys'), behind.get('audit_log')]).toEqual([0, 0, 0])
  // So is a row that only its workspace wants to be gone.
  await owner.query(`UPDATE workspaces SET retention = '{"deliveries": 20}' WHERE id = $1`, [workspaceId])
  expect((await readBehind(dispatcher, retention)).get('deliveries')).toBeGreaterThanOrEqual(12 * daySeconds)

  await owner.query('REVOKE DELETE ON deliveries FROM crm_dispatcher')
  const [deleted, failed]: [string[], string[]] = [[], []]
  await prune(deps, retention, { deleted: (table) => deleted.push(table), failed: (table) => failed.push(table) })
  await owner.query('GRANT DELETE ON deliveries TO crm_dispatcher')
  expect({ deleted, failed }).toEqual({ deleted: ['notifications'], failed: ['deliveries'] })
  expect((await readBehind(dispatcher, retention)).get('deliveries')).toBeGreaterThanOrEqual(12 * daySeconds)
  expect(await rowsPruned(retention)).toEqual({ deliveries: 3 })
  expect((await readBehind(dispatcher, retention)).get('deliveries')).toBe(0)
})

it('lets workspaces take turns, so that the backlog of one does not hold up another', async () => {
  const [large, small] = [await makeWorkspace(owner), await makeWorkspace(owner)]
  await deliver(large.workspaceId, 300, 100)
  await deliver(small.workspaceId, 31, 10)
  const left = async (workspaceId: string): Promise<number> =>
    (
      await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM deliveries WHERE workspace_id = $1', [
        workspaceId,
      ])
    ).rows[0]?.n ?? 0
  await prune(deps, retention, {}, { batchRows: 10, batchesMax: 2 })
  expect([await left(large.workspaceId), await left(small.workspaceId)]).toEqual([90, 0])
  expect(await rowsPruned(retention)).toEqual({ deliveries: 90 })
})

it('removes the expired beginning of an audit log, says so in an entry, and leaves a chain that proves itself', async () => {
  const { workspaceId } = await makeWorkspace(owner)
  const db = createDatabase(owner)
  const write = (days: number, n: number, id = workspaceId) =>
    owner.query(
      `INSERT INTO audit_log (workspace_id, id, actor_name, action, subject_type, summary, at)
       SELECT $1::uuid, gen_random_uuid(), 'x', 'x', 'x', 'x', now() - $2::int * interval '1 day' FROM generate_series(1, $3::int)`,
      [id, days, n],
    )
  await write(800, 25)
  await write(100, 5)
  await sealEntries(db, workspaceId)
  const [last] = await Array.fromAsync(readEntries(db, workspaceId, { from: 25, to: 25 }))

  expect(await rowsPruned(retention)).toMatchObject({ audit_log: 25 })
  expect(await rowsPruned(retention)).toEqual({})
  await sealEntries(db, workspaceId)
  const left = await Array.fromAsync(readEntries(db, workspaceId))
  expect(left).toHaveLength(6)
  expect(left.at(-1)).toMatchObject({
    action: 'audit.pruned',
    actorType: 'SYSTEM',
    data: { seq: 25, hash: last?.hash },
  })
  expect(await verifyChain(left)).toMatchObject({ ok: true, entries: 6 })
  expect(await verifyChain(left.slice(1))).toMatchObject({ ok: false, reason: 'GAP', brokenAt: 26 })

  // A workspace keeps less. The newest entry stays even when nothing else happens.
  await owner.query(`UPDATE workspaces SET retention = '{"audit": 30}' WHERE id = $1`, [workspaceId])
  expect(await rowsPruned(retention)).toMatchObject({ audit_log: 5 })
  // A distributed database has the rights of the roles instead (docs/decisions/audit-log.md).
  if (!isOnCitus)
    await expect(owner.query('DELETE FROM audit_log WHERE workspace_id = $1', [workspaceId])).rejects.toThrow(
      /cannot be changed or deleted/,
    )

  // So do the rules for signing in, even where the installation keeps all.
  const strict = (await makeWorkspace(owner)).workspaceId
  await write(25, 3, strict)
  await write(1, 1, strict)
  await sealEntries(db, strict)
  await owner.query(`UPDATE workspaces SET sign_in_policy = '{"auditRetentionDays": 20}' WHERE id = $1`, [strict])
  expect(await rowsPruned({ ...retention, audit: 0 })).toMatchObject({ audit_log: 3 })
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
    ['outbox', 'done_at'],
    ['idempotency_keys', 'expires_at'],
  ] as const) {
    expect(await plan(`SELECT 1 FROM ${table} WHERE ${age} < now() ORDER BY ${age} LIMIT 10`), table).toMatch(
      /Index (Only )?Scan/,
    )
  }
})
