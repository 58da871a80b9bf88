import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const cookie = await workspace.session()
const convert = (id: string, body?: unknown, credential = key) =>
  call({ method: 'POST', path: `/api/leads/${id}/convert`, key: credential, body })
const read = async (path: string) => (await call({ path, key })).body.data
const count = async (path: string): Promise<number> => (await call({ path, key })).body.total
const eventsOf = async (entityId: string) =>
  db
    .select()
    .from(schema.outbox)
    .where(and(eq(schema.outbox.workspaceId, workspace.workspaceId), eq(schema.outbox.entityId, entityId)))
const none = { contact: { mode: 'NONE' }, company: { mode: 'NONE' }, deal: { mode: 'NONE' } }
let n = 0
/** Creates a lead that looks like no other lead. */
const newLead = (body: Record<string, unknown> = {}) => {
  n += 1
  return createLead(api, {
    firstName: 'Carl',
    lastName: `Number ${n}`,
    companyName: `Convert ${n} AG`,
    email: `carl@convert${n}.example`,
    ...body,
  })
}

describe('an empty body', () => {
  it('makes a contact, a company and a deal of a lead, all linked to each other', async () => {
    const address = { city: 'Basel' }
    const id = await newLead({
      phone: '+4915112345600',
      jobTitle: 'Buyer',
      website: 'https://convert.example',
      address,
      messengers: [{ type: 'SIGNAL', handle: '@carl' }],
      description: 'Likes it',
    })
    const {
      status,
      body: { data },
    } = await convert(id)
    expect({ status, data }).toMatchObject({
      status: 200,
      data: {
        lead: { id, status: 'CONVERTED', convertedAt: expect.any(String) },
        created: ['contact', 'company', 'deal'],
        linked: [],
      },
    })
    const { contactId, companyId, dealId, lead } = data
    expect(lead).toMatchObject({ contactId, companyId, dealId })
    expect(await read(`/api/contacts/${contactId}`)).toMatchObject({
      firstName: 'Carl',
      lastName: lead.lastName,
      email: lead.email,
      phone: '+4915112345600',
      jobTitle: 'Buyer',
      address,
      messengers: [{ type: 'SIGNAL', handle: '@carl' }],
      description: 'Likes it',
      companyId,
      ownerId: lead.ownerId,
    })
    expect(await read(`/api/companies/${companyId}`)).toMatchObject({
      name: lead.companyName,
      domain: lead.email.split('@')[1],
      website: 'https://convert.example',
      ownerId: lead.ownerId,
    })
    expect(await read(`/api/deals/${dealId}`)).toMatchObject({
      name: lead.companyName,
      contactId,
      companyId,
      leadId: id,
      status: 'OPEN',
      ownerId: lead.ownerId,
      amount: null,
    })
  })

  it('tells everything: the history of all four, and every event with its whole record', async () => {
    const id = await newLead()
    const { data } = (await convert(id)).body
    for (const [entityType, entityId, event, path] of [
      ['CONTACT', data.contactId, 'contact.created', '/api/contacts'],
      ['COMPANY', data.companyId, 'company.created', '/api/companies'],
      ['DEAL', data.dealId, 'deal.created', '/api/deals'],
    ]) {
      const { items } = (await call({ path: `/api/crm/timeline?entityType=${entityType}&entityId=${entityId}`, key }))
        .body
      expect(items).toMatchObject([{ kind: 'CREATED', relatedType: 'LEAD', relatedId: id }])
      expect(await eventsOf(entityId)).toMatchObject([
        { event, payload: { record: await read(`${path}/${entityId}`) } },
      ])
    }
    const links = { contactId: data.contactId, companyId: data.companyId, dealId: data.dealId }
    expect((await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${id}`, key })).body.items).toMatchObject([
      { kind: 'CONVERTED', data: links },
      { kind: 'CREATED' },
    ])
    const { stages } = await read(`/api/leads/${id}/stage-times?stage=x`)
    expect(stages).toMatchObject([{ seconds: 0 }, { stageId: data.lead.stageId }])
    const told = await eventsOf(id)
    expect(told.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['lead.created', 'lead.updated', 'lead.status_changed', 'lead.converted']),
    )
    expect(told.find(({ event }) => event === 'lead.converted')).toMatchObject({
      payload: { record: data.lead, ...links },
    })
  })

  it('makes no contact of a lead without a person, and no company without a company name', async () => {
    const firm = await createLead(api, { lastName: null, companyName: 'Only a firm' })
    expect((await convert(firm)).body.data).toMatchObject({ created: ['company', 'deal'], contactId: null })
    const person = await createLead(api, { firstName: 'Only', lastName: 'A person' })
    const { data } = (await convert(person)).body
    expect(data).toMatchObject({ created: ['contact', 'deal'], companyId: null })
    expect((await read(`/api/deals/${data.dealId}`)).name).toBe('Only A person')
  })
})

describe('AUTO', () => {
  it('links the contact by email address, then by phone, and the company by name, or by domain where the lead names none', async () => {
    const companyId = await createCompany(api, { name: 'Found Ltd', domain: 'found.example' })
    const byEmail = await createContact(api, { lastName: 'By email', email: 'Some@Found.example' })
    const further = await createContact(api, { lastName: 'By a further one', emails: ['further@found.example'] })
    const byPhone = await createContact(api, { lastName: 'By phone', phone: '+4915112340001' })
    const lead = (body: Record<string, unknown>) => createLead(api, { firstName: 'F', ...body })
    for (const [body, contactId, company] of [
      [{ email: 'some@found.example', phone: '+4915112340001' }, byEmail, companyId],
      [{ email: 'FURTHER@found.example' }, further, companyId],
      [{ email: 'unknown@gmail.com', phone: '+49 151 1234 0001', companyName: 'found ltd' }, byPhone, companyId],
    ] as const) {
      const id = await lead(body)
      const options = await read(`/api/leads/${id}/conversion-options`)
      expect(options).toMatchObject({
        contact: { mode: 'EXISTING', candidates: [{ id: contactId }] },
        company: { mode: 'EXISTING', candidates: [{ id: company }] },
        deal: { mode: 'CREATE' },
      })
      expect((await convert(id, { deal: { mode: 'NONE' } })).body.data).toMatchObject({
        contactId,
        companyId: company,
        dealId: null,
        created: [],
        linked: ['contact', 'company'],
      })
    }
  })

  it('does not take the domain of a mail provider for a company', async () => {
    await createCompany(api, { name: 'Mail', domain: 'gmail.com' })
    await createCompany(api, { name: 'Another', domain: 'named.example' })
    const named = await newLead({ companyName: 'Named', email: 'x@named.example' })
    expect(await read(`/api/leads/${named}/conversion-options`)).toMatchObject({
      company: { mode: 'CREATE', candidates: [{ name: 'Another', matchedOn: 'domain' }] },
    })
    const [qq, german] = await Promise.all([
      newLead({ companyName: 'Alpha', email: 'a@qq.com' }),
      newLead({ companyName: 'Beta', email: 'b@qq.com' }),
    ])
    const [alpha, beta] = [(await convert(qq)).body.data, (await convert(german)).body.data]
    for (const [{ companyId }, name] of [
      [alpha, 'Alpha'],
      [beta, 'Beta'],
    ] as const)
      expect(await read(`/api/companies/${companyId}`)).toMatchObject({ name, domain: null })
    expect((await convert(named)).body.data.created).toContain('company')
    const id = await createLead(api, { email: 'somebody.new@gmail.com' })
    expect((await convert(id, { deal: { mode: 'NONE' } })).body.data).toMatchObject({
      companyId: null,
      created: ['contact'],
    })
  })

  it('takes a placeholder for no name', async () => {
    for (const name of ['-', 'N/A', 'Unbekannt']) {
      const id = await newLead({ companyName: name, email: null })
      expect(await read(`/api/leads/${id}/conversion-options`)).toMatchObject({
        company: { mode: 'NONE', candidates: [] },
      })
      expect((await convert(id)).body.data.companyId).toBeNull()
    }
    const groups = (await call({ path: '/api/leads/duplicates?by=company', key })).body
    expect(JSON.stringify(groups)).not.toMatch(/"value":"(-|n\/a|unbekannt)"/)
  })

  it('finds and names only what the caller may see', async () => {
    const access = ['CONTACT', 'COMPANY'].map(
      (entityType) => ({ entityType, VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }) as const,
    )
    const permissions = ['LEAD', 'CONTACT', 'COMPANY', 'DEAL'].flatMap((entity) => [
      `VIEW_${entity}`,
      `CREATE_${entity}`,
      `UPDATE_${entity}`,
    ])
    const { id: ownerId } = await workspace.employee({ grant: { permissions, access } })
    const own = (await workspace.apiKey({ ownerId })).key
    const hidden = {
      contactId: await createContact(api, { email: 'hidden@secret.example' }),
      companyId: await createCompany(api, { name: 'Secret', domain: 'secret.example' }),
    }
    const id = await createLead(api, { lastName: 'L', email: 'hidden@secret.example', companyName: 'Secret', ownerId })
    const options = (await call({ path: `/api/leads/${id}/conversion-options`, key: own })).body.data
    expect(options).toMatchObject({
      contact: { mode: 'CREATE', candidates: [] },
      company: { mode: 'CREATE', candidates: [] },
    })
    for (const [part, partId] of [
      ['contact', hidden.contactId],
      ['company', hidden.companyId],
    ] as const) {
      expect((await convert(id, { ...none, [part]: { mode: 'EXISTING', id: partId } }, own)).body).toMatchObject({
        code: 'INVALID_REFERENCE',
        details: { field: `${part}.id` },
      })
    }
    const { status, body } = await convert(id, { onDuplicate: 'ERROR' }, own)
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { created: ['contact', 'company', 'deal'], linked: [] },
    })
    expect(body.data.contactId).not.toBe(hidden.contactId)
  })
})

describe('EXISTING, NONE and CREATE', () => {
  it('links what is named', async () => {
    const [contactId, companyId] = [await createContact(api), await createCompany(api)]
    const dealId = (await call({ method: 'POST', path: '/api/deals', key, body: { name: 'Old deal' } })).body.data
      .id as string
    const id = await newLead()
    const body = {
      contact: { mode: 'EXISTING', id: contactId },
      company: { mode: 'EXISTING', id: companyId },
      deal: { mode: 'EXISTING', id: dealId },
    }
    expect((await convert(id, body)).body.data).toMatchObject({
      contactId,
      companyId,
      dealId,
      created: [],
      linked: ['contact', 'company', 'deal'],
    })
  })

  it('can do without any of them', async () => {
    expect((await convert(await newLead(), none)).body.data).toMatchObject({
      contactId: null,
      companyId: null,
      dealId: null,
      created: [],
      linked: [],
      lead: { status: 'CONVERTED' },
    })
  })

  it('creates beside what AUTO would find, with fields of its own before those of the lead', async () => {
    const first = (await convert(await newLead({ email: 'twin@twin.example', companyName: 'Twin' }))).body.data
    const { id: ownerId } = await workspace.employee()
    const deal = {
      mode: 'CREATE',
      name: 'Big one',
      amount: '1250.50',
      currency: 'CHF',
      expectedCloseDate: '2027-01-31',
    }
    const second = (
      await convert(await newLead({ email: 'twin@twin.example', companyName: 'Twin' }), {
        contact: { mode: 'CREATE', fields: { firstName: 'Other', phones: ['+49 30 901820'], tags: ['new'] } },
        company: { mode: 'CREATE', fields: { name: 'Twin two', size: '2' } },
        deal,
        ownerId,
      })
    ).body.data
    expect(second.created).toEqual(['contact', 'company', 'deal'])
    expect(second.contactId).not.toBe(first.contactId)
    expect(await read(`/api/contacts/${second.contactId}`)).toMatchObject({
      firstName: 'Other',
      email: 'twin@twin.example',
      phones: ['+4930901820'],
      tags: ['new'],
      companyId: second.companyId,
      ownerId,
    })
    expect(await read(`/api/companies/${second.companyId}`)).toMatchObject({ name: 'Twin two', size: '2', ownerId })
    const { mode: _mode, ...fields } = deal
    expect(await read(`/api/deals/${second.dealId}`)).toMatchObject({ ...fields, ownerId })
    expect(second.lead.ownerId).toBe(workspace.adminUserId)
  })

  it('gives to who converts it what would belong to somebody who has left', async () => {
    const { id: ownerId } = await workspace.employee()
    const id = await newLead({ ownerId })
    await call({ method: 'PATCH', path: `/api/settings/users/${ownerId}`, cookie, body: { status: 'TERMINATED' } })
    const { data } = (await convert(id)).body
    expect((await read(`/api/deals/${data.dealId}`)).ownerId).toBe(workspace.adminUserId)
  })
})

describe('409', () => {
  it('LEAD_ALREADY_CONVERTED with the three ids, for converting, its options and moving', async () => {
    const id = await newLead()
    const { contactId, companyId, dealId } = (await convert(id)).body.data
    const refusal = { status: 409, body: { code: 'LEAD_ALREADY_CONVERTED', details: { contactId, companyId, dealId } } }
    expect(await convert(id)).toMatchObject(refusal)
    expect(await call({ path: `/api/leads/${id}/conversion-options`, key })).toMatchObject(refusal)
    expect(await call({ method: 'PATCH', path: `/api/leads/${id}`, key, body: { status: 'NEW' } })).toMatchObject(
      refusal,
    )
    expect(
      (await call({ method: 'PATCH', path: `/api/leads/${id}`, key, body: { jobTitle: 'Still editable' } })).status,
    ).toBe(200)
  })

  it('lets one of two conversions at once win', async () => {
    const id = await newLead()
    const answers = await Promise.all([convert(id), convert(id)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('DUPLICATE_FOUND with all candidates for AUTO and CREATE with onDuplicate ERROR, and nothing is done', async () => {
    const contactId = await createContact(api, { email: 'dup@dup.example' })
    const companyId = await createCompany(api, { domain: 'dup.example' })
    const id = await createLead(api, { lastName: 'D', email: 'DUP@dup.example' })
    const both = [
      { entityType: 'CONTACT', id: contactId },
      { entityType: 'COMPANY', id: companyId },
    ]
    for (const [body, candidates] of [
      [{}, both],
      [{ contact: { mode: 'CREATE' }, company: { mode: 'CREATE' } }, both],
      [{ contact: { mode: 'NONE' } }, [both[1]]],
    ] as const) {
      expect(await convert(id, { ...body, onDuplicate: 'ERROR' })).toMatchObject({
        status: 409,
        body: { code: 'DUPLICATE_FOUND', details: { candidates } },
      })
    }
    expect((await read(`/api/leads/${id}`)).convertedAt).toBeNull()
    expect(
      (
        await convert(id, {
          contact: { mode: 'EXISTING', id: contactId },
          company: { mode: 'NONE' },
          onDuplicate: 'ERROR',
        })
      ).body.data,
    ).toMatchObject({ linked: ['contact'], created: ['deal'] })
  })
})

describe('400', () => {
  it.each([
    [
      'EXISTING without an id',
      { contact: { mode: 'EXISTING' } },
      { code: 'VALIDATION_ERROR', issues: [{ path: ['contact', 'id'] }] },
    ],
    [
      'an unknown contact',
      { contact: { mode: 'EXISTING', id: unknownId } },
      { code: 'INVALID_REFERENCE', details: { field: 'contact.id' } },
    ],
    [
      'an unknown company',
      { company: { mode: 'EXISTING', id: unknownId } },
      { code: 'INVALID_REFERENCE', details: { field: 'company.id' } },
    ],
    [
      'an unknown deal',
      { deal: { mode: 'EXISTING', id: unknownId } },
      { code: 'INVALID_REFERENCE', details: { field: 'deal.id' } },
    ],
    ['an unknown deal stage', { deal: { mode: 'CREATE', stageId: unknownId } }, { code: 'STAGE_NOT_FOUND' }],
    [
      'an unknown pipeline',
      { deal: { mode: 'CREATE', pipelineId: unknownId } },
      { code: 'INVALID_REFERENCE', details: { field: 'deal.pipelineId' } },
    ],
    ['an unknown currency', { deal: { mode: 'CREATE', currency: 'XQQ' } }, { code: 'INVALID_CURRENCY' }],
    [
      'an amount that is none',
      { deal: { mode: 'CREATE', amount: '12,50' } },
      { code: 'VALIDATION_ERROR', issues: [{ path: ['deal', 'amount'] }] },
    ],
    ['an unknown owner', { ownerId: unknownId }, { code: 'INVALID_REFERENCE', details: { field: 'ownerId' } }],
    [
      'an unknown field of the contact',
      { contact: { mode: 'CREATE', fields: { shoeSize: 44 } } },
      { code: 'VALIDATION_ERROR', issues: [{ path: ['contact', 'fields', 'shoeSize'] }] },
    ],
    [
      'a phone that is none',
      { contact: { mode: 'CREATE', fields: { phone: '+999 1234567' } } },
      { code: 'VALIDATION_ERROR', issues: [{ path: ['contact', 'fields', 'phone'] }] },
    ],
    [
      'an unknown industry',
      { company: { mode: 'CREATE', fields: { industryId: unknownId } } },
      { code: 'INVALID_REFERENCE', details: { field: 'company.fields.industryId' } },
    ],
  ])('%s, and nothing is done', async (_what, body, refusal) => {
    const id = await newLead()
    const before = await Promise.all(['/api/contacts', '/api/companies', '/api/deals'].map(count))
    expect(await convert(id, body)).toMatchObject({ status: 400, body: refusal })
    expect((await read(`/api/leads/${id}`)).convertedAt).toBeNull()
    expect(await Promise.all(['/api/contacts', '/api/companies', '/api/deals'].map(count))).toEqual(before)
  })

  it('CREATE of a company without a name, and of a contact without a person', async () => {
    const person = await createLead(api, { lastName: 'P' })
    expect((await convert(person, { company: { mode: 'CREATE' } })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['company', 'fields', 'name'] }],
    })
    const firm = await createLead(api, { lastName: null, companyName: 'Firm without people' })
    expect((await convert(firm, { contact: { mode: 'CREATE' } })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['contact', 'fields'] }],
    })
  })

  it('asks for the custom fields that what is created requires', async () => {
    const other = await api.newWorkspace()
    const session = { cookie: await other.session(), headers: { origin: `http://${other.host}` } }
    for (const entityType of ['CONTACT', 'COMPANY', 'DEAL']) {
      await call(
        {
          method: 'POST',
          path: '/api/settings/custom-fields',
          ...session,
          body: { entityType, key: 'vat', label: 'VAT', type: 'TEXT', isRequired: true },
        },
        other,
      )
    }
    const id = (
      await call({ method: 'POST', path: '/api/leads', ...session, body: { lastName: 'L', companyName: 'C' } }, other)
    ).body.data.id as string
    const send = (body: unknown) => call({ method: 'POST', path: `/api/leads/${id}/convert`, ...session, body }, other)
    const customFields = { vat: 'x' }
    const company = { mode: 'AUTO', fields: { customFields } }
    const contact = { mode: 'AUTO', fields: { customFields } }
    expect((await send({})).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['company', 'fields', 'customFields', 'vat'] }],
    })
    expect((await send({ company })).body.issues).toMatchObject([
      { path: ['contact', 'fields', 'customFields', 'vat'] },
    ])
    expect((await send({ company, contact })).body.issues).toMatchObject([{ path: ['deal', 'customFields', 'vat'] }])
    expect((await send({ company, contact, deal: { mode: 'CREATE', customFields } })).status).toBe(200)
  })
})

describe('403', () => {
  it.each(['CONTACT', 'COMPANY', 'DEAL'])('without CREATE_%s where one is created', async (entity) => {
    const scopes = [
      'VIEW_LEAD',
      'UPDATE_LEAD',
      'VIEW_CONTACT',
      'VIEW_COMPANY',
      'VIEW_DEAL',
      'CREATE_CONTACT',
      'CREATE_COMPANY',
      'CREATE_DEAL',
    ].filter((scope) => scope !== `CREATE_${entity}`)
    const { key: limited } = await workspace.apiKey({ scopes })
    const id = await newLead()
    expect(await convert(id, {}, limited)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission: `CREATE_${entity}` },
    })
    expect((await convert(id, { [entity.toLowerCase()]: { mode: 'NONE' } }, limited)).status).toBe(200)
  })

  it('needs no right to see what it creates', async () => {
    const { key: writer } = await workspace.apiKey({
      scopes: ['UPDATE_LEAD', 'CREATE_CONTACT', 'CREATE_COMPANY', 'CREATE_DEAL'],
    })
    expect((await convert(await newLead(), {}, writer)).body.data).toMatchObject({
      created: ['contact', 'company', 'deal'],
    })
  })
})

describe('a choice', () => {
  it('links the contact and the company that are named, or makes new ones whatever is found', async () => {
    const [contactId, companyId] = await Promise.all([createContact(api), createCompany(api, { name: 'Chosen' })])
    const email = 'choice@choice.example'
    await createContact(api, { email })
    await createCompany(api, { name: 'Choice', domain: 'choice.example' })
    expect((await convert(await newLead(), { contactId, companyId })).body.data).toMatchObject({
      contactId,
      companyId,
      linked: ['contact', 'company'],
    })
    const id = await newLead({ companyName: 'Choice', email })
    expect((await convert(id, { createContact: true, createCompany: true })).body.data.created).toEqual([
      'contact',
      'company',
      'deal',
    ])
  })

  it.each([
    [{ contactId: unknownId, createContact: true }, ['createContact']],
    [{ companyId: unknownId, company: { mode: 'NONE' } }, ['company', 'mode']],
    [{ createCompany: false }, ['createCompany']],
  ])('%j is refused', async (body, path) => {
    expect(await convert(await newLead(), body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path }] },
    })
  })

  it('of a record that is not there is refused', async () => {
    expect((await convert(await newLead(), { companyId: unknownId })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'company.id' },
    })
  })
})

it('what a lead has goes along: custom fields of the same key and type, tags, files and comments', async () => {
  const declare = (entityType: string, field: object) =>
    call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: { entityType, ...field } })
  const size = { key: 'size', label: 'Size', type: 'NUMBER' }
  for (const entityType of ['LEAD', 'CONTACT', 'COMPANY', 'DEAL'])
    expect((await declare(entityType, size)).status).toBe(201)
  const colour = (value: string) => ({
    key: 'colour',
    label: 'Colour',
    type: 'SELECT',
    options: [{ value, label: value }],
  })
  for (const [entityType, value] of [
    ['LEAD', 'red'],
    ['CONTACT', 'red'],
    ['COMPANY', 'blue'],
  ] as const)
    expect((await declare(entityType, colour(value))).status).toBe(201)
  expect((await declare('DEAL', { key: 'colour', label: 'Colour', type: 'TEXT' })).status).toBe(201)
  const id = await newLead({ tags: ['hot'], customFields: { size: 7, colour: 'red' } })
  const comment = await call({
    method: 'POST',
    path: '/api/crm/comments',
    key,
    body: { entityType: 'LEAD', entityId: id, body: 'Wants seven' },
  })
  const file = await call({
    method: 'POST',
    path: '/api/files/upload',
    key,
    body: {
      filename: 'note.txt',
      contentType: 'text/plain',
      contentBase64: 'aGVsbG8=',
      links: [{ entityType: 'LEAD', entityId: id }],
    },
  })
  expect([comment.status, file.status]).toEqual([201, 201])
  const { contactId, companyId, dealId } = (await convert(id, { deal: { mode: 'CREATE', customFields: { size: 8 } } }))
    .body.data
  const records = await Promise.all(
    [`contacts/${contactId}`, `companies/${companyId}`, `deals/${dealId}`].map((path) => read(`/api/${path}`)),
  )
  expect(records.map(({ tags, customFields }) => ({ tags, customFields }))).toEqual([
    { tags: ['hot'], customFields: { size: 7, colour: 'red' } },
    { tags: ['hot'], customFields: { size: 7 } },
    { tags: ['hot'], customFields: { size: 8 } },
  ])
  const { body: comments } = await call({ path: `/api/crm/comments?entityType=DEAL&entityId=${dealId}`, key })
  expect(comments.items).toMatchObject([{ body: 'Wants seven' }])
  for (const link of [`LEAD&entityId=${id}`, `CONTACT&entityId=${contactId}`, `DEAL&entityId=${dealId}`])
    expect(await count(`/api/files?entityType=${link}`)).toBe(1)
})
