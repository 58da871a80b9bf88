// Mail steps of workflows over a real mail server that takes, refuses, puts off and cuts.
import { eventually, testDatabase, testRedis } from '@crm/testkit'
import { startMailServer } from '@crm/testkit/mail-server'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { callHook, ownerPool, runsOf, startInstallation, type StoredRun } from './installation.ts'
import { makeHook, makeWorkspace, type TestHook } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
const server = await startMailServer()
afterAll(() => Promise.all([pool.end(), server.close()]))
const redis = await testRedis()
const installation = await startInstallation(database, redis.url)
await installation.startDispatcher({ SMTP_URL: server.url, MAIL_FROM: 'crm@service.test' })
const workspace = await makeWorkspace(pool)

beforeEach(() => {
  server.atEnd = 'TAKE'
  server.answers.clear()
  server.taken.length = 0
})

let made = 0
const somebody = (): string => `somebody${(made += 1)}@guest.test`

const hookFor = (...to: string[]): Promise<TestHook> =>
  makeHook(pool, workspace, {
    steps: [
      { key: 'mail', name: '', type: 'SEND_EMAIL', to, subject: 'Hello', body: 'A line' },
      { key: 'after', name: '', type: 'SET', values: { done: true } },
    ],
  })

const start = async (hook: TestHook): Promise<void> =>
  expect(await callHook(installation.ingress, workspace.host, hook, {})).toBe(202)

/** Returns the run of a workflow once it has a state. */
const runIn = (hook: TestHook, state: string): Promise<StoredRun> =>
  eventually(async () => {
    const [run] = await runsOf(pool, hook.workflowId)
    expect(run).toMatchObject({ state })
    return run!
  })

/** Ends the pause of a run that waits. */
const wake = (hook: TestHook) =>
  pool.query(`UPDATE workflow_runs SET resume_at = now() WHERE workflow_id = $1 AND state = 'WAITING'`, [
    hook.workflowId,
  ])

it('waits where the mail server says "later", and then sends each mail once', async () => {
  const [first, later] = [somebody(), somebody()]
  server.answers.set(later, 450)
  const hook = await hookFor(first, later)
  await start(hook)
  const waiting = await runIn(hook, 'WAITING')
  expect(waiting.steps[0]).toMatchObject({
    state: 'RUNNING',
    output: { sentTo: [first], waiting: { tries: 1, said: `${later} (450 try again later)` } },
  })
  await wake(hook)
  await eventually(async () =>
    expect((await runsOf(pool, hook.workflowId))[0]?.steps[0]?.output).toMatchObject({ waiting: { tries: 2 } }),
  )
  // A run that is not asleep yet cannot be woken.
  await runIn(hook, 'WAITING')
  server.answers.clear()
  await wake(hook)
  expect((await runIn(hook, 'SUCCEEDED')).steps).toMatchObject([
    { output: { sentTo: [first, later] } },
    { key: 'after' },
  ])
  expect(server.taken.map(({ to }) => to)).toEqual([[first], [later]])
})

it('fails at once where nobody gets the mail, with the sentence of the server', async () => {
  const address = somebody()
  server.answers.set(address, 550)
  const hook = await hookFor(address)
  await start(hook)
  expect(await runIn(hook, 'FAILED')).toMatchObject({
    failureCode: 'STEP_FAILED',
    failureMessage: `The mail was not sent to ${address} (550 no such mailbox)`,
  })
})

it('goes on where somebody gets the mail, and names who does not', async () => {
  const [first, refused] = [somebody(), somebody()]
  server.answers.set(refused, 550)
  const hook = await hookFor(refused, first)
  await start(hook)
  expect((await runIn(hook, 'SUCCEEDED')).steps[0]).toMatchObject({
    output: { sentTo: [first], refused: [{ address: refused, said: '550 no such mailbox' }] },
  })
})

it('says that nobody knows where the connection is cut before the server says whether it has the mail', async () => {
  const address = somebody()
  server.atEnd = 'CUT'
  const hook = await hookFor(address)
  await start(hook)
  expect(await runIn(hook, 'FAILED')).toMatchObject({
    failureCode: 'OUTCOME_UNKNOWN',
    failureMessage: expect.stringContaining(address),
  })
  expect(server.taken).toHaveLength(1)
})

it('is not failed by a server that thinks', async () => {
  const address = somebody()
  server.atEnd = 'THINK'
  const hook = await hookFor(address)
  await start(hook)
  await eventually(() => expect((server.go(), server.taken)).toHaveLength(1))
  const run = await runIn(hook, 'SUCCEEDED')
  expect(server.taken[0]).toMatchObject({ messageId: `<${run.id}.0.0@service.test>` })
})
