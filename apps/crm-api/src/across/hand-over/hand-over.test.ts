import { newId, schema } from '@crm/db'
import { bookingRow } from '@crm/testkit'
import { and, count, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { unknownId } from '../../../test/samples.ts'
import { planHandOver } from './hand-over.plan.ts'

const api = await ownApi()
const { db, call, newWorkspace } = api
const jobs = await jobsUnderTest(api)
const { contacts, timeline } = schema

type Workspace = Awaited<ReturnType<typeof newWorkspace>>

/** A workspace whose administrator has a session, with somebody who leaves and somebody who stays. */
async function team() {
  const workspace = await newWorkspace()
  const cookie = await workspace.session()
  const departmentId = await workspace.department('Sales')
  const { id: sam } = await workspace.employee({ departmentId })
  const { id: maria } = await workspace.employee({ departmentId })
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    call({ method, path, body, cookie }, workspace)
  const handOver = (body: object) => ask('POST', `/api/settings/users/${sam}/hand-over`, body)
  return { workspace, cookie, sam, maria, ask, handOver }
}

async function addContacts({ workspaceId }: Workspace, n: number, ownerId: string): Promise<void> {
  await db
    .insert(contacts)
    .values(Array.from({ length: n }, (_, at) => ({ workspaceId, id: newId(), lastName: `Contact ${at}`, ownerId })))
}

async function contactsOf({ workspaceId }: Workspace, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.ownerId, ownerId)))
  return row?.n ?? 0
}

const made = ({ status, body }: CallAnswer): string => {
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

describe('the plan of one record', () => {
  const fields = [
    { name: 'ownerId', isList: false },
    { name: 'assigneeId', isList: false },
    { name: 'memberIds', isList: true },
  ]
  it.each([
    [{ ownerId: 'a' }, { ownerId: 'b' }],
    [{ ownerId: 'c', assigneeId: 'a' }, { assigneeId: 'b' }],
    [{ memberIds: ['c', 'a'] }, { memberIds: ['c', 'b'] }],
    [{ memberIds: ['b', 'a'] }, { memberIds: ['b'] }],
    [{ ownerId: 'c', memberIds: [] }, {}],
  ])('%j', (row, patch) => {
    expect(planHandOver(row, fields, 'a', 'b')).toEqual(patch)
  })
})

describe('a person who leaves', () => {
  it('has 465 contacts moved and all back by one undo, with one entry each', async () => {
    const { workspace, sam, maria, ask, handOver } = await team()
    await addContacts(workspace, 465, sam)
    const { body: counted } = await ask('GET', `/api/settings/users/${sam}/belongings`)
    expect(counted.data.records).toEqual([{ entityType: 'CONTACT', count: 465, movable: 465, over: 0 }])
    await ask('PATCH', `/api/settings/users/${sam}`, { status: 'TERMINATED' })
    const asked = await handOver({ toId: maria })
    expect(asked.status, JSON.stringify(asked.body)).toBe(202)
    const { jobId, undoId } = asked.body.data
    await jobs.settled()
    expect((await ask('GET', `/api/jobs/${jobId}`)).body.data).toMatchObject({
      state: 'DONE',
      processed: 465,
      failed: 0,
    })
    expect([await contactsOf(workspace, sam), await contactsOf(workspace, maria)]).toEqual([0, 465])
    const [entries] = await db.select({ n: count() }).from(timeline).where(eq(timeline.operationId, undoId))
    expect(entries?.n).toBe(465)
    const lastOf = async () => (await ask('GET', `/api/settings/users/${sam}/belongings`)).body.data.handOver
    expect(await lastOf()).toMatchObject({ undoId })
    api.clock.advance(71 * 3_600_000)
    const undone = await ask('POST', `/api/undo/${undoId}`)
    expect(undone.status, JSON.stringify(undone.body)).toBe(202)
    await jobs.settled()
    expect([await contactsOf(workspace, sam), await contactsOf(workspace, maria)]).toEqual([465, 0])
    expect(await lastOf()).toBeNull()
  })

  it('is followed while others write: their changes stay, and undoing leaves what was given on alone', async () => {
    const { workspace, sam, maria, ask, handOver } = await team()
    await addContacts(workspace, 250, sam)
    const { items } = (await ask('GET', `/api/contacts?ownerId=${sam}&pageSize=5`)).body
    const ids: string[] = items.map(({ id }: { id: string }) => id)
    const [asked] = await Promise.all([
      handOver({ toId: maria }),
      ...ids.map((id) => ask('PATCH', `/api/contacts/${id}`, { jobTitle: 'Buyer' })),
    ])
    await jobs.settled()
    expect([await contactsOf(workspace, sam), await contactsOf(workspace, maria)]).toEqual([0, 250])
    const given = ids[0] ?? ''
    await ask('PATCH', `/api/contacts/${given}`, { ownerId: workspace.adminUserId })
    const undone = await ask('POST', `/api/undo/${asked.body.data.undoId}`)
    await jobs.settled()
    const job = (await ask('GET', `/api/jobs/${undone.body.data.jobId}`)).body.data
    expect(job).toMatchObject({ state: 'DONE', failed: 1, errors: [{ id: given, code: 'VERSION_CONFLICT' }] })
    expect(await contactsOf(workspace, sam)).toBe(249)
    expect((await ask('GET', `/api/contacts/${ids[1]}`)).body.data).toMatchObject({ jobTitle: 'Buyer', ownerId: sam })
  })

  it('keeps what is over, unless told, and has one entry for a task that names them three times', async () => {
    const { sam, maria, ask, handOver, workspace } = await team()
    const post = async (path: string, body: object) => made(await ask('POST', path, body))
    const open = await post('/api/deals', { name: 'Open', ownerId: sam })
    const won = await post('/api/deals', { name: 'Won', ownerId: sam, status: 'WON' })
    const task = await post('/api/tasks', { title: 'Call', ownerId: sam, assigneeId: sam, memberIds: [sam, maria] })
    const dry = await handOver({ toId: maria, dryRun: true })
    expect(dry.body.data).toMatchObject({
      to: [{ id: maria }],
      belongings: {
        records: [
          { entityType: 'DEAL', count: 1, movable: 1, over: 1 },
          { entityType: 'TASK', count: 1, movable: 1, over: 0 },
        ],
      },
    })
    const ownerOf = async (path: string) => (await ask('GET', path)).body.data
    expect(await ownerOf(`/api/deals/${open}`)).toMatchObject({ ownerId: sam })
    const { body } = await handOver({ toId: maria })
    await jobs.settled()
    expect(await ownerOf(`/api/deals/${open}`)).toMatchObject({ ownerId: maria })
    expect(await ownerOf(`/api/deals/${won}`)).toMatchObject({ ownerId: sam })
    expect(await ownerOf(`/api/tasks/${task}`)).toMatchObject({ ownerId: maria, assigneeId: maria, memberIds: [maria] })
    const entries = await db.select().from(timeline).where(eq(timeline.operationId, body.data.undoId))
    expect(entries.filter(({ entityId }) => entityId === task)).toHaveLength(1)
    await handOver({ toId: maria, includeOver: true, kinds: ['DEAL'] })
    await jobs.settled()
    expect(await ownerOf(`/api/deals/${won}`)).toMatchObject({ ownerId: maria })
    await ask('POST', `/api/undo/${body.data.undoId}`)
    await jobs.settled()
    expect(await ownerOf(`/api/tasks/${task}`)).toMatchObject({
      ownerId: sam,
      assigneeId: sam,
      memberIds: [sam, maria],
    })
    expect(await contactsOf(workspace, sam)).toBe(0)
  })

  it('is followed by the active people of the department in turn', async () => {
    const { workspace, sam, maria, handOver } = await team()
    const department = await workspace.department('Elsewhere')
    await workspace.employee({ departmentId: department })
    const [first] = await db.select().from(schema.employees).where(eq(schema.employees.id, sam))
    const { id: noor } = await workspace.employee({ departmentId: first?.departmentId ?? '' })
    await workspace.employee({ departmentId: first?.departmentId ?? '', status: 'SUSPENDED' })
    await addContacts(workspace, 5, sam)
    await handOver({ byTeam: true })
    await jobs.settled()
    expect([await contactsOf(workspace, maria), await contactsOf(workspace, noor)]).toEqual([3, 2])
  })

  it('leaves booking links, dashboards, views and automation to others, and keys to nobody', async () => {
    const { workspace, sam, maria, ask, handOver } = await team()
    const cookie = await workspace.session(sam)
    await ask('PATCH', `/api/settings/users/${sam}`, { roleIds: [workspace.roleIds['Manager']] })
    const bySam = async (path: string, body: object) =>
      made(await call({ method: 'POST', path, body, cookie }, workspace))
    const link = await bySam('/api/settings/booking-links', { slug: 'sam', name: 'Intro' })
    const dashboard = await bySam('/api/dashboards', { name: 'Mine', isHome: true })
    const workflow = await bySam('/api/settings/workflows', {
      name: 'Greet',
      trigger: { type: 'WEBHOOK', method: 'POST' },
      steps: [],
    })
    await workspace.apiKey({ ownerId: sam })
    const { body: dry } = await handOver({ toId: maria, dryRun: true })
    expect(dry.data.belongings.others.map(({ type, count: n, fate }: Other) => [type, n, fate])).toEqual([
      ['BOOKING_LINK', 1, 'MOVES'],
      ['DASHBOARD', 1, 'MOVES'],
      ['WORKFLOW', 1, 'MOVES'],
      ['API_KEY', 1, 'STOPS'],
    ])
    const { body } = await handOver({ toId: maria })
    await jobs.settled()
    const holders = async () => {
      const [[aLink], [aDashboard], [aWorkflow]] = await Promise.all([
        db.select().from(schema.bookingLinks).where(eq(schema.bookingLinks.id, link)),
        db.select().from(schema.dashboards).where(eq(schema.dashboards.id, dashboard)),
        db.select().from(schema.workflows).where(eq(schema.workflows.id, workflow)),
      ])
      return [aLink?.organizerId, aDashboard?.ownerId, aWorkflow?.runAsId]
    }
    expect(await holders()).toEqual([maria, maria, maria])
    await ask('POST', `/api/undo/${body.data.undoId}`)
    await jobs.settled()
    expect(await holders()).toEqual([sam, sam, sam])
  })

  it.each([
    ['REASSIGN', ['maria', 'sam']],
    ['CANCEL', ['cancelled', 'cancelled']],
    ['KEEP', ['sam', 'sam']],
  ] as const)('has meetings with the fate %s', async (meetings, expected) => {
    const { workspace, sam, maria, ask, handOver } = await team()
    const { workspaceId } = workspace
    const linkId = newId()
    await db.insert(schema.bookingLinks).values({
      workspaceId,
      id: linkId,
      slug: `s-${linkId}`,
      name: 'Intro',
      organizerId: sam,
      timezone: 'UTC',
      weeklyHours: [],
    })
    const hour = 3_600_000
    const at = (hours: number) => new Date(api.clock.now().getTime() + hours * hour).toISOString()
    const ids = [newId(), newId()]
    const meeting = (id: string, organizerId: string, hours: number) =>
      bookingRow({
        workspaceId,
        id,
        linkId,
        organizerId,
        startAt: at(hours),
        endAt: at(hours + 1),
        inviteeName: 'Guest',
        inviteeEmail: 'guest@example.com',
        joinUrl: 'https://example.com/call',
      })
    await db.insert(schema.bookings).values([
      meeting(ids[0] as string, sam, 24),
      meeting(ids[1] as string, sam, 48),
      // Maria has a meeting of her own at the time of the second.
      meeting(newId(), maria, 48),
    ])
    const { body } = await handOver({ toId: maria, meetings, kinds: ['CONTACT'] })
    await jobs.settled()
    const names = new Map([
      [sam, 'sam'],
      [maria, 'maria'],
    ])
    const fates = async () =>
      Promise.all(
        ids.map(async (id) => {
          const [row] = await db.select().from(schema.bookings).where(eq(schema.bookings.id, id))
          return row?.status === 'CANCELLED' ? 'cancelled' : names.get(row?.organizerId ?? '')
        }),
      )
    expect(await fates()).toEqual(expected)
    const { data } = (await ask('GET', `/api/jobs/${body.data.jobId}`)).body
    expect(data).toMatchObject({ state: 'DONE', failed: meetings === 'REASSIGN' ? 1 : 0 })
    if (meetings !== 'REASSIGN') return
    await ask('POST', `/api/undo/${body.data.undoId}`)
    await jobs.settled()
    expect(await fates()).toEqual(['sam', 'sam'])
  })
})

interface Other {
  readonly type: string
  readonly count: number
  readonly fate: string
}

describe('a hand-over is refused', () => {
  it('to nobody, to the person, to somebody disabled or to two at once', async () => {
    const { workspace, sam, maria, handOver } = await team()
    const { id: gone } = await workspace.employee({ status: 'SUSPENDED' })
    for (const body of [
      {},
      { toId: maria, byTeam: true },
      { toId: sam },
      { toId: gone },
      { toId: unknownId },
      { toId: maria, kinds: ['NOTHING'] },
      { toId: maria, meetings: 'LATER' },
    ])
      expect([body, (await handOver(body)).body.code]).toEqual([body, 'VALIDATION_ERROR'])
  })

  it('to a team of one, and to people without the right to see the records', async () => {
    const { workspace, sam, maria, ask, handOver } = await team()
    await ask('PATCH', `/api/settings/users/${maria}`, { status: 'SUSPENDED' })
    expect((await handOver({ byTeam: true })).body.issues).toMatchObject([{ path: ['byTeam'] }])
    const { id: blind } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'], access: [] } })
    await addContacts(workspace, 1, sam)
    expect((await handOver({ toId: blind })).body.issues).toMatchObject([{ path: ['toId'] }])
    expect((await handOver({ toId: blind, kinds: ['LEAD'] })).status).toBe(202)
    await jobs.settled()
  })

  it('for somebody who is not there, and to be undone after three days', async () => {
    const { maria, ask, handOver } = await team()
    expect((await ask('POST', `/api/settings/users/${unknownId}/hand-over`, { toId: maria })).status).toBe(404)
    expect((await ask('GET', `/api/settings/users/${unknownId}/belongings`)).status).toBe(404)
    const { body } = await handOver({ toId: maria })
    await jobs.settled()
    api.clock.advance(73 * 3_600_000)
    expect((await ask('POST', `/api/undo/${body.data.undoId}`)).status).toBe(404)
  })

  it('moves only what its author may change', async () => {
    const { workspace, sam, maria } = await team()
    await addContacts(workspace, 2, sam)
    const { id: hr } = await workspace.employee({
      grant: { permissions: ['MANAGE_USERS', 'VIEW_CONTACT'], access: [] },
    })
    await db.delete(schema.employeeRoles).where(eq(schema.employeeRoles.employeeId, sam))
    const cookie = await workspace.session(hr)
    const path = `/api/settings/users/${sam}/hand-over`
    const asked = await call({ method: 'POST', path, body: { toId: maria }, cookie }, workspace)
    expect(asked.body.data.belongings.records).toEqual([{ entityType: 'CONTACT', count: 2, movable: 0, over: 0 }])
    await jobs.settled()
    expect(await contactsOf(workspace, sam)).toBe(2)
  })
})
