import type { UndoResult } from '@crm/contract'
import { schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import { createRandom } from '@crm/runtime'
import { eventually, seed, testDatabase } from '@crm/testkit'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sweepAgents } from '../src/workers/sweep-agents.ts'
import { ownApi, type ApiUnderTest, type Call } from './harness.ts'
import { jobsUnderTest } from './jobs.ts'
import { unknownId } from './samples.ts'
import { wholeDatabase, type WholeDatabase } from './whole-database.ts'

const database = await testDatabase()
const api = await ownApi({ database })
/** A second process on the same database. */
const other = await ownApi({ database })
const jobs = await jobsUnderTest(api)
const pass = (ms: number): void => [api, other].forEach(({ clock }) => clock.advance(ms))
const minutes = 60_000
const hours = 60 * minutes

interface Session {
  readonly id: string
  readonly employeeId: string
  readonly reads: number
  readonly writes: number
  readonly refusals: number
  readonly records: number
  readonly startedAt: string
  readonly lastAt: string
  readonly undoJobId: string | null
}

/** A workspace whose administrator looks on, with an agent of theirs. */
async function newPlace() {
  const workspace = await api.newWorkspace()
  const cookie = await workspace.session()
  const inSession = (method: Call['method'], path: string, body?: unknown, as = cookie, through = api) =>
    through.call({ method, path, cookie: as, body }, workspace)
  const made = await inSession('POST', '/api/settings/api-keys', {
    name: 'Claude',
    scopes: permissionNames,
  })
  const agent = made.body.data as { readonly id: string; readonly key: string }
  const ask = (method: Call['method'], path: string, body?: unknown, through: ApiUnderTest = api) =>
    through.call({ method, path, key: agent.key, body }, workspace)
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await ask('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }
  const list = async (query = '', as = cookie): Promise<readonly Session[]> =>
    (await inSession('GET', `/api/settings/agent-sessions${query}`, undefined, as)).body.items
  const only = async (): Promise<Session> => (await list())[0] as Session
  const undo = (id: string, body?: object, as = cookie, through = api) =>
    inSession('POST', `/api/settings/agent-sessions/${id}/undo`, body, as, through)
  const undone = async (id: string, body?: object): Promise<UndoResult> => {
    const answer = await undo(id, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    await jobs.settled()
    const { state, result, errors } = (await inSession('GET', `/api/jobs/${answer.body.data.jobId}`)).body.data
    expect({ state, errors }).toEqual({ state: 'DONE', errors: [] })
    return result
  }
  const read = (path: string) => inSession('GET', path)
  return { workspace, cookie, inSession, agent, ask, create, list, only, undo, undone, read }
}

describe('the sessions of an agent', () => {
  it('are its calls with less than half an hour between them, counted over processes', async () => {
    const { ask, list, agent, create, workspace, inSession } = await newPlace()
    const counted = (...expected: object[]) =>
      eventually(async () => {
        const sessions = await list()
        expect(sessions).toEqual(expected.map((one) => expect.objectContaining(one)))
        return sessions[0] as Session
      })
    const id = await create('/api/leads', { lastName: 'One' })
    await counted({ writes: 1 })
    pass(20 * minutes)
    await Promise.all([ask('GET', `/api/leads/${id}`), ask('GET', '/api/leads', undefined, other)])
    await counted({ reads: 2 })
    pass(20 * minutes)
    expect((await ask('PATCH', `/api/leads/${id}`, { ownerId: unknownId }, other)).status).toBe(400)
    await ask('POST', '/api/preview', { operation: 'leads.delete', params: { id } })
    const first = await counted({ reads: 3, writes: 1, refusals: 1, records: 1 })
    expect(first).toMatchObject({
      employeeId: workspace.adminUserId,
      via: { type: 'API_KEY', id: agent.id, name: 'Claude' },
      undoJobId: null,
    })
    // The two clocks differ a little.
    expect(Math.round((Date.parse(first.lastAt) - Date.parse(first.startedAt)) / minutes)).toBe(40)

    pass(31 * minutes)
    // Two processes begin the next one together.
    await Promise.all([
      ask('POST', '/api/leads', { lastName: 'Two' }),
      ask('POST', '/api/leads', { lastName: 'Three' }, other),
    ])
    await counted({ writes: 2, records: 2 }, { writes: 1, records: 1 })
    expect(await list(`?to=${first.lastAt}&from=${first.startedAt}`)).toHaveLength(1)
    expect(await list(`?viaId=${unknownId}`)).toEqual([])

    // What people do is no session.
    await inSession('POST', '/api/leads', { lastName: 'Mine' })
    expect(await list()).toHaveLength(2)
    const later = new Date(api.clock.now().getTime() + 91 * 24 * hours)
    await sweepAgents({ ...api, clock: { now: () => later } })
    expect(await list()).toEqual([])
  })

  it('tell their operations as far as the reader sees their records, and wait a page at a time', async () => {
    const { create, ask, only, read, inSession } = await newPlace()
    const id = await create('/api/leads', { lastName: 'Ada', companyName: 'Engines' })
    const gone = await create('/api/leads', { lastName: 'Gone' })
    await ask('PATCH', `/api/leads/${id}`, { lastName: 'Lovelace' })
    await ask('DELETE', `/api/leads/${gone}`)
    const session = await only()
    const { operations, nextCursor } = (await read(`/api/settings/agent-sessions/${session.id}`)).body.data
    expect(operations.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [expect.objectContaining({ id: gone, kind: 'DELETE', told: 'DELETED', title: 'Gone' })],
      [expect.objectContaining({ id, kind: 'UPDATE', fields: { lastName: ['Ada', 'Lovelace'] }, title: 'Lovelace' })],
      [expect.objectContaining({ id: gone, kind: 'CREATE' })],
      [expect.objectContaining({ id, kind: 'CREATE', entityType: 'LEAD' })],
    ])
    expect(nextCursor).toBeNull()
    await Promise.all(Array.from({ length: 210 }, (_, n) => create('/api/leads', { lastName: `Lead ${n}` })))
    const first = (await read(`/api/settings/agent-sessions/${session.id}`)).body.data
    const path = `/api/settings/agent-sessions/${session.id}?cursor=${encodeURIComponent(first.nextCursor)}`
    const second = (await read(path)).body.data
    expect(first.operations.length + second.operations.length).toBe(214)
    expect(second.nextCursor).toBeNull()
    expect((await inSession('GET', `/api/settings/agent-sessions/${session.id}?cursor=x`)).status).toBe(400)
  })

  it('belong to their person: others need the right to manage keys, and to reach that person', async () => {
    const { workspace, create, only, list, undo, inSession, cookie } = await newPlace()
    await create('/api/leads', { lastName: 'Own' })
    const { id } = await only()
    const plain = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'] } })
    const manager = await workspace.employee({ grant: { permissions: ['MANAGE_API_KEYS', 'VIEW_LEAD'] } })
    for (const [person, status] of [
      [plain, [404, 403]],
      // The manager does not reach the administrator, who may do more.
      [manager, [404, 403]],
    ] as const) {
      const theirs = await workspace.session(person.id)
      expect(await list('', theirs)).toEqual([])
      const read = await inSession('GET', `/api/settings/agent-sessions/${id}`, undefined, theirs)
      expect([read.status, (await undo(id, undefined, theirs)).status]).toEqual(status)
    }
    // The other way round it is theirs to see.
    const { key } = await workspace.apiKey({ ownerId: plain.id, scopes: ['VIEW_LEAD'] })
    await api.call({ path: '/api/leads', key }, workspace)
    const seen = await eventually(async () => {
      const found = (await list()).find(({ employeeId }) => employeeId === plain.id)
      expect(found).toMatchObject({ reads: 1 })
      return found as Session
    })
    expect((await inSession('GET', `/api/settings/agent-sessions/${seen.id}`)).status).toBe(200)
    expect((await undo(seen.id, undefined, cookie)).status).toBe(202)
    expect((await undo(unknownId)).status).toBe(404)
    // No key undoes anything here.
    const path = `/api/settings/agent-sessions/${id}/undo`
    expect((await api.call({ method: 'POST', path, key: api.key }, workspace)).status).toBeGreaterThanOrEqual(401)
  })
})

describe('the undo of a session', () => {
  it('shows first what it would do, and does it then', async () => {
    const { create, ask, only, undone, read, inSession } = await newPlace()
    const id = (await inSession('POST', '/api/leads', { lastName: 'Before', companyName: 'Old' })).body.data.id
    const made = await create('/api/leads', { lastName: 'Made' })
    await ask('PATCH', `/api/leads/${id}`, { lastName: 'Agent', companyName: 'New' })
    await ask('PATCH', `/api/leads/${id}`, { lastName: 'Agent again' })
    await inSession('PATCH', `/api/leads/${id}`, { companyName: 'Mine' })
    const { id: session } = await only()
    const expected = { undone: 2, kept: [{ entityType: 'LEAD', id, field: 'companyName', title: 'Agent again' }] }
    const inboxOf = async () => (await read('/api/settings/notifications')).body.items.length
    const told = await inboxOf()
    expect(await undone(session, { dryRun: true })).toEqual(expected)
    expect((await read(`/api/leads/${id}`)).body.data.lastName).toBe('Agent again')
    expect((await only()).undoJobId).toBeNull()
    expect(await inboxOf()).toBe(told)

    const named = { ...expected, kept: expected.kept.map((one) => ({ ...one, title: 'Before' })) }
    expect(await undone(session)).toEqual(named)
    expect((await read(`/api/leads/${id}`)).body.data).toMatchObject({ lastName: 'Before', companyName: 'Mine' })
    expect((await read(`/api/leads/${made}`)).status).toBe(404)
    expect((await only()).undoJobId).toEqual(expect.any(String))
    const { items } = (await read('/api/settings/audit-log?action=agent-session.undone')).body
    expect(items).toHaveLength(1)
    // Once more finds nothing to take back.
    expect(await undone(session)).toEqual(named)
  })

  it('keeps records that somebody works with or deleted, and names what nothing takes back', async () => {
    const { create, ask, only, undone, read, inSession } = await newPlace()
    const touched = await create('/api/leads', { lastName: 'Touched' })
    await inSession('POST', '/api/crm/comments', { entityType: 'LEAD', entityId: touched, body: 'Called' })
    const mine = (await inSession('POST', '/api/leads', { lastName: 'Mine' })).body.data.id
    await ask('PATCH', `/api/leads/${mine}`, { lastName: 'Theirs' })
    await inSession('DELETE', `/api/leads/${mine}`)
    const commented = (await inSession('POST', '/api/leads', { lastName: 'Commented' })).body.data.id
    await ask('POST', '/api/crm/comments', { entityType: 'LEAD', entityId: commented, body: 'By the agent' })
    const lost = (await inSession('POST', '/api/leads', { lastName: 'Lost' })).body.data.id
    await ask('DELETE', `/api/leads/${lost}`)
    const { kept } = await undone((await only()).id)
    const record = (id: string) => expect.objectContaining({ entityType: 'LEAD', id, field: null })
    expect(kept).toHaveLength(3)
    expect(kept).toEqual(expect.arrayContaining([record(touched), record(mine), record(commented)]))
    expect((await read(`/api/leads/${touched}`)).status).toBe(200)
    expect((await read(`/api/leads/${lost}`)).body.data.lastName).toBe('Lost')
  })

  it('brings deleted files back and takes new ones away, unless somebody used them since', async () => {
    const { ask, only, undone, read, inSession } = await newPlace()
    const leadId = (await inSession('POST', '/api/leads', { lastName: 'With files' })).body.data.id
    const upload = async (
      name: string,
      by: (method: 'POST', path: string, body: object) => ReturnType<typeof ask>,
      links: object,
    ) => {
      const contentBase64 = Buffer.from(name).toString('base64')
      const body = { filename: `${name}.txt`, contentType: 'text/plain', contentBase64, ...links }
      const answer = await by('POST', '/api/files/upload', body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body.data.id as string
    }
    const linked = await upload('linked', inSession, { leadId })
    const loose = await upload('loose', inSession, {})
    const renamed = await upload('renamed', inSession, {})
    for (const id of [linked, loose]) expect((await ask('DELETE', `/api/files/${id}`)).status).toBe(200)
    await ask('PATCH', `/api/files/${renamed}`, { name: 'by the agent.txt' })
    const mine = await upload('made', ask, { leadId })
    const used = await upload('used', ask, { leadId })
    await inSession('POST', '/api/crm/comments', {
      entityType: 'LEAD',
      entityId: leadId,
      body: 'See there',
      fileIds: [used],
    })
    const { id } = await only()
    const { operations } = (await read(`/api/settings/agent-sessions/${id}`)).body.data
    const told = operations.flatMap(({ changes }: { changes: { entityType: string; title: string }[] }) => changes)
    expect(told).toContainEqual(expect.objectContaining({ entityType: 'FILE', title: 'loose.txt', kind: 'DELETE' }))
    const kept = [used, renamed].map((one) => ({ entityType: 'FILE', id: one, field: null }))
    const titled = [
      { ...kept[0], title: 'used.txt' },
      { ...kept[1], title: 'by the agent.txt' },
    ]
    expect(new Set((await undone(id, { dryRun: true })).kept)).toEqual(new Set(titled))
    expect((await read(`/api/files/${linked}`)).status).toBe(404)
    const result = await undone(id)
    expect(new Set(result.kept)).toEqual(new Set(titled))
    const statuses = await Promise.all(
      [linked, loose, mine, used].map(async (one) => (await read(`/api/files/${one}`)).status),
    )
    expect(statuses).toEqual([200, 200, 404, 200])
    expect((await read(`/api/files?leadId=${leadId}`)).body.items.map((file: { id: string }) => file.id)).toContain(
      linked,
    )
  })

  it('takes new choices away that nobody uses, and names the others', async () => {
    const { ask, create, only, undone, read, inSession } = await newPlace()
    const unused = await create('/api/industries', { name: 'Unused' })
    const used = await create('/api/industries', { name: 'Used' })
    await inSession('POST', '/api/companies', { name: 'Theirs', industryId: used })
    const touched = await create('/api/industries', { name: 'Touched' })
    pass(1)
    await inSession('PATCH', `/api/industries/${touched}`, { name: 'Touched by Ada' })
    const old = (await inSession('POST', '/api/industries', { name: 'Old' })).body.data.id
    await ask('PATCH', `/api/industries/${old}`, { name: 'New' })
    const gone = (await inSession('POST', '/api/industries', { name: 'Gone' })).body.data.id
    await ask('DELETE', `/api/industries/${gone}`)
    // The tag goes with the product that bore it.
    await create('/api/products', { name: 'Made', sku: 'MADE', tags: ['fresh'] })
    const tags = async () => (await read('/api/product-tags?search=fresh')).body.items.length
    expect(await tags()).toBe(1)
    const { id } = await only()
    const named = (one: string, title: string) => ({ entityType: 'INDUSTRY', id: one, field: null, title })
    const kept = new Set([named(used, 'Used'), named(touched, 'Touched'), named(old, 'New'), named(gone, 'Gone')])
    const rehearsal = await undone(id, { dryRun: true })
    expect(new Set(rehearsal.kept)).toEqual(kept)
    expect(await tags()).toBe(1)
    const result = await undone(id)
    expect(result).toEqual(rehearsal)
    expect(await tags()).toBe(0)
    expect((await read(`/api/industries/${unused}`)).status).toBe(404)
    expect((await read(`/api/industries/${used}`)).status).toBe(200)
  })

  it('says of a choice that it may go, where a rehearsal takes too many records to tell', async () => {
    const { workspace, agent, create, only, undone, read, inSession } = await newPlace()
    const freed = await create('/api/product-tags', { name: 'Freed' })
    const used = await create('/api/industries', { name: 'Used' })
    await create('/api/products', { name: 'Made', sku: 'MADE', tags: ['Freed'] })
    await inSession('POST', '/api/companies', { name: 'Theirs', industryId: used })
    const touched = await create('/api/industries', { name: 'Touched' })
    pass(1)
    await inSession('PATCH', `/api/industries/${touched}`, { name: 'Touched by Ada' })
    const { id, startedAt } = await only()
    // Records of the session that are gone for good.
    await api.db.execute(sql`
      INSERT INTO timeline (workspace_id, id, entity_type, entity_id, kind, occurred_at, actor_type, actor_id, actor_name, source, via_type, via_id, via_name)
      SELECT ${workspace.workspaceId}, uuidv7(), 'LEAD', uuidv7(), 'CREATED', ${startedAt}, 'EMPLOYEE', ${workspace.adminUserId}, 'Ada', 'API', 'API_KEY', ${agent.id}, 'Claude'
      FROM generate_series(1, 500)`)
    const named = (one: string, title: string) => ({ entityType: 'INDUSTRY', id: one, field: null, title })
    const rehearsal = await undone(id, { dryRun: true })
    expect(new Set(rehearsal.kept)).toEqual(
      new Set([
        { ...named(freed, 'Freed'), entityType: 'PRODUCT_TAG', mayGo: true },
        { ...named(used, 'Used'), mayGo: true },
        named(touched, 'Touched'),
      ]),
    )
    const { kept } = await undone(id)
    expect(new Set(kept)).toEqual(new Set([named(used, 'Used'), named(touched, 'Touched')]))
    expect((await read(`/api/product-tags/${freed}`)).status).toBe(404)
  })

  it('tells in a rehearsal of choices that only other choices of the session use', async () => {
    const { create, only, undone } = await newPlace()
    const attributeId = await create('/api/product-attributes', { name: 'Colour', code: 'colour', type: 'SELECT' })
    for (let n = 0; n < 51; n++) await create('/api/product-attribute-values', { attributeId, name: `Colour ${n}` })
    const { id } = await only()
    const rehearsal = await undone(id, { dryRun: true })
    expect(rehearsal).toEqual({ undone: 52, kept: [] })
    expect(await undone(id)).toEqual(rehearsal)
  })

  it('names what an agent set up, by which operation and when, and leaves it as it is', async () => {
    const { workspace, ask, create, only, undone, read } = await newPlace()
    const pipelineId = await create('/api/pipelines', { name: 'Partners', entityType: 'LEAD' })
    const stage = await create(`/api/pipelines/${pipelineId}/stages`, { name: 'Talks' })
    pass(1)
    expect((await ask('PATCH', `/api/pipelines/${pipelineId}/stages/${stage}`, { name: 'Terms' })).status).toBe(200)
    expect((await ask('PATCH', `/api/pipelines/${pipelineId}/stages/${stage}`, { name: 'Terms' })).status).toBe(200)
    expect((await ask('PATCH', '/api/organization', { name: 'Mills' })).status).toBe(200)
    const lead = await create('/api/leads', { lastName: 'Ada' })
    const comment = await create('/api/crm/comments', { entityType: 'LEAD', entityId: lead, body: 'A secret' })
    expect((await ask('DELETE', `/api/crm/comments/${comment}`)).status).toBe(200)
    const { id, records } = await only()
    expect(records).toBe(5)
    const { operations } = (await read(`/api/settings/agent-sessions/${id}`)).body.data
    type Shown = { readonly operation?: string; readonly at: string; readonly changes: readonly object[] }
    const told = (operations as Shown[]).filter(({ operation }) => operation !== undefined)
    const change = (entityType: string, one: string, title: string | null, rest: object) =>
      expect.objectContaining({ entityType, id: one, title, ...rest })
    expect(told.map(({ operation, changes }) => [operation, changes])).toEqual([
      ['crm.comments.delete', [change('COMMENT', comment, null, { kind: 'DELETE', fields: {} })]],
      ['organization.update', [change('ORGANIZATION', workspace.workspaceId, expect.any(String), { kind: 'UPDATE' })]],
      ['pipelines.stages.update', [change('STAGE', stage, 'Terms', { fields: { name: ['Talks', 'Terms'] } })]],
      ['pipelines.stages.create', [change('STAGE', stage, 'Terms', { kind: 'CREATE' })]],
      ['pipelines.create', [change('PIPELINE', pipelineId, 'Partners', { kind: 'CREATE' })]],
    ])
    for (const { at } of told) expect(Math.abs(Date.parse(at) - api.clock.now().getTime())).toBeLessThan(minutes)
    const kept = (entityType: string, one: string, title: string | null) => ({
      entityType,
      id: one,
      field: null,
      title,
    })
    const result = await undone(id)
    expect(result.kept.filter(({ entityType }) => entityType !== 'LEAD')).toEqual([
      kept('COMMENT', comment, null),
      kept('ORGANIZATION', workspace.workspaceId, expect.any(String)),
      kept('STAGE', stage, 'Terms'),
      kept('PIPELINE', pipelineId, 'Partners'),
    ])
  })

  it('ends 72 hours after the last call, and is not begun twice', async () => {
    const { create, only, undo } = await newPlace()
    await create('/api/leads', { lastName: 'Late' })
    const { id } = await only()
    const both = await Promise.all([undo(id), undo(id, undefined, undefined, other)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('INVALID_TRANSITION')
    await jobs.settled()
    pass(72 * hours + 1)
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })

  it('lets values stay that the agent writes meanwhile', async () => {
    const { ask, only, undo, read, inSession } = await newPlace()
    const ids: string[] = []
    for (let n = 0; n < 12; n++)
      ids.push((await inSession('POST', '/api/leads', { lastName: `Before ${n}` })).body.data.id)
    for (const id of ids) await ask('PATCH', `/api/leads/${id}`, { lastName: 'Agent' })
    const { id: session } = await only()
    const began = await undo(session)
    const writing = ids.map(async (id) => {
      // After the moment of the undo.
      pass(1)
      return ask('PATCH', `/api/leads/${id}`, { lastName: `Later ${id}` }, other)
    })
    expect((await Promise.all(writing)).map(({ status }) => status)).toEqual(ids.map(() => 200))
    await jobs.settled()
    const { result } = (await inSession('GET', `/api/jobs/${began.body.data.jobId}`)).body.data
    for (const [n, id] of ids.entries()) {
      const { lastName } = (await read(`/api/leads/${id}`)).body.data
      const isKept = result.kept.some((one: { id: string }) => one.id === id)
      // Whichever came second is what stands: the undo went before the write, or found it and let it stay.
      expect(lastName).toBe(`Later ${id}`)
      const { items } = (await read(`/api/crm/timeline?entityType=LEAD&entityId=${id}`)).body
      const wentBack = items.some((entry: { changes: { to: unknown }[] }) =>
        entry.changes.some(({ to }) => to === `Before ${n}`),
      )
      expect(wentBack).toBe(!isKept)
    }
  })
})

/** Columns that every change moves, and values that follow others. */
const followers =
  /^(version|updated_at|search_text|status_changed_at|stage_changed_at|stage_entered_at|score|rank|name_key|last_activity_at)$/
/** What tells of changes, and what counts or follows them. */
const traces =
  /^(timeline|outbox|notifications|audit_log|audit_chains|idempotency_keys|record_counts|jobs|agent_sessions|merges|number_periods|record_numbers|budget_uses|sessions|api_keys|processes|agent_acts|work_failures|backfills|assignment_turns)$/

/** The rows that people can see, without what follows from them. */
function visibleRows(whole: WholeDatabase): ReadonlyMap<string, string> {
  const rows = [...whole].flatMap(([table, ofTable]) =>
    traces.test(table)
      ? []
      : [...ofTable].flatMap(([key, row]): (readonly [string, string])[] => {
          if (row['deleted_at'] !== undefined && row['deleted_at'] !== null) return []
          const columns = Object.entries(row).filter(([column]) => !followers.test(column))
          return [[`${table} ${key}`, JSON.stringify(Object.fromEntries(columns))]]
        }),
  )
  return new Map(rows)
}

it('brings everything back after 200 random writes but what somebody changed since, and names it', async () => {
  const { ask, only, undone, inSession, workspace } = await newPlace()
  const { next } = createRandom(seed)
  const below = (n: number): number => Math.floor(next() * n)
  const any = <T>(of: readonly T[]): T => of[below(of.length)] as T
  const { id: nora } = await workspace.employee()
  const line = () => ({ name: 'Work', quantity: String(1 + below(5)), unitPrice: '10.00' })
  let number = 0
  const word = (): string => `Word ${++number}`
  const kinds = {
    leads: {
      make: () => ({ lastName: word(), companyName: word() }),
      change: () => any([{ lastName: word() }, { companyName: word(), tags: [word()] }, { ownerId: nora }]),
    },
    contacts: { make: () => ({ lastName: word() }), change: () => any([{ lastName: word() }, { jobTitle: word() }]) },
    companies: { make: () => ({ name: word() }), change: () => any([{ name: word() }, { tags: [word()] }]) },
    deals: {
      make: () => ({ name: word(), amount: '10.00' }),
      change: () => any([{ name: word() }, { amount: `${below(900)}.00` }]),
    },
    tasks: {
      make: () => ({ title: word() }),
      change: () => any([{ title: word() }, { priority: any(['LOW', 'HIGH']) }]),
    },
    projects: { make: () => ({ name: word() }), change: () => ({ name: word() }) },
    products: { make: () => ({ name: word(), sku: word(), tags: [word()] }), change: () => ({ name: word() }) },
    orders: { make: () => ({ items: [line()] }), change: () => ({ items: [line(), line()] }) },
  } as const
  const stems = Object.keys(kinds) as (keyof typeof kinds)[]
  const there = new Map<string, string[]>(stems.map((stem) => [stem, []]))
  for (const stem of stems)
    for (let n = 0; n < 10; n++) {
      const made = await inSession('POST', `/api/${stem}`, kinds[stem].make())
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      there.get(stem)?.push(made.body.data.id)
    }
  const old = new Set([...there.values()].flat())
  const before = visibleRows(await wholeDatabase(api.db))

  let done = 0
  const bulk: readonly string[] = ['leads', 'contacts', 'companies', 'deals', 'tasks', 'products']
  const mergeable: readonly string[] = ['leads', 'contacts', 'companies']
  while (done < 200) {
    const stem = any(stems)
    const ids = there.get(stem) as string[]
    const id = any(ids)
    const drawn = next()
    const isFew = ids.length < 4
    const answer =
      drawn < 0.25 || isFew
        ? await ask('POST', `/api/${stem}`, kinds[stem].make())
        : drawn < 0.65
          ? await ask('PATCH', `/api/${stem}/${id}`, kinds[stem].change())
          : drawn < 0.8
            ? bulk.includes(stem) && drawn < 0.7
              ? await ask('DELETE', `/api/${stem}`, { ids: [id, any(ids)] })
              : await ask('DELETE', `/api/${stem}/${id}`)
            : drawn < 0.9 && bulk.includes(stem)
              ? await ask('PATCH', `/api/${stem}`, {
                  ids: [id, any(ids)],
                  set: {},
                  addTags: [word()],
                })
              : mergeable.includes(stem)
                ? await ask('POST', `/api/${stem}/${id}/merge`, { sourceIds: [ids.find((one) => one !== id)] })
                : await ask('PATCH', `/api/${stem}/${id}`, kinds[stem].change())
    expect(answer.status, `${stem} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    done++
    if (answer.status === 201) ids.push(answer.body.data.id)
    const gone = await api.db.execute<{ id: string }>(
      `SELECT id FROM ${stem} WHERE workspace_id = '${workspace.workspaceId}' AND deleted_at IS NOT NULL`,
    )
    there.set(
      stem,
      ids.filter((one) => !gone.rows.some((row) => row.id === one)),
    )
  }

  // Three values that somebody changes afterwards, each on a record that the agent changed.
  const { rows: changed } = await api.db.execute<{ entity_type: string; entity_id: string }>(
    `SELECT DISTINCT entity_type, entity_id FROM timeline t WHERE via_id IS NOT NULL AND kind = 'UPDATED' AND workspace_id = '${workspace.workspaceId}'
       AND EXISTS (SELECT FROM jsonb_array_elements(changes) c WHERE c ->> 'field' IN ('lastName', 'name', 'title')) ORDER BY 2`,
  )
  const fieldOf: Readonly<Record<string, string>> = { LEAD: 'lastName', CONTACT: 'lastName', TASK: 'title' }
  const stemOf: Readonly<Record<string, keyof typeof kinds>> = {
    LEAD: 'leads',
    CONTACT: 'contacts',
    COMPANY: 'companies',
    DEAL: 'deals',
    TASK: 'tasks',
    PROJECT: 'projects',
    PRODUCT: 'products',
  }
  const kept: { entityType: string; id: string; field: string }[] = []
  for (const { entity_type: entityType, entity_id: id } of changed) {
    const stem = stemOf[entityType]
    if (!stem || kept.length === 3 || !old.has(id) || !there.get(stem)?.includes(id)) continue
    const field = fieldOf[entityType] ?? 'name'
    expect((await inSession('PATCH', `/api/${stem}/${id}`, { [field]: 'Somebody' })).status).toBe(200)
    kept.push({ entityType, id, field })
  }
  expect(kept).toHaveLength(3)

  const { id, records } = await only()
  const result = await undone(id)
  expect(records).toBeGreaterThan(50)
  expect(result.kept).toHaveLength(3)
  expect(result.kept).toEqual(expect.arrayContaining(kept.map((one) => expect.objectContaining(one))))
  const after = visibleRows(await wholeDatabase(api.db))
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  )
  expect(
    differing
      .filter((key) => !kept.some((one) => key.includes(one.id)))
      .map((key) => [key, before.get(key), after.get(key)]),
  ).toEqual([])
  expect(differing).toHaveLength(3)
  await api.db.delete(schema.agentSessions).where(eq(schema.agentSessions.id, id))
})
