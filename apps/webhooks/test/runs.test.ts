import { createDatabase } from '@crm/db'
import { queueRun } from '@crm/jobs'
import { testDatabase, testRedis, type TestProcess, eventually } from '@crm/testkit'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callHook,
  createLead as createLeadOf,
  ownerPool,
  runsOf,
  startInstallation,
  startReceiver,
  type Installation,
  type StoredRun,
} from './installation.ts'
import { makeHook, makeWorkspace, type HookOptions, type TestHook, type TestWorkspace } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
afterAll(() => pool.end())

const dataDir = mkdtempSync(join(tmpdir(), 'crm-runs-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

let installation: Installation
let workspace: TestWorkspace
let dispatcher: TestProcess

beforeAll(async () => {
  const redis = await testRedis()
  installation = await startInstallation(database, redis.url)
  dispatcher = await installation.startDispatcher({ DATA_DIR: dataDir })
  workspace = await makeWorkspace(pool)
})

const createLead = {
  key: 'lead',
  name: 'Create a lead',
  type: 'CREATE_RECORD',
  entityType: 'LEAD',
  values: { email: '{{trigger.email}}', firstName: 'Hook', lastName: '{{trigger.name}}' },
}

const hookWith = (...steps: NonNullable<HookOptions['steps']>): Promise<TestHook> =>
  makeHook(pool, workspace, { steps })

const isOpen = ({ state }: StoredRun): boolean => ['QUEUED', 'RUNNING'].includes(state)

/** Calls the webhook and returns its run once nobody works on it any more. */
async function runOnce(hook: TestHook, body: unknown): Promise<StoredRun> {
  const { length: earlier } = await runsOf(pool, hook.workflowId)
  expect(await callHook(installation.ingress, workspace.host, hook, body)).toBe(202)
  return eventually(
    async () => {
      const run = (await runsOf(pool, hook.workflowId))[earlier]
      expect(run && isOpen(run)).toBe(false)
      return run!
    },
    { timeout: 30_000, interval: 20 },
  )
}

async function createOwnLead(): Promise<string> {
  const { id } = await createLeadOf(installation, workspace, { lastName: 'Waiting' })
  return String(id)
}

function idOf(run: StoredRun): string {
  return (run.steps[0]!.output as { readonly id: string }).id
}

async function leadsWith(email: string) {
  const { rows } = await pool.query<{ id: string; last_name: string; owner_id: string; status: string }>(
    'SELECT id, last_name, owner_id, status FROM leads WHERE email = $1',
    [email],
  )
  return rows
}

describe('a run', () => {
  it('creates a record as the maker of the workflow, and leaves its history', async () => {
    const run = await runOnce(await hookWith(createLead), { email: 'ada@example.com', name: 'Lovelace' })
    expect(run).toMatchObject({
      state: 'SUCCEEDED',
      failureCode: null,
      steps: [{ position: '0', key: 'lead', state: 'SUCCEEDED', output: { email: 'ada@example.com', status: 'NEW' } }],
    })
    expect(await leadsWith('ada@example.com')).toEqual([
      { id: idOf(run), last_name: 'Lovelace', owner_id: workspace.adminUserId, status: 'NEW' },
    ])
    const { rows } = await pool.query(
      `SELECT source, actor_id FROM timeline WHERE kind = 'CREATED' AND entity_id = $1`,
      [idOf(run)],
    )
    expect(rows).toEqual([{ source: 'WORKFLOW', actor_id: workspace.adminUserId }])
  })

  it('adds a task for the owner of a record, due on a day counted from the step', async () => {
    const task = {
      key: 'task',
      name: '',
      type: 'CREATE_RECORD',
      entityType: 'TASK',
      values: { title: 'Call', type: 'CALL', assigneeId: '{{steps.lead.data.ownerId}}', dueAt: { inDays: 2 } },
    }
    const run = await runOnce(await hookWith(createLead, task), { email: 'due@example.com', name: 'Due' })
    const { dueAt, ...made } = run.steps[1]!.output as { readonly dueAt: string }
    expect(made).toMatchObject({ title: 'Call', type: 'CALL', assigneeId: workspace.adminUserId })
    const { rows } = await pool.query<{ days: number }>(
      `SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date - (started_at AT TIME ZONE 'UTC')::date AS days
       FROM workflow_step_runs WHERE run_id = $2 AND position = '1'`,
      [dueAt, run.id],
    )
    expect(rows).toEqual([{ days: 2 }])
  })

  it('passes what one step gives to the next, and takes one branch of a fork', async () => {
    const receiver = await startReceiver()
    const hook = await hookWith(
      createLead,
      {
        key: 'warm',
        name: '',
        type: 'UPDATE_RECORD',
        entityType: 'LEAD',
        id: '{{steps.lead.data.id}}',
        values: { temperature: 'HOT' },
      },
      {
        key: 'found',
        name: '',
        type: 'FIND_RECORDS',
        entityType: 'LEAD',
        filter: { search: '{{trigger.email}}' },
        limit: 5,
      },
      {
        key: 'fork',
        name: '',
        type: 'CONDITION',
        if: [{ field: 'steps.found.data.total', op: 'EQ', value: 1 }],
        then: [
          {
            key: 'tell',
            name: '',
            type: 'HTTP_REQUEST',
            url: receiver.url,
            method: 'PUT',
            headers: { 'X-Token': 't' },
            bodyTemplate: '{"lead":{{steps.warm.data.temperature}},"n":{{steps.found.data.total}}}',
          },
        ],
        else: [{ key: 'never', name: '', type: 'SET', values: {} }],
      },
      { key: 'end', name: '', type: 'SET', values: { answer: '{{steps.tell.data.body.received}}' } },
    )
    const run = await runOnce(hook, { email: 'grace@example.com', name: 'Hopper' })
    expect(run.steps.map(({ position, state }) => [position, state])).toEqual([
      ['0', 'SUCCEEDED'],
      ['1', 'SUCCEEDED'],
      ['2', 'SUCCEEDED'],
      ['3', 'SUCCEEDED'],
      ['3.then.0', 'SUCCEEDED'],
      ['4', 'SUCCEEDED'],
    ])
    expect(run.steps.at(-1)?.output).toEqual({ answer: true })
    expect(receiver.received).toMatchObject([
      { method: 'PUT', body: '{"lead":"HOT","n":1}', headers: { 'x-token': 't', 'content-type': 'application/json' } },
    ])
  })

  it('waits for a delay in PostgreSQL and goes on when its time has come', async () => {
    const hook = await hookWith(
      { key: 'now', name: '', type: 'DELAY', minutes: 0 },
      { key: 'wait', name: '', type: 'DELAY', minutes: 60 },
      createLead,
    )
    const run = await runOnce(hook, { email: 'later@example.com' })
    expect(run).toMatchObject({ state: 'WAITING', steps: [{ state: 'SUCCEEDED' }, { state: 'RUNNING' }] })
    await pool.query(
      `UPDATE workflow_step_runs SET input = jsonb_set(input, '{until}', to_jsonb(now()::text)) WHERE run_id = $1 AND step_key = 'wait'`,
      [run.id],
    )
    await pool.query('UPDATE workflow_runs SET resume_at = now() WHERE id = $1', [run.id])
    await eventually(async () => expect((await runsOf(pool, hook.workflowId))[0]?.state).toBe('SUCCEEDED'), {
      timeout: 30_000,
    })
    expect(await leadsWith('later@example.com')).toHaveLength(1)
  })

  it('sends a mail to each recipient, filled from the call', async () => {
    const mail = {
      key: 'mail',
      name: '',
      type: 'SEND_EMAIL',
      to: ['{{trigger.email}}, second@mail.example', '{{trigger.email}}'],
      subject: 'Hello\n {{trigger.name}}',
      body: 'Dear {{trigger.name}},\nthank you.',
    }
    const run = await runOnce(await hookWith(mail), { email: 'first@mail.example', name: 'Ada' })
    expect(run).toMatchObject({
      state: 'SUCCEEDED',
      steps: [{ state: 'SUCCEEDED', output: { sentTo: ['first@mail.example', 'second@mail.example'] } }],
    })
    const mails = readdirSync(join(dataDir, 'mail')).map((name) => readFileSync(join(dataDir, 'mail', name), 'utf8'))
    expect(
      mails.map((text) => /^To: (.*)$/m.exec(text)?.[1]?.trim() ?? '').toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['first@mail.example', 'second@mail.example'])
    expect(mails[0]).toMatch(/^Subject: Hello Ada\r$/m)
    expect(mails[0]).toContain('Dear Ada,\r\nthank you.')
  })

  it('sends no more mails in an hour than the workspace may', async () => {
    const own = await makeWorkspace(pool)
    await pool.query(`UPDATE workspaces SET limits = '{"mails.per-hour": 1}' WHERE id = $1`, [own.workspaceId])
    const to = ['only@mail.example', 'too-many@mail.example']
    const mail = { key: 'mail', name: '', type: 'SEND_EMAIL', to, subject: 's', body: 'b' }
    const hook = await makeHook(pool, own, { steps: [mail] })
    expect(await callHook(installation.ingress, own.host, hook, {})).toBe(202)
    await eventually(async () => expect(await runsOf(pool, hook.workflowId)).toMatchObject([{ state: 'FAILED' }]))
    expect(await runsOf(pool, hook.workflowId)).toMatchObject([
      { failureMessage: 'The mail to too-many@mail.example was not sent: the workspace has sent too many lately' },
    ])
  })

  it('sends nothing when one recipient is no address', async () => {
    const mail = {
      key: 'mail',
      name: '',
      type: 'SEND_EMAIL',
      to: 'third@mail.example,{{trigger.email}}',
      subject: 's',
      body: 'b',
    }
    const run = await runOnce(await hookWith(mail), { email: 'x\r\nBcc: all@mail.example' })
    expect(run).toMatchObject({
      state: 'FAILED',
      failureCode: 'STEP_FAILED',
      failureMessage: expect.stringMatching(/^Not an email address/),
    })
  })

  it.each([
    [
      'a record that the API refuses',
      { ...createLead, values: { email: 'no address' } },
      'STEP_FAILED',
      /VALIDATION_ERROR/,
    ],
    [
      'a kind of record that the API does not have',
      { ...createLead, entityType: 'NOTHING', values: { title: 'x' } },
      'STEP_FAILED',
      /NOT_FOUND/,
    ],
    [
      'an address that is not allowed',
      {
        key: 'x',
        name: '',
        type: 'HTTP_REQUEST',
        url: 'http://localhost/',
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      },
      'STEP_FAILED',
      /not allowed/,
    ],
  ])('fails with %s', async (_, step, failureCode, message) => {
    const run = await runOnce(await hookWith(step), {})
    expect(run).toMatchObject({
      state: 'FAILED',
      failureCode,
      failureMessage: expect.stringMatching(message),
      steps: [{ position: '0', state: 'FAILED', failureCode }],
    })
    const { rows: told } = await pool.query("SELECT kind, employee_id FROM notifications WHERE data->>'runId' = $1", [
      run?.id,
    ])
    expect(told).toEqual([{ kind: 'RUN_FAILED', employee_id: workspace.adminUserId }])
  })

  it('fails with the answer of a request in the delivery log', async () => {
    const receiver = await startReceiver(() => 500)
    const run = await runOnce(
      await hookWith({
        key: 'x',
        name: '',
        type: 'HTTP_REQUEST',
        url: receiver.url,
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      }),
      { a: 1 },
    )
    expect(run).toMatchObject({ state: 'FAILED', failureCode: 'STEP_FAILED' })
    const { rows } = await pool.query('SELECT state, status, response_body, error FROM deliveries WHERE run_id = $1', [
      run.id,
    ])
    expect(rows).toEqual([
      { state: 'FAILED', status: 500, response_body: '{"received":true}', error: 'The answer was not a success.' },
    ])
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      event: 'webhook.received',
      entityType: 'WORKFLOW',
      tenantId: workspace.workspaceId,
      data: { a: 1 },
    })
  })

  it('does nothing for a maker who is not active, nor what the maker may not do', async () => {
    const other = await makeWorkspace(pool)
    const hook = await makeHook(pool, other, { steps: [createLead] })
    await pool.query(`UPDATE roles SET permissions = '{}' WHERE workspace_id = $1`, [other.workspaceId])
    await callHook(installation.ingress, other.host, hook, { email: 'denied@example.com' })
    await eventually(async () =>
      expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({ state: 'FAILED', failureCode: 'ACCESS_DENIED' }),
    )
    await pool.query(`UPDATE employees SET status = 'SUSPENDED' WHERE workspace_id = $1`, [other.workspaceId])
    await callHook(installation.ingress, other.host, hook, { email: 'denied@example.com' })
    await eventually(async () =>
      expect((await runsOf(pool, hook.workflowId))[1]).toMatchObject({
        state: 'FAILED',
        failureCode: 'OWNER_DISABLED',
      }),
    )
    expect(await leadsWith('denied@example.com')).toEqual([])
  })

  const nested = '['.repeat(5_000) + ']'.repeat(5_000)

  it.each([
    ['NUL', '{"a\\u0000":"x\\u0000"}', { 'a\uFFFD': 'x\uFFFD' }],
    ['half of a surrogate pair', '["\\ud800"]', ['\uFFFD']],
    ['null', 'null', null],
    ['more levels than can be kept', nested, nested],
  ])('goes on with an answer that holds %s', async (_, answer, kept) => {
    const receiver = await startReceiver(() => 200, answer)
    const run = await runOnce(
      await hookWith({
        key: 'ask',
        name: '',
        type: 'HTTP_REQUEST',
        url: receiver.url,
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      }),
      {},
    )
    expect(run).toMatchObject({ state: 'SUCCEEDED', steps: [{ state: 'SUCCEEDED', output: { body: kept } }] })
  })

  describe('of a request', () => {
    const asking = (url: string, more: object = {}) => ({
      key: 'ask',
      name: '',
      type: 'HTTP_REQUEST',
      url,
      method: 'POST',
      headers: {},
      bodyTemplate: null,
      ...more,
    })
    const { rawJSON: literal } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }
    const noting = { key: 'note', name: '', type: 'SET', values: { id: '{{steps.ask.data.body.id}}' } }

    it.each([
      ['JSON', JSON.stringify({ id: 7, text: 'x'.repeat(17_000) }), null],
      ['a text', 'x'.repeat(17_000), 'x'.repeat(16_384)],
    ])('%s that is cut is marked as cut', async (_what, answer, body) => {
      const receiver = await startReceiver(() => 200, answer)
      const run = await runOnce(await hookWith(asking(receiver.url), noting), {})
      expect(run).toMatchObject({
        state: 'SUCCEEDED',
        steps: [{ output: { status: 200, body, truncated: true } }, { output: { id: null } }],
      })
    })

    it('an id of many digits keeps them, in the answer and in what is sent on', async () => {
      const receiver = await startReceiver(() => 200, '{"id":9007199254740993}')
      const run = await runOnce(await hookWith(asking(receiver.url), noting), { id: literal('10765432100123456789') })
      expect(run.steps).toMatchObject([
        { output: { body: { id: '9007199254740993' } } },
        { output: { id: '9007199254740993' } },
      ])
      expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ data: { id: '10765432100123456789' } })
    })

    it.each([
      [{ method: 'DELETE', body: 'NONE' }, '', undefined],
      [{ method: 'POST', body: 'NONE', bodyTemplate: '{"a":1}' }, '', undefined],
      [
        { method: 'POST', body: 'USUAL', bodyTemplate: '{"a":1}' },
        expect.stringContaining('"event"'),
        'application/json',
      ],
      [{ method: 'POST', body: 'TEMPLATE', bodyTemplate: '{"a":1}' }, '{"a":1}', 'application/json'],
      [{ method: 'GET' }, '', undefined],
    ])('%j sends what was chosen', async (chosen, body, contentType) => {
      const receiver = await startReceiver(() => 200)
      await runOnce(await hookWith(asking(receiver.url, chosen)), {})
      expect(receiver.received).toMatchObject([{ method: chosen.method, body }])
      const { headers } = receiver.received[0]!
      expect(headers['content-type']).toBe(contentType)
      expect(headers['user-agent']).toMatch(/^workspace-crm\/\d/)
    })
  })

  it.each(['\\u0000', '\\ud800'])('keeps U+FFFD where a template gives %s', async (text) => {
    const run = await runOnce(
      await hookWith({ key: 'set', name: '', type: 'SET', values: { note: `{{trigger.none | default:"${text}"}}` } }),
      {},
    )
    expect(run).toMatchObject({ state: 'SUCCEEDED', steps: [{ output: { note: '\uFFFD' } }] })
  })

  it('ends when the values of a record hold what cannot be kept', async () => {
    const run = await runOnce(
      await hookWith({ ...createLead, values: { firstName: '{{trigger.none | default:"\\u0000"}}' } }),
      {},
    )
    expect(run).toMatchObject({ state: 'FAILED', failureCode: 'STEP_FAILED' })
  })

  it('fails when it has lost its worker too often, rather than taking down one after the other', async () => {
    const hook = await hookWith({ key: 'wait', name: '', type: 'DELAY', minutes: 60 })
    const { id } = await runOnce(hook, {})
    await pool.query(`UPDATE outbox SET payload = '{"takeovers":5}' WHERE id = $1`, [id])
    await pool.query(
      `UPDATE workflow_runs SET state = 'RUNNING', lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    )
    await eventually(
      async () =>
        expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({ state: 'FAILED', failureCode: 'WORKER_LOST' }),
      { timeout: 30_000 },
    )
  })
})

describe('an assignment in turn', () => {
  const assign = (among: object, id = '{{steps.lead.data.id}}') => ({
    key: 'turn',
    name: '',
    type: 'ASSIGN_OWNER',
    entityType: 'LEAD',
    id,
    among,
  })

  /** Returns the owners of the leads with an email, as numbers of some people. */
  async function ownersOf(email: string, people: readonly string[]): Promise<number[]> {
    return (await leadsWith(email)).map(({ owner_id }) => people.indexOf(owner_id)).toSorted((a, b) => a - b)
  }

  async function manyPeople(count: number, options: Parameters<TestWorkspace['employee']>[0]): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push((await workspace.employee(options)).id)
    return ids
  }

  it('gives all active members of a department the same number of records, also when many runs come at once', async () => {
    const departmentId = await workspace.department('Sales')
    const people = await manyPeople(3, { departmentId })
    await manyPeople(1, { departmentId, status: 'SUSPENDED' })
    const hook = await hookWith(createLead, assign({ departmentId }))
    const email = 'turns@example.com'
    const calls = Array.from({ length: 9 }, () =>
      callHook(installation.ingress, workspace.host, hook, { email, name: 'T' }),
    )
    expect(new Set(await Promise.all(calls))).toEqual(new Set([202]))
    await eventually(
      async () => {
        const runs = await runsOf(pool, hook.workflowId)
        expect(runs.map(({ state }) => state)).toEqual(Array(9).fill('SUCCEEDED'))
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(await ownersOf(email, people)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  it('goes on behind the last person when people come and go', async () => {
    const people = await manyPeople(3, {})
    const hook = await hookWith(createLead, assign({ employeeIds: people.toReversed() }))
    const next = async (email: string) => {
      expect(await runOnce(hook, { email, name: 'T' })).toMatchObject({ state: 'SUCCEEDED' })
      return ownersOf(email, people)
    }
    expect([await next('one@turn.example'), await next('two@turn.example')]).toEqual([[0], [1]])
    await pool.query(`UPDATE employees SET status = 'SUSPENDED' WHERE id = ANY ($1)`, [people.slice(1, 2)])
    expect([await next('three@turn.example'), await next('four@turn.example')]).toEqual([[2], [0]])
    await pool.query(`UPDATE employees SET status = 'SUSPENDED' WHERE id = ANY ($1)`, [people])
    expect(await runOnce(hook, { email: 'nobody@turn.example', name: 'T' })).toMatchObject({
      state: 'FAILED',
      failureCode: 'STEP_FAILED',
      failureMessage: 'None of the people who take turns is active',
    })
  })

  it('costs nobody their turn when the step has to be tried again', async () => {
    const people = await manyPeople(2, {})
    const [first, second] = [await createOwnLead(), await createOwnLead()]
    const hook = await hookWith(assign({ employeeIds: people }, '{{trigger.id}}'))
    await pool.query('UPDATE leads SET deleted_at = now() WHERE id = $1', [first])
    const failed = await runOnce(hook, { id: first })
    expect(failed).toMatchObject({ state: 'FAILED', failureMessage: expect.stringMatching(/NOT_FOUND/) })
    expect(await runOnce(hook, { id: second })).toMatchObject({ steps: [{ output: { ownerId: people[1] } }] })
    await pool.query('UPDATE leads SET deleted_at = NULL WHERE id = $1', [first])
    const db = createDatabase(pool)
    await pool.query(`UPDATE workflow_runs SET state = 'QUEUED', epoch = 2 WHERE id = $1`, [failed.id])
    await db.transaction((tx) => queueRun(tx, { workspaceId: workspace.workspaceId, runId: failed.id, epoch: 2 }))
    await eventually(
      async () =>
        expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({
          state: 'SUCCEEDED',
          steps: [{ epoch: 2, output: { id: first, ownerId: people[0] } }],
        }),
      { timeout: 30_000, interval: 20 },
    )
  })

  it('has no more rights than the maker of the workflow', async () => {
    const other = await makeWorkspace(pool)
    const { id: target } = await other.employee()
    const hook = await makeHook(pool, other, { steps: [createLead, assign({ employeeIds: [target] })] })
    await pool.query(
      `UPDATE roles SET permissions = array_remove(permissions, 'UPDATE_LEAD') WHERE workspace_id = $1`,
      [other.workspaceId],
    )
    await callHook(installation.ingress, other.host, hook, { email: 'kept@turn.example', name: 'T' })
    await eventually(async () =>
      expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({ state: 'FAILED', failureCode: 'ACCESS_DENIED' }),
    )
    expect(await leadsWith('kept@turn.example')).toMatchObject([{ owner_id: other.adminUserId }])
  })
})

describe('a step that starts a workflow', () => {
  const start = (workflowId: string) => ({ key: 'start', name: '', type: 'START_WORKFLOW', workflowId })

  it('starts it once, with the same data and the same record', async () => {
    const target = await hookWith(createLead)
    const hook = await hookWith(start(target.workflowId))
    const body = { email: 'started@example.com', name: 'S' }
    const run = await runOnce(hook, body)
    const runId = (run.steps[0]!.output as { readonly runId: string }).runId
    await eventually(
      async () =>
        expect(await runsOf(pool, target.workflowId)).toMatchObject([
          { id: runId, state: 'SUCCEEDED', depth: 1, trigger: body },
        ]),
      { timeout: 30_000 },
    )
    expect(await leadsWith('started@example.com')).toHaveLength(1)
    const { rows } = await pool.query('SELECT started_by_run_id FROM workflow_runs WHERE id = $1', [runId])
    expect(rows).toEqual([{ started_by_run_id: run.id }])
  })

  it('starts nothing more when its worker was lost after the start', async () => {
    const target = await hookWith(createLead)
    const hook = await hookWith(start(target.workflowId), { key: 'wait', name: '', type: 'DELAY', minutes: 60 })
    const run = await runOnce(hook, { email: 'once@example.com', name: 'S' })
    // This is what a worker leaves that is lost between the start and the end of the step.
    await pool.query(
      `UPDATE workflow_step_runs SET state = 'RUNNING', output = NULL WHERE run_id = $1 AND step_key = 'start'`,
      [run.id],
    )
    await pool.query(
      `UPDATE workflow_runs SET state = 'RUNNING', lease_until = now() - interval '1 second' WHERE id = $1`,
      [run.id],
    )
    await eventually(
      async () =>
        expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({
          state: 'WAITING',
          epoch: 2,
          steps: [{ state: 'SUCCEEDED', output: run.steps[0]!.output }, { state: 'RUNNING' }],
        }),
      { timeout: 30_000 },
    )
    expect(await runsOf(pool, target.workflowId)).toHaveLength(1)
  })

  it('ends a circle with TOO_DEEP', async () => {
    const hook = await hookWith({ key: 'values', name: '', type: 'SET', values: {} })
    await pool.query('UPDATE workflow_versions SET steps = $2 WHERE workflow_id = $1', [
      hook.workflowId,
      JSON.stringify([start(hook.workflowId)]),
    ])
    await callHook(installation.ingress, workspace.host, hook, {})
    await eventually(
      async () => {
        const runs = await runsOf(pool, hook.workflowId)
        expect(runs.map(({ depth, state, failureCode }) => ({ depth, state, failureCode }))).toEqual([
          ...[0, 1, 2, 3].map((depth) => ({ depth, state: 'SUCCEEDED', failureCode: null })),
          { depth: 4, state: 'FAILED', failureCode: 'TOO_DEEP' },
        ])
      },
      { timeout: 30_000 },
    )
  })

  it('starts neither what is not published nor what runs with more rights', async () => {
    const target = await hookWith(createLead)
    const { id: weakId } = await workspace.employee({ grant: { permissions: ['MANAGE_WORKFLOWS', 'CREATE_LEAD'] } })
    const weak = await makeHook(pool, { ...workspace, adminUserId: weakId }, { steps: [start(target.workflowId)] })
    expect(await runOnce(weak, {})).toMatchObject({ state: 'FAILED', failureCode: 'ACCESS_DENIED' })
    const down = await makeHook(pool, { ...workspace, adminUserId: weakId }, { steps: [createLead] })
    const hook = await hookWith(start(down.workflowId))
    expect(await runOnce(hook, { email: 'down@example.com', name: 'S' })).toMatchObject({ state: 'SUCCEEDED' })
    await eventually(async () => expect(await leadsWith('down@example.com')).toMatchObject([{ owner_id: weakId }]), {
      timeout: 30_000,
    })
    await pool.query(`UPDATE workflows SET status = 'UNPUBLISHED' WHERE id = $1`, [target.workflowId])
    expect(await runOnce(await hookWith(start(target.workflowId)), {})).toMatchObject({
      state: 'FAILED',
      failureMessage: 'The workflow to start is not published',
    })
    expect(await runsOf(pool, target.workflowId)).toEqual([])
  })
})

it('shows how much waits', async () => {
  const hook = await hookWith({ key: 'wait', name: '', type: 'DELAY', minutes: 60 })
  await runOnce(hook, {})
  const metrics = await (await fetch(`${dispatcher.url}/metrics`)).text()
  expect(metrics).toMatch(/crm_runs_open\{state="WAITING",service="webhooks-dispatcher"\} [1-9]/)
  expect(metrics).toMatch(/crm_runs_oldest_queued_seconds\{[^}]*\} 0/)
  expect(metrics).toContain('# TYPE crm_outbox_backlog gauge')
})

describe('a workflow that starts at a time of day', () => {
  it('runs once when its time has come, and again on the next day', async () => {
    const { workflowId } = await hookWith({ key: 'values', type: 'SET', values: { at: '{{trigger.scheduledFor}}' } })
    const trigger = { type: 'SCHEDULE', at: '09:00' }
    await pool.query('UPDATE workflow_versions SET trigger = $2 WHERE workflow_id = $1', [workflowId, trigger])
    await pool.query(`UPDATE workspaces SET timezone = 'Asia/Tokyo' WHERE id = $1`, [workspace.workspaceId])
    await pool.query(`UPDATE workflows SET next_run_at = '2026-01-05T00:00:00Z' WHERE id = $1`, [workflowId])
    await eventually(
      async () => {
        const runs = await runsOf(pool, workflowId)
        expect(runs.map(({ state }) => state)).toEqual(['SUCCEEDED'])
        expect(runs[0]?.steps[0]?.output).toEqual({ at: '2026-01-05T00:00:00.000Z' })
      },
      { timeout: 30_000, interval: 50 },
    )
    const { rows } = await pool.query<{ time: string; is_within_a_day: boolean }>(
      `SELECT to_char(next_run_at AT TIME ZONE 'Asia/Tokyo', 'HH24:MI') AS time,
        next_run_at > now() AND next_run_at <= now() + interval '24 hours' AS is_within_a_day
      FROM workflows WHERE id = $1`,
      [workflowId],
    )
    expect(rows).toEqual([{ time: '09:00', is_within_a_day: true }])
  })
})
