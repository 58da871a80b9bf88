import { newId, schema } from '@crm/db'
import { and, count, eq, isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import { jobsUnderTest } from '../../test/jobs.ts'

const api = await ownApi()
const { db, call, newWorkspace } = api
const jobs = await jobsUnderTest(api)

/** Creates a workspace with `n` leads of one owner. */
async function withLeads(n: number, owner?: string) {
  const workspace = await newWorkspace()
  await addLeads(workspace, n, owner ?? workspace.adminUserId)
  return workspace
}

async function addLeads(
  workspace: Awaited<ReturnType<typeof newWorkspace>>,
  n: number,
  ownerId: string,
): Promise<void> {
  const [stage] = await db
    .select()
    .from(schema.stages)
    .where(eq(schema.stages.pipelineId, workspace.leadPipelineId))
    .orderBy(schema.stages.position)
    .limit(1)
  const createdAt = new Date(Date.now() - 60_000).toISOString()
  const row = {
    workspaceId: workspace.workspaceId,
    status: 'NEW' as const,
    pipelineId: workspace.leadPipelineId,
    stageId: stage?.id ?? '',
    ownerId,
    createdAt,
  }
  await db
    .insert(schema.leads)
    .values(Array.from({ length: n }, (_, at) => ({ ...row, id: newId(), lastName: `Lead ${at}` })))
}

async function countOf(workspaceId: string, where: Parameters<typeof and>[0]): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(schema.leads)
    .where(and(eq(schema.leads.workspaceId, workspaceId), isNull(schema.leads.deletedAt), where))
  return row?.n ?? 0
}

describe('a bulk change of more than 500 leads', () => {
  it('is done in the background, step by step, and tells its progress', async () => {
    const workspace = await withLeads(1_050)
    const { key } = await workspace.apiKey()
    const asked = await call(
      {
        method: 'PATCH',
        path: '/api/leads',
        key,
        body: { filter: { status: 'NEW' }, set: { temperature: 'HOT' }, addTags: ['vip'] },
      },
      workspace,
    )
    expect(asked.status, JSON.stringify(asked.body)).toBe(202)
    await jobs.settled()
    const { body } = await call({ path: `/api/jobs/${asked.body.data.jobId}`, key }, workspace)
    expect(body.data).toMatchObject({
      state: 'DONE',
      total: 1_050,
      processed: 1_050,
      failed: 0,
      errors: [],
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(await countOf(workspace.workspaceId, eq(schema.leads.temperature, 'HOT'))).toBe(1_050)
    const steps = await db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.workspaceId, workspace.workspaceId), eq(schema.outbox.topic, 'job')))
    expect(steps).toHaveLength(3)
  })

  it('goes on from its cursor after a crash, and sees no lead twice', async () => {
    const workspace = await withLeads(700)
    const { key } = await workspace.apiKey()
    const ids = (
      await db
        .select({ id: schema.leads.id })
        .from(schema.leads)
        .where(eq(schema.leads.workspaceId, workspace.workspaceId))
        .orderBy(schema.leads.id)
    ).map(({ id }) => id)
    const jobId = newId()
    // The row of a process that died between its first step and its second.
    await db.insert(schema.jobs).values({
      workspaceId: workspace.workspaceId,
      id: jobId,
      kind: 'leads.bulk-delete',
      employeeId: workspace.adminUserId,
      payload: { filter: { status: 'NEW' } },
      state: 'RUNNING',
      total: 700,
      processed: 500,
      cursor: ids[499],
      startedAt: new Date().toISOString(),
    })
    await db
      .insert(schema.outbox)
      .values({ workspaceId: workspace.workspaceId, topic: 'job', event: 'leads.bulk-delete', payload: { jobId } })
    await jobs.settled()
    expect((await call({ path: `/api/jobs/${jobId}`, key }, workspace)).body.data).toMatchObject({
      state: 'DONE',
      processed: 700,
    })
    expect(await countOf(workspace.workspaceId, undefined)).toBe(500)
  })

  it('reaches no further than its employee does', async () => {
    const workspace = await withLeads(510)
    const { id: mine } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    await addLeads(workspace, 501, mine)
    const { key } = await workspace.apiKey({ ownerId: mine, scopes: ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'] })
    const asked = await call(
      { method: 'DELETE', path: '/api/leads', key, body: { filter: { status: 'NEW' }, expectedCount: 501 } },
      workspace,
    )
    expect(asked.status, JSON.stringify(asked.body)).toBe(202)
    await jobs.settled()
    expect(await countOf(workspace.workspaceId, undefined)).toBe(510)
    expect(await countOf(workspace.workspaceId, eq(schema.leads.ownerId, mine))).toBe(0)
  })

  it('fails when its employee may not any more', async () => {
    const workspace = await withLeads(1)
    const { id: employeeId } = await workspace.employee({ status: 'SUSPENDED' })
    const jobId = newId()
    await db.insert(schema.jobs).values({
      workspaceId: workspace.workspaceId,
      id: jobId,
      kind: 'leads.bulk-delete',
      employeeId,
      payload: { filter: { status: 'NEW' } },
      total: 1,
    })
    await db
      .insert(schema.outbox)
      .values({ workspaceId: workspace.workspaceId, topic: 'job', event: 'leads.bulk-delete', payload: { jobId } })
    await jobs.settled()
    const [job] = await db.select().from(schema.jobs).where(eq(schema.jobs.id, jobId))
    expect(job).toMatchObject({ state: 'FAILED', errors: [{ code: 'ACCOUNT_DISABLED' }] })
    expect(await countOf(workspace.workspaceId, undefined)).toBe(1)
  })
})

describe('a bulk change of more than 500 deals', () => {
  it('is done in the background as well', async () => {
    const workspace = await newWorkspace()
    const { workspaceId, dealPipelineId: pipelineId, adminUserId: ownerId } = workspace
    const [stage] = await db
      .select()
      .from(schema.stages)
      .where(eq(schema.stages.pipelineId, pipelineId))
      .orderBy(schema.stages.position)
      .limit(1)
    const row = {
      workspaceId,
      status: 'OPEN' as const,
      pipelineId,
      stageId: stage?.id ?? '',
      ownerId,
      currency: 'EUR',
      createdAt: new Date(Date.now() - 60_000).toISOString(),
    }
    await db
      .insert(schema.deals)
      .values(Array.from({ length: 501 }, (_, at) => ({ ...row, id: newId(), name: `Deal ${at}` })))
    const { key } = await workspace.apiKey()
    const asked = await call(
      {
        method: 'PATCH',
        path: '/api/deals',
        key,
        body: { filter: { status: 'OPEN' }, set: { status: 'LOST', lostReason: 'Season' } },
      },
      workspace,
    )
    expect(asked.status, JSON.stringify(asked.body)).toBe(202)
    await jobs.settled()
    expect((await call({ path: `/api/jobs/${asked.body.data.jobId}`, key }, workspace)).body.data).toMatchObject({
      state: 'DONE',
      total: 501,
      processed: 501,
      failed: 0,
    })
    expect((await call({ path: '/api/deals?status=LOST', key }, workspace)).body.total).toBe(501)
  })
})
