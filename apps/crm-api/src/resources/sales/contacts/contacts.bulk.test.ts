import { newId, schema, writeRows } from '@crm/db'
import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { createCompany, createContact, createLead, unknownId } from '../../../../test/samples.ts'

const api = await ownApi()
const { call, key, workspace, db } = api
const jobs = await jobsUnderTest(api)
const bulk = (body: unknown, method: 'PATCH' | 'DELETE' = 'PATCH', credential = key) =>
  call({ method, path: '/api/contacts', key: credential, body })
const read = async (id: string) => (await call({ path: `/api/contacts/${id}`, key })).body.data

describe('bulk', () => {
  it('changes by ids; what is not there or cannot be is a result, not a failure of all', async () => {
    const id = await createContact(api)
    const { status, body } = await bulk({ ids: [id, unknownId], set: { jobTitle: 'Buyer' }, addTags: ['bulk'] })
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        matched: 2,
        updated: 1,
        failed: 1,
        undoId: expect.any(String),
        results: [
          { id, status: 'OK' },
          { id: unknownId, status: 'ERROR', code: 'NOT_FOUND', message: expect.any(String) },
        ],
      },
    })
    expect(await read(id)).toMatchObject({ jobTitle: 'Buyer', tags: ['bulk'] })
    expect((await bulk({ ids: [id], set: { companyId: unknownId } })).body.data).toMatchObject({
      updated: 0,
      failed: 1,
      results: [{ code: 'INVALID_REFERENCE' }],
    })
  })

  it('changes by the filters of the list, custom fields among them, and refuses another count than expected', async () => {
    await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie: await workspace.session(),
      body: { entityType: 'CONTACT', key: 'vip', label: 'VIP', type: 'BOOLEAN' },
    })
    const companyId = await createCompany(api)
    await Promise.all(
      ['One', 'Two', 'Three'].map((lastName) =>
        createContact(api, { lastName, companyId, customFields: { vip: true } }),
      ),
    )
    const filter = { companyId, cf_vip: 'true' }
    expect(await bulk({ filter, expectedCount: 2, set: { jobTitle: 'X' } })).toMatchObject({
      status: 409,
      body: { code: 'COUNT_MISMATCH', details: { expected: 2, matched: 3 } },
    })
    expect((await bulk({ filter, expectedCount: 3, set: { jobTitle: 'X' }, dryRun: true })).body.data.updated).toBe(3)
    expect((await bulk({ filter, expectedCount: 3, set: { jobTitle: 'X' } })).body.data.updated).toBe(3)
    expect((await bulk({ filter, expectedCount: 3 }, 'DELETE')).body.data).toMatchObject({
      matched: 3,
      deleted: 3,
      failed: 0,
    })
    expect((await call({ path: `/api/contacts?companyId=${companyId}`, key })).body.total).toBe(0)
  })

  it('reaches only what the caller may change', async () => {
    const access = [{ entityType: 'CONTACT', VIEW: 'ALL', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id: ownerId } = await workspace.employee({
      grant: { permissions: ['VIEW_CONTACT', 'UPDATE_CONTACT', 'DELETE_CONTACT'], access },
    })
    const own = (await workspace.apiKey({ ownerId })).key
    const [theirs, mine] = [await createContact(api), await createContact(api, { ownerId })]
    expect((await bulk({ ids: [theirs, mine], set: { jobTitle: 'Y' } }, 'PATCH', own)).body.data).toMatchObject({
      updated: 1,
      results: [
        { id: theirs, code: 'NOT_FOUND' },
        { id: mine, status: 'OK' },
      ],
    })
    expect((await bulk({ ids: [theirs] }, 'DELETE', own)).body.data).toMatchObject({ deleted: 0, failed: 1 })
  })

  it.each([
    ['no selector', 'PATCH', { set: { jobTitle: 'A' } }],
    ['a misspelled filter', 'PATCH', { filter: { compnayId: unknownId }, set: { jobTitle: 'A' } }],
    ['a field that is set one by one only', 'PATCH', { ids: [unknownId], set: { email: 'a@b.example' } }],
    ['nothing to change', 'PATCH', { ids: [unknownId] }],
    ['a delete by filter without expectedCount', 'DELETE', { filter: { search: 'a' } }],
  ] as const)('400 for %s', async (_what, method, body) => {
    expect(await bulk(body, method)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('becomes a job for more than 500, of contacts and of companies', async () => {
    const other = await api.newWorkspace()
    const credential = (await other.apiKey()).key
    const owned = {
      workspaceId: other.workspaceId,
      ownerId: other.adminUserId,
      createdAt: new Date(Date.now() - 60_000).toISOString(),
    }
    const many = <Row>(length: number, row: (name: string) => Row) =>
      Array.from({ length }, (_, at) => ({ ...owned, id: newId(), ...row(`Many ${at}`) }))
    const { contacts, companies } = schema
    await writeRows(
      db,
      contacts,
      db
        .insert(contacts)
        .values(many(510, (lastName) => ({ lastName })))
        .getSQL(),
    )
    await writeRows(
      db,
      companies,
      db
        .insert(companies)
        .values(many(505, (name) => ({ name })))
        .getSQL(),
    )
    const asked = [
      await call(
        {
          method: 'PATCH',
          path: '/api/contacts',
          key: credential,
          body: { filter: { search: 'many' }, set: { jobTitle: 'Z' } },
        },
        other,
      ),
      await call(
        {
          method: 'DELETE',
          path: '/api/companies',
          key: credential,
          body: { filter: { search: 'many' }, expectedCount: 505 },
        },
        other,
      ),
    ]
    expect(asked.map(({ status }) => status)).toEqual([202, 202])
    await jobs.settled()
    for (const { body } of asked)
      expect((await call({ path: `/api/jobs/${body.data.jobId}`, key: credential }, other)).body.data).toMatchObject({
        state: 'DONE',
        failed: 0,
      })
    const changed = await db.select().from(schema.contacts).where(eq(schema.contacts.workspaceId, other.workspaceId))
    expect(changed.every(({ jobTitle }) => jobTitle === 'Z')).toBe(true)
    expect((await call({ path: '/api/companies', key: credential }, other)).body.total).toBe(0)
  })
})

describe('duplicates and merge', async () => {
  const keep = await createContact(api, {
    firstName: 'Eve',
    lastName: 'Double',
    email: 'eve@double.example',
    emails: ['second@double.example'],
    socials: { x: '@eve' },
  })
  const drop = await createContact(api, {
    firstName: 'Eve',
    lastName: 'Double',
    email: 'EVE@double.example',
    emails: ['other@double.example'],
    phone: '+4915199999999',
    jobTitle: 'CEO',
    socials: { x: '@old', linkedin: 'eve' },
    tags: ['vip'],
  })
  const merge = (id: string, body: unknown, credential = key) =>
    call({ method: 'POST', path: `/api/contacts/${id}/merge`, key: credential, body })

  it('groups contacts that look alike and scores those that look like one', async () => {
    expect((await call({ path: '/api/contacts/duplicates', key })).body).toMatchObject({
      total: 1,
      page: 1,
      items: [{ by: 'email', value: 'eve@double.example', count: 2, contacts: [{ id: keep }, { id: drop }] }],
    })
    expect((await call({ path: `/api/contacts/${keep}/duplicates`, key })).body.items).toMatchObject([
      { contact: { id: drop }, score: 90, matchedOn: ['email', 'name'] },
    ])
  })

  it('shows none that the caller may not see', async () => {
    const access = [{ entityType: 'CONTACT', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id: ownerId } = await workspace.employee({
      grant: { permissions: ['VIEW_CONTACT', 'CREATE_CONTACT', 'UPDATE_CONTACT', 'DELETE_CONTACT'], access },
    })
    const own = (await workspace.apiKey({ ownerId })).key
    const mine = (
      await call({ method: 'POST', path: '/api/contacts', key: own, body: { lastName: 'Double', firstName: 'Eve' } })
    ).body.data.id as string
    expect((await call({ path: '/api/contacts/duplicates?by=name', key: own })).body.total).toBe(0)
    expect((await call({ path: `/api/contacts/${mine}/duplicates`, key: own })).body.items).toEqual([])
    expect((await call({ path: `/api/contacts/${keep}/duplicates`, key: own })).status).toBe(404)
    expect((await merge(mine, { sourceIds: [keep] }, own)).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'sourceIds' },
    })
    expect((await merge(keep, { sourceIds: [mine] }, own)).status).toBe(404)
  })

  it('merges: no address, number or profile is lost, and what hangs on the loser moves', async () => {
    const lead = await createLead(api)
    const [stage] = await db
      .select()
      .from(schema.stages)
      .innerJoin(
        schema.pipelines,
        and(
          eq(schema.pipelines.workspaceId, schema.stages.workspaceId),
          eq(schema.pipelines.id, schema.stages.pipelineId),
        ),
      )
      .where(and(eq(schema.pipelines.workspaceId, workspace.workspaceId), eq(schema.pipelines.entityType, 'DEAL')))
      .limit(1)
    const dealId = newId()
    await db.insert(schema.deals).values({
      workspaceId: workspace.workspaceId,
      id: dealId,
      name: 'D',
      currency: 'EUR',
      pipelineId: stage?.pipelines.id ?? '',
      stageId: stage?.stages.id ?? '',
      status: 'OPEN',
      contactId: drop,
    })
    await db.update(schema.leads).set({ contactId: drop }).where(eq(schema.leads.id, lead))
    await call({
      method: 'POST',
      path: '/api/crm/comments',
      key,
      body: { entityType: 'CONTACT', entityId: drop, body: 'Moves along' },
    })
    const fileId = (
      await call({
        method: 'POST',
        path: '/api/files/upload',
        key,
        body: { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', contactId: drop },
      })
    ).body.data.id as string

    const { status, body } = await merge(keep, { sourceIds: [drop], prefer: { jobTitle: drop } })
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: {
        id: keep,
        email: 'eve@double.example',
        emails: ['second@double.example', 'other@double.example'],
        phone: '+4915199999999',
        phones: [],
        jobTitle: 'CEO',
        socials: { x: '@eve', linkedin: 'eve' },
        tags: ['vip'],
      },
    })
    expect(await call({ path: `/api/contacts/${drop}`, key })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', details: { mergedIntoId: keep } },
    })
    expect(
      (await call({ path: `/api/crm/comments?entityType=CONTACT&entityId=${keep}`, key })).body.items,
    ).toMatchObject([{ body: 'Moves along' }])
    expect((await call({ path: `/api/files/${fileId}`, key })).body.data.links).toEqual([
      { entityType: 'CONTACT', entityId: keep },
    ])
    expect((await call({ path: `/api/leads/${lead}`, key })).body.data.contactId).toBe(keep)
    expect((await db.select().from(schema.deals).where(eq(schema.deals.id, dealId)))[0]?.contactId).toBe(keep)
    const kinds = (await call({ path: `/api/crm/timeline?entityType=CONTACT&entityId=${keep}`, key })).body.items.map(
      ({ kind }: { kind: string }) => kind,
    )
    expect(kinds).toContain('MERGED')
  })

  it('tells of itself: what moved has changed, the event names the one that stays, and views follow', async () => {
    const [stays, goes] = [
      await createContact(api, { lastName: 'Stays' }),
      await createContact(api, { lastName: 'Goes' }),
    ]
    const deal = (await call({ method: 'POST', path: '/api/deals', key, body: { name: 'Moved', contactId: goes } }))
      .body.data as { id: string; version: number }
    const view = (
      await call({
        method: 'POST',
        path: '/api/saved-filters',
        key,
        body: { name: 'Theirs', entityType: 'DEAL', query: { contactId: goes } },
      })
    ).body.data.id as string
    api.clock.advance(1_000)
    const since = api.clock.now().toISOString()
    expect((await merge(stays, { sourceIds: [goes] })).status).toBe(200)
    const moved = (await call({ path: `/api/deals?updatedFrom=${since}`, key })).body.items
    expect(moved).toMatchObject([{ id: deal.id, contactId: stays, version: deal.version + 1 }])
    const told = await db
      .select()
      .from(schema.outbox)
      .where(inArray(schema.outbox.entityId, [deal.id, goes]))
    const eventOf = (event: string) => told.findLast((row) => row.event === event)?.payload
    expect(eventOf('deal.updated')).toMatchObject({ changes: [{ field: 'contactId', from: goes, to: stays }] })
    expect(eventOf('contact.deleted')).toMatchObject({ mergedIntoId: stays })
    const history = (await call({ path: `/api/crm/timeline?entityType=DEAL&entityId=${deal.id}`, key })).body.items
    expect(JSON.stringify(history)).toContain('contactId')
    expect((await call({ path: `/api/saved-filters/${view}`, key })).body.data.query).toEqual({ contactId: stays })
    expect((await call({ path: `/api/deals?savedFilterId=${view}`, key })).body.total).toBe(1)
  })

  it('is undone in one step: everything is where it was, but for what changed since', async () => {
    const stays = await createContact(api, { lastName: 'Keeps', email: 'keeps@undo.example', tags: ['a'] })
    const goes = await createContact(api, {
      lastName: 'Back',
      email: 'back@undo.example',
      jobTitle: 'CTO',
      tags: ['b'],
    })
    const post = async (path: string, body: object) => {
      const { status, body: answer } = await call({ method: 'POST', path, key, body })
      expect(status, JSON.stringify(answer)).toBe(201)
      return answer.data.id as string
    }
    const deal = await post('/api/deals', { name: 'Theirs', contactId: goes })
    const elsewhere = await post('/api/deals', { name: 'Elsewhere', contactId: goes })
    const task = await post('/api/tasks', { title: 'Call', links: [{ entityType: 'CONTACT', entityId: goes }] })
    const comment = await post('/api/crm/comments', { entityType: 'CONTACT', entityId: goes, body: 'Said' })
    const file = await post('/api/files/upload', {
      filename: 'a.txt',
      contentType: 'text/plain',
      contentBase64: 'aGVsbG8=',
      contactId: goes,
    })
    const dataOf = async (path: string) => (await call({ path, key })).body.data
    const state = async () => ({
      stays: await dataOf(`/api/contacts/${stays}`),
      goes: await dataOf(`/api/contacts/${goes}`),
      deal: (await dataOf(`/api/deals/${deal}`)).contactId,
      links: (await dataOf(`/api/tasks/${task}`)).links,
      comment: (await dataOf(`/api/crm/comments/${comment}`)).entityId,
      files: (await dataOf(`/api/files/${file}`)).links,
    })
    const plain = ({ version: _version, updatedAt: _at, ...rest }: Record<string, unknown>) => rest
    const before = await state()
    const { status, body } = await merge(stays, { sourceIds: [goes], prefer: { jobTitle: goes } })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { undoId: expect.any(String), data: { jobTitle: 'CTO' } },
    })
    expect((await state()).links).toEqual([{ entityType: 'CONTACT', entityId: stays }])
    await call({ method: 'PATCH', path: `/api/deals/${elsewhere}`, key, body: { contactId: null } })
    await call({ method: 'PATCH', path: `/api/contacts/${stays}`, key, body: { tags: ['c'] } })
    const undo = (as = key) => call({ method: 'POST', path: `/api/undo/${body.undoId}`, key: as })
    const { id: ownerId } = await workspace.employee({ roles: ['Manager'] })
    expect((await undo((await workspace.apiKey({ ownerId })).key)).status).toBe(404)
    api.clock.advance(71 * 60 * 60_000)
    expect((await undo()).body.data).toMatchObject({ matched: 2, failed: 0 })
    const after = await state()
    expect({ ...after, stays: plain(after.stays), goes: plain(after.goes) }).toEqual({
      ...before,
      stays: { ...plain(before.stays), tags: ['c'] },
      goes: plain(before.goes),
    })
    expect((await dataOf(`/api/deals/${elsewhere}`)).contactId).toBeNull()
    expect((await undo()).status).toBe(404)
  })

  it('cannot be undone after 72 hours', async () => {
    const [one, two] = [await createContact(api, { lastName: 'One' }), await createContact(api, { lastName: 'Two' })]
    const { undoId } = (await merge(one, { sourceIds: [two] })).body
    api.clock.advance(72 * 60 * 60_000 + 1)
    expect((await call({ method: 'POST', path: `/api/undo/${undoId}`, key })).status).toBe(404)
  })

  it('are found by every address and number of a contact', async () => {
    const emails = ['further@all.example']
    const all = [
      await createContact(api, { lastName: 'A', email: 'first@all.example', emails, phones: ['+4930901877'] }),
      await createContact(api, { lastName: 'B', email: 'FURTHER@all.example', phone: '+4930901877' }),
    ]
    for (const [by, value] of [
      ['email', 'further@all.example'],
      ['phone', '+4930901877'],
    ] as const) {
      const { groups, items = groups } = (await call({ path: `/api/contacts/duplicates?by=${by}`, key })).body
      const group = (items as { value: string; contacts: { id: string }[] }[]).find((one) => one.value === value)
      expect(group?.contacts.map(({ id }) => id)).toEqual(all)
    }
  })

  it('keeps the first address of the survivor among the further ones when another is preferred', async () => {
    const one = await createContact(api, { email: 'one@pref.example', phone: '+4930901820' })
    const two = await createContact(api, { email: 'two@pref.example', phone: '+4930901821' })
    expect((await merge(one, { sourceIds: [two], prefer: { email: two, phone: two } })).body.data).toMatchObject({
      email: 'two@pref.example',
      emails: ['one@pref.example'],
      phone: '+4930901821',
      phones: ['+4930901820'],
    })
  })

  it('refuses to merge a contact into itself, with one that is not there, or by an unknown field', async () => {
    expect((await merge(keep, { sourceIds: [keep] })).body.code).toBe('VALIDATION_ERROR')
    expect((await merge(keep, { sourceIds: [unknownId] })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'sourceIds' },
    })
    const other = await createContact(api)
    expect((await merge(keep, { sourceIds: [other], prefer: { ownerId: other } })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['prefer', 'ownerId'] }],
    })
  })
})
