import { createDatabase, createPool, newId, schema } from '@crm/db'
import { accessTokenPrefix, digest, newSecret } from '@crm/identity'
import { asDeployable, testDatabase } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type ApiUnderTest, type Call } from './harness.ts'
import { createMetrics } from '@crm/runtime'
import { addAgentMetrics } from '../src/domain/agents/agent-metrics.ts'
import { sweepAgents } from '../src/workers/sweep-agents.ts'
import { createLead } from './samples.ts'

const database = await testDatabase()
const api = await ownApi({ database })
/** A second process on the same database. */
const other = await ownApi({ database })
const pass = (ms: number): void => [api, other].forEach(({ clock: one }) => one.advance(ms))
const { call, workspace, db, clock } = api
const cookie = await workspace.session()

interface Key {
  readonly id: string
  readonly key: string
}
const scopes = ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD', 'CREATE_FILE', 'VIEW_FILE']
const makeKey = async (control: object, name = 'Claude', as = cookie): Promise<Key> => {
  const body = { name, scopes, ...control }
  const made = await call({ method: 'POST', path: '/api/settings/api-keys', cookie: as, body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data
}
const ask = (key: string, method: Call['method'], path: string, body?: unknown, headers = {}) =>
  call({ method, path, key, body, headers })
const proposed = async (key: string, method: Call['method'], path: string, body?: unknown) => {
  const answer = await ask(key, method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return answer.body.data as { proposalId: string; state: string; changes: unknown[]; expiresAt: string }
}
const decide = (
  id: string,
  verb: 'approve' | 'reject',
  body?: object,
  as = cookie,
  through: ApiUnderTest['call'] = call,
) => through({ method: 'POST', path: `/api/settings/proposals/${id}/${verb}`, cookie: as, body }, workspace)
const readLead = (id: string) => call({ path: `/api/leads/${id}`, cookie })

describe('a key that proposes', () => {
  it('changes nothing by itself, shows what it would change, and is done once', async () => {
    const { key, id: keyId } = await makeKey({ writes: 'PROPOSE' })
    const id = await createLead(api, { lastName: 'Kept' })
    const { proposalId, state, changes, expiresAt } = await proposed(key, 'DELETE', `/api/leads/${id}`)
    expect({ state, changes }).toEqual({
      state: 'PENDING',
      changes: [expect.objectContaining({ entityType: 'LEAD', id, kind: 'DELETE', title: 'Kept' })],
    })
    expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(7 * 86_400_000)
    expect((await readLead(id)).status).toBe(200)
    expect((await ask(key, 'GET', `/api/proposals/${proposalId}`)).body.data).toMatchObject({ state: 'PENDING' })

    const [one, two] = await Promise.all([
      decide(proposalId, 'approve', { comment: 'Fine' }),
      decide(proposalId, 'approve', undefined, cookie, other.call),
    ])
    expect(new Set([one, two].map(({ status, body }) => body.code ?? status))).toEqual(
      new Set([200, 'PROPOSAL_CLOSED']),
    )
    const won = one.status === 200 ? one : two
    expect(won.body.data).toMatchObject({
      status: 200,
      body: { success: true, data: { id } },
      proposal: {
        state: 'APPROVED',
        via: { type: 'API_KEY', id: keyId, name: 'Claude' },
        decidedById: workspace.adminUserId,
      },
    })
    expect((await readLead(id)).status).toBe(404)
    const { items } = (await call({ path: `/api/settings/audit-log?action=proposal.approved`, cookie })).body
    expect(items).toHaveLength(1)
  })

  it('performs the request with the rights of its credential, and tells the history who it was', async () => {
    const { key, id: keyId } = await makeKey({ writes: 'PROPOSE' })
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'New' })
    const { body } = await decide(proposalId, 'approve')
    expect(body.data).toMatchObject({ status: 201, body: { data: { lastName: 'New' } } })
    const { items } = (
      await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${body.data.body.data.id}`, cookie })
    ).body
    expect(items[0]).toMatchObject({ kind: 'CREATED', via: { id: keyId }, actor: { id: workspace.adminUserId } })
  })

  it('waits on when somebody changed the record since, and names what', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const id = await createLead(api, { lastName: 'Before' })
    const patch = await proposed(key, 'PATCH', `/api/leads/${id}`, { lastName: 'Proposed' })
    const gone = await proposed(key, 'DELETE', `/api/leads/${id}`)
    await call({ method: 'PATCH', path: `/api/leads/${id}`, cookie, body: { companyName: 'Else' } })
    // Another field changed: what is proposed overwrites nothing, but what would be deleted is not what was seen.
    expect(await decide(gone.proposalId, 'approve')).toMatchObject({
      status: 409,
      body: {
        code: 'VERSION_CONFLICT',
        details: { conflicts: expect.arrayContaining([{ id, field: 'companyName', proposed: null, current: 'Else' }]) },
      },
    })
    await call({ method: 'PATCH', path: `/api/leads/${id}`, cookie, body: { lastName: 'Meanwhile' } })
    expect(await decide(patch.proposalId, 'approve')).toMatchObject({
      status: 409,
      body: { details: { conflicts: [{ id, field: 'lastName', proposed: 'Proposed', current: 'Meanwhile' }] } },
    })
    expect((await ask(key, 'GET', `/api/proposals/${patch.proposalId}`)).body.data.state).toBe('PENDING')
    await call({ method: 'PATCH', path: `/api/leads/${id}`, cookie, body: { lastName: 'Before' } })
    expect((await decide(patch.proposalId, 'approve')).body.data.body.data).toMatchObject({
      lastName: 'Proposed',
      companyName: 'Else',
    })
  })

  it('fails with the refusal when the record is gone, and is closed then', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const id = await createLead(api)
    const { proposalId } = await proposed(key, 'PATCH', `/api/leads/${id}`, { lastName: 'Late' })
    await call({ method: 'DELETE', path: `/api/leads/${id}`, cookie })
    expect((await decide(proposalId, 'approve')).body.data).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
      proposal: { state: 'FAILED', code: 'NOT_FOUND' },
    })
    expect(await decide(proposalId, 'approve')).toMatchObject({ status: 409, body: { code: 'PROPOSAL_CLOSED' } })
  })

  it('reads why it was rejected', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'No' })
    expect((await decide(proposalId, 'reject', { comment: 'We know them' })).body.data.state).toBe('REJECTED')
    expect((await ask(key, 'GET', `/api/proposals/${proposalId}`)).body.data).toMatchObject({
      state: 'REJECTED',
      comment: 'We know them',
    })
    expect((await ask(key, 'GET', '/api/proposals?state=REJECTED')).body).toMatchObject({ total: 1 })
    expect((await ask(key, 'GET', '/api/proposals?state=PENDING')).body).toMatchObject({ total: 0 })
    expect((await decide(proposalId, 'approve')).body.code).toBe('PROPOSAL_CLOSED')
  })

  it('is refused at once what it may not do or nobody can see beforehand, and runs what writes nothing', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const id = await createLead(api)
    expect((await ask(key, 'POST', '/api/leads', { phone: '12' })).status).toBe(400)
    expect((await ask(key, 'POST', '/api/deals', { name: 'No' })).status).toBe(403)
    expect((await ask(key, 'DELETE', `/api/leads/${newId()}`)).status).toBe(404)
    const file = { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGk=' }
    expect(await ask(key, 'POST', '/api/files/upload', file)).toMatchObject({
      status: 400,
      body: { code: 'NOT_PREVIEWABLE' },
    })
    expect((await ask(key, 'POST', '/api/leads/duplicates', { lastName: 'A' })).status).toBe(200)
    const dry = { ids: [id], set: { temperature: 'HOT' }, dryRun: true }
    expect((await ask(key, 'PATCH', '/api/leads', dry)).status).toBe(200)
    expect((await ask(key, 'GET', '/api/proposals')).body.total).toBe(0)
  })

  it('gets one proposal for one Idempotency-Key', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const send = () => ask(key, 'POST', '/api/leads', { lastName: 'Once' }, { 'idempotency-key': 'one' })
    const first = await send()
    expect(first.status).toBe(202)
    expect(await send()).toMatchObject({ status: 202, body: first.body })
    expect((await ask(key, 'GET', '/api/proposals')).body.total).toBe(1)
  })

  it('cannot approve itself: not with its scopes, not with a second key', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE' })
    const { key: second } = await workspace.apiKey()
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'Self' })
    for (const credential of [key, second]) {
      const path = `/api/settings/proposals/${proposalId}/approve`
      expect(await ask(credential, 'POST', path)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
      expect(
        (await ask(credential, 'PATCH', `/api/settings/api-keys/${proposalId}`, { writes: 'DIRECT' })).status,
      ).toBe(403)
    }
    // What another key proposed is none of its business either.
    expect((await ask(second, 'GET', `/api/proposals/${proposalId}`)).status).toBe(404)
  })

  it('is decided by its owner and by whoever reaches them, and by nobody else', async () => {
    const seller = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'MANAGE_API_KEYS'] } })
    const theirs = await workspace.session(seller.id)
    const body = { name: 'Theirs', scopes: ['VIEW_LEAD', 'CREATE_LEAD'], writes: 'PROPOSE' }
    const { key } = (await call({ method: 'POST', path: '/api/settings/api-keys', cookie: theirs, body })).body.data
    const mine = await makeKey({ writes: 'PROPOSE' })
    const [a, b] = [
      await proposed(key, 'POST', '/api/leads', { lastName: 'A' }),
      await proposed(mine.key, 'POST', '/api/leads', { lastName: 'B' }),
    ]
    const seen = async (as: string) =>
      ((await call({ path: '/api/settings/proposals?state=PENDING', cookie: as })).body.items as { id: string }[]).map(
        ({ id }) => id,
      )
    expect(await seen(theirs)).toEqual([a.proposalId])
    expect(await seen(cookie)).toEqual(expect.arrayContaining([a.proposalId, b.proposalId]))
    expect((await decide(b.proposalId, 'approve', undefined, theirs)).body.code).toBe('ACCESS_DENIED')
    const bulk = { ids: [a.proposalId, b.proposalId], decision: 'APPROVE' }
    const all = (as: string) => call({ method: 'POST', path: '/api/settings/proposals/bulk', cookie: as, body: bulk })
    expect((await all(theirs)).body.code).toBe('ACCESS_DENIED')
    expect((await all(cookie)).body.results).toEqual([
      { id: a.proposalId, status: 201 },
      { id: b.proposalId, status: 201 },
    ])
    expect((await all(cookie)).body.results).toEqual([
      { id: a.proposalId, status: 409, code: 'PROPOSAL_CLOSED' },
      { id: b.proposalId, status: 409, code: 'PROPOSAL_CLOSED' },
    ])
  })

  it('ends with its key, and goes on with the key that replaces it', async () => {
    const { key, id } = await makeKey({ writes: 'PROPOSE' })
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'Rotated' })
    const rotated = await call({ method: 'POST', path: `/api/settings/api-keys/${id}/rotate`, cookie, body: {} })
    const next = rotated.body.data as Key
    expect((await call({ path: `/api/settings/api-keys/${next.id}`, cookie })).body.data.writes).toBe('PROPOSE')
    expect((await ask(next.key, 'GET', `/api/proposals/${proposalId}`)).body.data.state).toBe('PENDING')
    const [revoked, approved] = await Promise.all([
      other.call({ method: 'DELETE', path: `/api/settings/api-keys/${next.id}`, cookie }, workspace),
      decide(proposalId, 'approve'),
    ])
    expect(revoked.status).toBe(200)
    const { items } = (await call({ path: `/api/leads?search=Rotated`, cookie })).body
    const [row] = await db.select().from(schema.proposals).where(eq(schema.proposals.id, proposalId))
    // One of the two won, and both say the same.
    expect([approved.status, row?.state, items.length]).toEqual(
      approved.status === 200 ? [200, 'APPROVED', 1] : [409, 'EXPIRED', 0],
    )
  })

  it('expires after seven days', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE', expiresAt: null })
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'Old' })
    pass(7 * 86_400_000)
    const again = await workspace.session()
    expect((await ask(key, 'GET', '/api/proposals?state=EXPIRED')).body).toMatchObject({ total: 1 })
    expect((await decide(proposalId, 'approve', undefined, again)).body.code).toBe('PROPOSAL_CLOSED')
  })
})

describe('a key that proposes what cannot be taken back', () => {
  it('creates at once, and proposes a deletion', async () => {
    const { key } = await makeKey({ writes: 'PROPOSE_DESTRUCTIVE' }, 'Careful', await workspace.session())
    const made = await ask(key, 'POST', '/api/leads', { lastName: 'Direct' })
    expect(made.status).toBe(201)
    expect((await ask(key, 'PATCH', `/api/leads/${made.body.data.id}`, { lastName: 'Direct too' })).status).toBe(200)
    await proposed(key, 'DELETE', `/api/leads/${made.body.data.id}`)
    await proposed(key, 'PATCH', '/api/leads', { ids: [made.body.data.id], set: { temperature: 'HOT' } })
  })
})

describe('a connection', () => {
  it('is held like a key, and its person changes how', async () => {
    const as = await workspace.session()
    const { workspaceId, adminUserId: employeeId } = workspace
    const [clientId, grantId, key] = [newId(), newId(), newSecret(accessTokenPrefix)]
    await db.insert(schema.oauthClients).values({ workspaceId, id: clientId, name: 'Chat', redirectUris: [] })
    await db.insert(schema.oauthGrants).values({ workspaceId, id: grantId, clientId, employeeId, scopes })
    const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const token = { workspaceId, id: newId(), grantId, kind: 'access' as const, tokenHash: digest(key), expiresAt }
    await db.insert(schema.oauthTokens).values(token)
    expect((await ask(key, 'POST', '/api/leads', { lastName: 'Direct' })).status).toBe(201)
    const path = `/api/settings/connections/${clientId}`
    const body = { writes: 'PROPOSE', limits: { writesPerDay: 3 } }
    expect((await call({ method: 'PATCH', path, cookie: as, body })).body.data).toMatchObject({
      clientId,
      ...body,
      limits: { writesPerDay: 3, deletesPerDay: null, recordsPerCall: null },
      confirm: false,
      used: { writes: 0, deletes: 0 },
    })
    const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'Asked' })
    expect((await decide(proposalId, 'approve', undefined, as)).body.data.status).toBe(201)
    const { items } = (await call({ path: '/api/settings/connections', cookie: as })).body
    expect(items).toEqual([expect.objectContaining({ clientId, used: expect.objectContaining({ writes: 1 }) })])
    const last = await proposed(key, 'POST', '/api/leads', { lastName: 'Late' })
    expect((await call({ method: 'DELETE', path, cookie: as })).status).toBe(200)
    expect((await decide(last.proposalId, 'approve', undefined, as)).body.code).toBe('PROPOSAL_CLOSED')
  })
})

describe('the inbox', () => {
  it('has one entry for a key and an hour, which counts', async () => {
    const owner = await workspace.employee({ roles: ['Administrator'] })
    const as = await workspace.session(owner.id)
    const claude = await makeKey({ writes: 'PROPOSE' }, 'Claude', as)
    const sync = await makeKey({ writes: 'PROPOSE' }, 'Sync', as)
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => proposed(claude.key, 'POST', '/api/leads', { lastName: `C${n}` })),
    )
    await proposed(sync.key, 'POST', '/api/leads', { lastName: 'S' })
    const texts = async () =>
      ((await call({ path: '/api/settings/notifications', cookie: as })).body.items as { kind: string; text: string }[])
        .filter(({ kind }) => kind === 'proposal.waiting')
        .map(({ text }) => text)
        .toSorted()
    expect(await texts()).toEqual(['1 change by Sync waits', '6 changes by Claude wait'])
    pass(3_600_000)
    await proposed(claude.key, 'POST', '/api/leads', { lastName: 'Later' })
    expect(await texts()).toEqual(['1 change by Claude waits', '1 change by Sync waits', '6 changes by Claude wait'])
  })
})

it('lists ten thousand, page by page, and decides a hundred of them at once', async () => {
  const place = await api.newWorkspace()
  const as = await place.session()
  const { id: credentialId } = await place.apiKey()
  const rows = Array.from({ length: 10_000 }, (_, n) => ({
    workspaceId: place.workspaceId,
    id: newId(),
    employeeId: place.adminUserId,
    credentialClass: 'api-key' as const,
    credentialId,
    viaType: 'API_KEY' as const,
    viaId: credentialId,
    viaName: 'Swarm',
    operation: 'leads.create',
    request: { method: 'POST' as const, url: '/api/leads', body: { lastName: `Lead ${n}` } },
    changes: [],
    versions: {},
    expiresAt: new Date(clock.now().getTime() + 86_400_000).toISOString(),
  }))
  for (let at = 0; at < rows.length; at += 2_000) await db.insert(schema.proposals).values(rows.slice(at, at + 2_000))
  const list = async (query: string) =>
    (await call({ path: `/api/settings/proposals?${query}`, cookie: as }, place)).body
  const page = await list('state=PENDING&pageSize=100&page=100')
  expect([page.total, page.pageCount, page.items.length]).toEqual([10_000, 100, 100])
  const ids = (page.items as { id: string }[]).map(({ id }) => id)
  const decided = await call(
    { method: 'POST', path: '/api/settings/proposals/bulk', cookie: as, body: { ids, decision: 'APPROVE' } },
    place,
  )
  expect(new Set((decided.body.results as { status: number }[]).map(({ status }) => status))).toEqual(new Set([201]))
  expect((await call({ path: '/api/leads?pageSize=1', cookie: as }, place)).body.total).toBe(100)
  expect((await list('state=PENDING')).total).toBe(9_900)
  const many = { ids: rows.slice(0, 101).map(({ id }) => id), decision: 'REJECT' }
  const tooMany = { method: 'POST', path: '/api/settings/proposals/bulk', cookie: as, body: many } as const
  expect((await call(tooMany, place)).status).toBe(400)
})

it('tells what waits, and counts previews and what was beyond a limit', async () => {
  const pool = createPool({ databaseUrl: api.databaseUrl, max: 1, applicationName: 'test-figures', ...asDeployable })
  const metrics = createMetrics('test')
  const counts = addAgentMetrics(metrics, pool)
  counts.preview('made')
  counts.budgetRefused('deletesPerDay')
  const [waiting] = (
    await pool.query(`SELECT count(*)::int AS n FROM proposals WHERE state = 'PENDING' AND expires_at > now()`)
  ).rows as { n: number }[]
  const text = await metrics.render()
  expect(text).toMatch(new RegExp(`^crm_proposals_open(\\{[^}]*\\})? ${waiting?.n}$`, 'm'))
  expect(text).toContain('crm_previews_total{outcome="made"')
  expect(text).toContain('crm_budget_refused_total{limit="deletesPerDay"')
  await pool.end()
})

it('deletes what is long over, and nothing else', async () => {
  const { key } = await makeKey({ writes: 'PROPOSE' }, 'Sweep', await workspace.session())
  const { proposalId } = await proposed(key, 'POST', '/api/leads', { lastName: 'Swept' })
  const pool = createPool({ databaseUrl: api.databaseUrl, max: 1, applicationName: 'test-sweep', ...asDeployable })
  const deps = { db: createDatabase(pool), clock, logger: api.logger }
  const left = async () => (await db.select().from(schema.proposals).where(eq(schema.proposals.id, proposalId))).length
  await sweepAgents(deps)
  expect(await left()).toBe(1)
  await sweepAgents({ ...deps, clock: { now: () => new Date(clock.now().getTime() + 98 * 86_400_000) } })
  expect(await left()).toBe(0)
  await pool.end()
})

describe('a budget', () => {
  it('is exact over processes: of twenty deletions at once five are done, and a bulk of six is refused whole', async () => {
    const as = await workspace.session()
    const { key, id } = await makeKey({ limits: { deletesPerDay: 5 } }, 'Budget', as)
    const ids = await Promise.all(Array.from({ length: 20 }, () => createLead(api)))
    const bulk = { ids: ids.slice(0, 6) }
    expect(await ask(key, 'DELETE', '/api/leads', bulk)).toMatchObject({
      status: 403,
      body: { code: 'BUDGET_EXCEEDED', details: { name: 'deletesPerDay', limit: 5, used: 0 } },
    })
    expect((await ask(key, 'DELETE', '/api/leads', { ...bulk, dryRun: true })).status).toBe(200)
    const answers = await Promise.all(
      ids.map((one, n) => (n % 2 ? api : other).call({ method: 'DELETE', path: `/api/leads/${one}`, key }, workspace)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ body }) => body.code === 'BUDGET_EXCEEDED')).toHaveLength(15)
    const left = await Promise.all(
      ids.map(async (one) => (await call({ path: `/api/leads/${one}`, cookie: as })).status),
    )
    expect(left.filter((status) => status === 404)).toHaveLength(5)
    const used = async (of: string) => (await call({ path: `/api/settings/api-keys/${of}`, cookie: as })).body.data.used
    expect(await used(id)).toEqual({ writes: 5, deletes: 5, resetsAt: expect.any(String) })

    // A rotated key goes on with it; so does the day of the workspace, which ends at its midnight.
    const rotated = await call({ method: 'POST', path: `/api/settings/api-keys/${id}/rotate`, cookie: as, body: {} })
    const [next] = [rotated.body.data as Key]
    expect((await used(next.id)).deletes).toBe(5)
    const { body } = await ask(next.key, 'DELETE', `/api/leads/${ids.at(-1)}`)
    expect(body.code).toBe('BUDGET_EXCEEDED')
    pass(Date.parse(body.details.resetsAt) - clock.now().getTime())
    const survivor = ids.find((_one, n) => left[n] === 200)
    expect((await ask(next.key, 'DELETE', `/api/leads/${survivor}`)).status).toBe(200)
  })

  it('counts no refusal and no proposal until it is performed', async () => {
    const as = await workspace.session()
    const { key, id } = await makeKey({ limits: { writesPerDay: 1, recordsPerCall: 2 }, writes: 'PROPOSE' }, 'Both', as)
    expect((await ask(key, 'POST', '/api/leads', { phone: '12' })).status).toBe(400)
    const [first, second] = [
      await proposed(key, 'POST', '/api/leads', { lastName: 'One' }),
      await proposed(key, 'POST', '/api/leads', { lastName: 'Two' }),
    ]
    expect((await decide(first.proposalId, 'approve', undefined, as)).body.data.status).toBe(201)
    expect((await decide(second.proposalId, 'approve', undefined, as)).body.data).toMatchObject({
      status: 403,
      proposal: { state: 'FAILED', code: 'BUDGET_EXCEEDED' },
    })
    expect((await call({ path: `/api/settings/api-keys/${id}`, cookie: as })).body.data.used.writes).toBe(1)
    const path = `/api/settings/api-keys/${id}`
    const open = { writes: 'DIRECT', limits: { writesPerDay: null } }
    expect((await call({ method: 'PATCH', path, cookie: as, body: open })).body.data).toMatchObject({
      writes: 'DIRECT',
      limits: { writesPerDay: null, deletesPerDay: null, recordsPerCall: 2 },
    })
    const ids = await Promise.all(Array.from({ length: 3 }, () => createLead(api)))
    const change = { ids, set: { temperature: 'HOT' } }
    expect(await ask(key, 'PATCH', '/api/leads', change)).toMatchObject({
      body: { code: 'BUDGET_EXCEEDED', details: { name: 'recordsPerCall', limit: 2 } },
    })
    expect((await ask(key, 'PATCH', '/api/leads', { ...change, ids: ids.slice(1) })).status).toBe(200)
  })
})
