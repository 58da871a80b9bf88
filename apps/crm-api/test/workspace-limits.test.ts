import { schema } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ownApi } from './harness.ts'

const api = await ownApi({ requestsAtOnce: 4 })
const { call, db } = api
type Workspace = typeof api.workspace

async function limitedTo(limits: Readonly<Record<string, number>>): Promise<Workspace> {
  const workspace = await api.newWorkspace()
  await db.update(schema.workspaces).set({ limits }).where(eq(schema.workspaces.id, workspace.workspaceId))
  return workspace
}

it('api.per-minute counts for each credential of the workspace', async () => {
  const workspace = await limitedTo({ 'api.per-minute': 2 })
  const [{ key }, { key: other }] = [await workspace.apiKey(), await workspace.apiKey()]
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) statuses.push((await call({ path: '/api/leads', key }, workspace)).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await call({ path: '/api/leads', key: other }, workspace)).status).toBe(200)
})

it('a changed limit counts from the next requests on', async () => {
  const workspace = await api.newWorkspace()
  const { key } = await workspace.apiKey()
  const statusOf = async () => (await call({ path: '/api/leads', key }, workspace)).status
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  const { workspaces } = schema
  await db
    .update(workspaces)
    .set({ limits: { 'api.per-minute': 3 } })
    .where(eq(workspaces.id, workspace.workspaceId))
  await api.epochs.bump(workspace.workspaceId)
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
})

it('mails.per-hour counts recipients, whoever writes to them', async () => {
  const workspace = await limitedTo({ 'mails.per-hour': 3 })
  const { id: ownerId } = await workspace.employee({ roles: ['Administrator'] })
  const keys = [await workspace.apiKey(), await workspace.apiKey({ ownerId })]
  const { body: lead } = await call(
    { method: 'POST', path: '/api/leads', key: keys[0]!.key, body: { lastName: 'Reader' } },
    workspace,
  )
  const mail = {
    to: ['a@example.com', 'b@example.com'],
    subject: 'Hello',
    message: 'Dear both',
    links: [{ entityType: 'LEAD', entityId: lead.data.id }],
  }
  const send = ({ key }: { readonly key: string }) =>
    call({ method: 'POST', path: '/api/emails', key, body: mail }, workspace)
  expect((await send(keys[0]!)).status).toBe(201)
  expect(await send(keys[1]!)).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  })
})

it('requests.share leaves the rest of the process to other workspaces', async () => {
  const workspace = await limitedTo({ 'requests.share': 50 })
  const { key } = await workspace.apiKey()
  const other = await api.newWorkspace()
  const { key: otherKey } = await other.apiKey()
  let answers: ReturnType<typeof call>[] = []
  await db.transaction(async (tx) => {
    // Whoever creates a lead waits now.
    await tx.execute(sql`LOCK TABLE leads IN ACCESS EXCLUSIVE MODE`)
    const body = { lastName: 'Waiting' }
    answers = [1, 2, 3].map(() => call({ method: 'POST', path: '/api/leads', key, body }, workspace))
    expect(await Promise.race(answers)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
      headers: { 'retry-after': '1' },
    })
    expect((await call({ path: '/api/currencies', key }, workspace)).status).toBe(503)
    expect((await call({ path: '/api/currencies', key: otherKey }, other)).status).toBe(200)
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 503])
  expect((await call({ path: '/api/currencies', key }, workspace)).status).toBe(200)
})
