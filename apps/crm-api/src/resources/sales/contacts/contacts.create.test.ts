import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const cookie = await workspace.session()
const create = (body: unknown, credential = key) =>
  call({ method: 'POST', path: '/api/contacts', key: credential, body })
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/contacts/${id}`, key: credential, body })
const companyId = await createCompany(api, { name: 'Acme' })

describe('POST /api/contacts 201', () => {
  it('gives owner, creator and empty lists, and keeps what was sent', async () => {
    const body = {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: ' Grace@Navy.example ',
      jobTitle: 'Admiral',
      companyId,
      birthday: '1906-12-09',
      description: 'Bugs',
      address: { city: 'Arlington' },
      messengers: [{ type: 'SIGNAL', handle: '@grace' }],
      socials: { linkedin: 'https://example.com/grace' },
      tags: ['navy', 'navy'],
    }
    const {
      status,
      body: { success, data },
    } = await create(body)
    expect({ status, success }).toEqual({ status: 201, success: true })
    expect(data).toMatchObject({
      ...body,
      email: 'Grace@Navy.example',
      tags: ['navy'],
      emails: [],
      phones: [],
      phone: null,
      ownerId: workspace.adminUserId,
      createdById: workspace.adminUserId,
      version: 1,
      customFields: {},
    })
    expect((await call({ path: `/api/contacts/${data.id}`, key })).body.data).toEqual(data)
  })

  it('stores every phone as E.164 and every address once', async () => {
    const { body } = await create({
      lastName: 'A',
      phone: '+49 (151) 2345-6789',
      phones: ['+49 30 901820', '+4930901820'],
      emails: ['a@b.example', 'A@B.example', 'c@d.example'],
    })
    expect(body.data).toMatchObject({
      phone: '+4915123456789',
      phones: ['+4930901820'],
      emails: ['a@b.example', 'c@d.example'],
    })
  })

  it('needs any one of the names, the address or the number', async () => {
    for (const body of [{ firstName: 'A' }, { lastName: 'A' }, { email: 'a@b.example' }, { phone: '+4915112345678' }])
      expect((await create(body)).status).toBe(201)
  })

  it('writes the history and the event with the whole record', async () => {
    const { data } = (await create({ lastName: 'Traced' })).body
    expect(
      (await call({ path: `/api/crm/timeline?entityType=CONTACT&entityId=${data.id}`, key })).body.items,
    ).toMatchObject([{ kind: 'CREATED', source: 'API' }])
    const events = await db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.workspaceId, workspace.workspaceId), eq(schema.outbox.entityId, data.id)))
    expect(events).toMatchObject([{ event: 'contact.created', payload: { record: data } }])
  })

  it('takes the department of its owner', async () => {
    const departmentId = await workspace.department('Field')
    const { id: ownerId } = await workspace.employee({ departmentId })
    expect((await create({ lastName: 'A', ownerId })).body.data).toMatchObject({ ownerId, departmentId })
  })
})

describe('POST /api/contacts 400', () => {
  it.each([
    ['nothing that says who it is', { jobTitle: 'CEO' }, []],
    ['empty names', { firstName: ' ', lastName: '' }, []],
    ['a phone without country code', { lastName: 'A', phone: '0151 234567' }, ['phone']],
    ['a further phone that is none', { lastName: 'A', phones: ['+999'] }, ['phones', 0]],
    ['a further phone of no country', { lastName: 'A', phones: ['+999 1234567'] }, ['phones']],
    ['a broken address', { lastName: 'A', email: 'nowhere' }, ['email']],
    ['a birthday that is no day', { lastName: 'A', birthday: '2026-02-30' }, ['birthday']],
    [
      'an unknown messenger',
      { lastName: 'A', messengers: [{ type: 'PIGEON', handle: 'x' }] },
      ['messengers', 0, 'type'],
    ],
    ['an unknown custom field', { lastName: 'A', customFields: { moon: 1 } }, ['customFields', 'moon']],
  ])('VALIDATION_ERROR for %s', async (_what, body, path) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path }] } })
  })

  it('INVALID_REFERENCE for an owner or a company that is not there', async () => {
    for (const field of ['ownerId', 'companyId'])
      expect(await create({ lastName: 'A', [field]: unknownId })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE', details: { field } },
      })
  })

  it('takes a company that the caller may not see for one that is not there', async () => {
    const access = [{ entityType: 'COMPANY', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id } = await workspace.employee({
      grant: {
        permissions: ['VIEW_CONTACT', 'CREATE_CONTACT', 'UPDATE_CONTACT', 'VIEW_COMPANY', 'CREATE_COMPANY'],
        access,
      },
    })
    const own = (await workspace.apiKey({ ownerId: id })).key
    const blind = (await workspace.apiKey({ ownerId: id, scopes: ['VIEW_CONTACT', 'CREATE_CONTACT'] })).key
    for (const credential of [own, blind])
      expect((await create({ lastName: 'A', companyId }, credential)).body).toMatchObject({
        code: 'INVALID_REFERENCE',
        details: { field: 'companyId' },
      })
    const mine = (await call({ method: 'POST', path: '/api/companies', key: own, body: { name: 'Mine' } })).body.data
      .id as string
    expect((await create({ lastName: 'A', companyId: mine }, own)).status).toBe(201)
    const contact = await createContact(api, { companyId })
    expect((await patch(contact, { companyId, jobTitle: 'Stays where it is' }, own)).status).toBe(200)
    expect((await patch(await createContact(api), { companyId }, own)).body.code).toBe('INVALID_REFERENCE')
  })

  it('asks for the custom fields that are required', async () => {
    const other = await api.newWorkspace()
    const credentials = { cookie: await other.session(), headers: { origin: `http://${other.host}` } }
    await call(
      {
        method: 'POST',
        path: '/api/settings/custom-fields',
        ...credentials,
        body: { entityType: 'CONTACT', key: 'vat', label: 'VAT', type: 'TEXT', isRequired: true },
      },
      other,
    )
    const send = (body: unknown) => call({ method: 'POST', path: '/api/contacts', ...credentials, body }, other)
    expect((await send({ lastName: 'A' })).body.issues).toMatchObject([
      { path: ['customFields', 'vat'], code: 'required' },
    ])
    expect((await send({ lastName: 'A', customFields: { vat: 'x' } })).status).toBe(201)
  })
})

it('403 QUOTA_EXCEEDED over the plan limit', async () => {
  const other = await api.newWorkspace()
  await db.insert(schema.workspaceQuotas).values({ workspaceId: other.workspaceId, quota: 'contacts', limit: 1 })
  const session = await other.session()
  const send = () =>
    call(
      {
        method: 'POST',
        path: '/api/contacts',
        cookie: session,
        headers: { origin: `http://${other.host}` },
        body: { lastName: 'A' },
      },
      other,
    )
  expect((await send()).status).toBe(201)
  expect(await send()).toMatchObject({
    status: 403,
    body: { code: 'QUOTA_EXCEEDED', details: { quota: 'contacts', used: 1, limit: 1 } },
  })
})

describe('PATCH /api/contacts/{id}', () => {
  it('changes what is sent, clears with null, replaces lists, raises the version and tells the history', async () => {
    const id = await createContact(api, { firstName: 'A', jobTitle: 'Buyer', phones: ['+4930901820'], companyId })
    const { status, body } = await patch(id, {
      firstName: 'B',
      jobTitle: null,
      companyId: null,
      phones: ['+49 151 23456789'],
      socials: { x: '@b' },
    })
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: {
        firstName: 'B',
        lastName: 'Sample',
        jobTitle: null,
        companyId: null,
        phones: ['+4915123456789'],
        socials: { x: '@b' },
        version: 2,
      },
    })
    const { items } = (await call({ path: `/api/crm/timeline?entityType=CONTACT&entityId=${id}`, key })).body
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['UPDATED', 'CREATED'])
    expect(items[0].changes.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'companyId',
      'firstName',
      'jobTitle',
      'phones',
      'socials',
    ])
  })

  it('changes nothing when nothing differs', async () => {
    const id = await createContact(api, { emails: ['a@b.example'] })
    expect((await patch(id, { lastName: 'Sample', emails: ['a@b.example'] })).body.data.version).toBe(1)
  })

  it('keeps at least one thing that says who it is', async () => {
    expect(await patch(await createContact(api), { lastName: null })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  it('409 VERSION_CONFLICT for a stale version', async () => {
    const id = await createContact(api)
    await patch(id, { firstName: 'B', version: 1 })
    expect(await patch(id, { firstName: 'C', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', details: { version: 2 } },
    })
  })

  it('reaches only what the level reaches', async () => {
    const access = [{ entityType: 'CONTACT', VIEW: 'ALL', UPDATE: 'OWN', DELETE: 'NONE' }] as const
    const { id: ownerId } = await workspace.employee({
      grant: { permissions: ['VIEW_CONTACT', 'UPDATE_CONTACT', 'DELETE_CONTACT'], access },
    })
    const own = (await workspace.apiKey({ ownerId })).key
    const id = await createContact(api)
    expect((await call({ path: `/api/contacts/${id}`, key: own })).status).toBe(200)
    expect((await patch(id, { firstName: 'X' }, own)).status).toBe(404)
    expect(await call({ method: 'DELETE', path: `/api/contacts/${id}`, key: own })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'DELETE_CONTACT' },
    })
  })
})

it('DELETE /api/contacts/{id} hides the contact everywhere', async () => {
  const id = await createContact(api, { lastName: 'Vanishing' })
  expect((await call({ method: 'DELETE', path: `/api/contacts/${id}`, key })).body).toEqual({
    success: true,
    data: { id },
    undoId: expect.any(String),
  })
  for (const path of [
    `/api/contacts/${id}`,
    `/api/crm/timeline?entityType=CONTACT&entityId=${id}`,
    `/api/crm/comments?entityType=CONTACT&entityId=${id}`,
    `/api/search/contact:${id}`,
  ]) {
    expect((await call({ path, key })).status).toBe(404)
  }
  expect((await call({ path: '/api/contacts?search=vanishing', key })).body.total).toBe(0)
})

it('the custom fields of contacts are changed by key', async () => {
  await call({
    method: 'POST',
    path: '/api/settings/custom-fields',
    cookie,
    body: { entityType: 'CONTACT', key: 'score', label: 'Score', type: 'RATING' },
  })
  const id = await createContact(api, { customFields: { score: 4 } })
  expect((await patch(id, { customFields: { score: null } })).body.data.customFields).toEqual({})
  expect((await patch(id, { customFields: { score: 11 } })).body.issues).toMatchObject([
    { path: ['customFields', 'score'] },
  ])
})
