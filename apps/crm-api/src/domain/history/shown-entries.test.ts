import type { ShownTimelineEntry } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createCompany, createContact, createDeal, createLead } from '../../../test/samples.ts'
import { uploadFile } from '../../../test/uploads.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await call({ method, path, key, body })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
type Entries = readonly (ShownTimelineEntry & { readonly text?: string })[]
const of = (entityType: string, entityId: string) => `entityType=${entityType}&entityId=${entityId}`
const timeline = async (query: string, credential = key): Promise<Entries> =>
  (await call({ path: `/api/crm/timeline?${query}`, key: credential })).body.items
const feed = async (query: string, credential = key): Promise<Entries> =>
  (await call({ path: `/api/feed?${query}`, key: credential })).body.items
const link = (entityType: string, id: string, title: string | null) => ({ entityType, id, title })

/** A person with these permissions, of whose records of some kinds they see their own alone. */
async function personWith(permissions: readonly string[], ownOnly: readonly string[] = []): Promise<string> {
  const access = ownOnly.map((entityType) => ({ entityType, VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }) as const)
  const { id } = await workspace.employee({ grant: { permissions: [...permissions], access } })
  return (await workspace.apiKey({ ownerId: id })).key
}

describe('one operation', () => {
  it('is a conversion: its entries are one group, and name the records that the lead became', async () => {
    const leadId = await createLead(api, { firstName: 'Rita', lastName: 'Newcomer', companyName: 'Newcomer Bakery' })
    const { contactId, companyId, dealId } = await send('POST', `/api/leads/${leadId}/convert`, {})
    const made = [
      link('CONTACT', contactId, 'Rita Newcomer'),
      link('COMPANY', companyId, 'Newcomer Bakery'),
      link('DEAL', dealId, 'Newcomer Bakery'),
    ]
    const [converted, created] = await timeline(of('LEAD', leadId))
    expect(converted).toMatchObject({ kind: 'CONVERTED', title: 'Rita Newcomer' })
    expect(converted?.links).toEqual(expect.arrayContaining(made))
    expect(converted?.links.slice(0, 3)).toEqual(made)
    expect(created?.groupId).not.toBe(converted?.groupId)
    const [inDeal] = await timeline(of('DEAL', dealId))
    expect(inDeal).toMatchObject({ kind: 'CREATED', groupId: converted?.groupId, title: 'Newcomer Bakery' })
    expect(inDeal?.links).toEqual([link('LEAD', leadId, 'Rita Newcomer')])
    const told = await feed(`companyId=${companyId}`)
    expect(told.filter(({ groupId }) => groupId === converted?.groupId).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['CONVERTED', 'CREATED']),
    )
    expect(told.map(({ text }) => text)).toContain(
      'Ada Admin converted the lead Rita Newcomer to the contact Rita Newcomer, the company Newcomer Bakery and the deal Newcomer Bakery.',
    )
  })

  it('is a merge, which names the records that it took in', async () => {
    const [kept, gone] = [await createLead(api, { firstName: 'Kept' }), await createLead(api, { firstName: 'Gone' })]
    await send('POST', `/api/leads/${kept}/merge`, { sourceIds: [gone] })
    const [merged] = await timeline(of('LEAD', kept))
    expect(merged).toMatchObject({ kind: 'MERGED', links: [link('LEAD', gone, 'Gone Sample')] })
    expect((await feed(`leadId=${kept}&kinds=MERGED`))[0]?.text).toBe(
      'Ada Admin merged Gone Sample into the lead Kept Sample.',
    )
  })

  it('is a bulk change, and every request that writes several entries', async () => {
    const ids = [await createDeal(api, { name: 'A' }), await createDeal(api, { name: 'B' })]
    const { id: colleague } = await workspace.employee()
    const answer = await call({ method: 'PATCH', path: '/api/deals', key, body: { ids, set: { ownerId: colleague } } })
    const both = await Promise.all(ids.map(async (id) => (await timeline(of('DEAL', id)))[0]))
    expect(new Set(both.map((entry) => entry?.groupId))).toEqual(new Set([answer.body.data.undoId]))
    const task = await send('POST', '/api/tasks', {
      title: 'Send the plan',
      links: [{ entityType: 'DEAL', entityId: ids[0] }],
    })
    const [added] = await timeline(of('DEAL', ids[0] ?? ''))
    const [created] = await timeline(of('TASK', task.id))
    expect(added).toMatchObject({ kind: 'TASK_ADDED', links: [link('TASK', task.id, 'Send the plan')] })
    expect(created).toMatchObject({ kind: 'CREATED', groupId: added?.groupId, title: 'Send the plan' })
    await send('PATCH', `/api/deals/${ids[0]}`, { name: 'A2', status: 'LOST', lostReason: 'Price' })
    const changes = (await timeline(of('DEAL', ids[0] ?? ''))).slice(0, 3)
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['UPDATED', 'STAGE_CHANGED', 'STATUS_CHANGED']))
    expect(new Set(changes.map(({ groupId }) => groupId)).size).toBe(1)
  })
})

describe('an entry', () => {
  it('names every object in its changes: people, stages, sources, industries, companies, projects', async () => {
    const { id: colleague } = await workspace.employee()
    const { name } = (await call({ path: `/api/employees/${colleague}`, key })).body.data
    const source = (await call({ method: 'POST', path: '/api/lead-sources', key, body: { name: 'Fair' } })).body.data
    const industry = (await call({ method: 'POST', path: '/api/industries', key, body: { name: 'Mills' } })).body.data
    const [companyId, contactId] = [
      await createCompany(api, { name: 'Acme' }),
      await createContact(api, { lastName: 'Hopper' }),
    ]
    const leadId = await createLead(api)
    await send('PATCH', `/api/leads/${leadId}`, { sourceId: source.id })
    expect((await timeline(of('LEAD', leadId)))[0]?.links).toContainEqual(link('LEAD_SOURCE', source.id, 'Fair'))
    await send('PATCH', `/api/companies/${companyId}`, { industryId: industry.id })
    expect((await timeline(of('COMPANY', companyId)))[0]?.links).toEqual([link('INDUSTRY', industry.id, 'Mills')])
    const dealId = await createDeal(api, { name: 'Fleet' })
    await send('PATCH', `/api/deals/${dealId}`, { companyId, contactId, ownerId: colleague, status: 'WON' })
    const links = (await timeline(of('DEAL', dealId))).flatMap((entry) => entry.links)
    expect(links).toEqual(
      expect.arrayContaining([
        link('COMPANY', companyId, 'Acme'),
        link('CONTACT', contactId, 'Hopper'),
        link('EMPLOYEE', colleague, name),
        expect.objectContaining({ entityType: 'STAGE', title: expect.any(String) }),
      ]),
    )
    const project = await send('POST', '/api/projects', { name: 'Roof' })
    const task = await send('POST', '/api/tasks', { title: 'Tiles' })
    await send('PATCH', `/api/tasks/${task.id}`, { projectId: project.id, memberIds: [colleague] })
    const answer = await call({ path: `/api/tasks/${task.id}/activity`, key })
    expect(answer.body.items[0].links).toEqual(
      expect.arrayContaining([link('PROJECT', project.id, 'Roof'), link('EMPLOYEE', colleague, name)]),
    )
  })

  it('quotes the first lines of what was written: the result of a call, an email, a note, a reason', async () => {
    const leadId = await createLead(api)
    const links = [{ entityType: 'LEAD', entityId: leadId }]
    const quotes = async (kind: string) =>
      (await timeline(`${of('LEAD', leadId)}&kind=${kind}`)).map(({ quote }) => quote)
    await send('POST', '/api/activities', {
      type: 'CALL',
      subject: 'Price',
      outcome: 'They buy',
      body: 'Ten of them',
      links,
    })
    expect(await quotes('CALL_LOGGED')).toEqual(['They buy\nTen of them'])
    await send('POST', '/api/emails', { to: ['a@b.example'], subject: 'Offer', message: '\n1\n2\n3\n4\n5', links })
    expect(await quotes('EMAIL_SENT')).toEqual(['1\n2\n3\n4 …'])
    await send('POST', '/api/activities', { type: 'NOTE', body: 'x'.repeat(5_000), links })
    expect((await quotes('NOTE_ADDED'))[0]).toHaveLength(200)
    await send('POST', '/api/crm/comments', { ...links[0], body: 'A word' })
    expect(await quotes('COMMENT_ADDED')).toEqual(['A word'])
    await send('POST', '/api/activities', { type: 'CALL', links })
    const [call] = await timeline(`${of('LEAD', leadId)}&kind=CALL_LOGGED`)
    expect(call).toMatchObject({ quote: null, links: [{ entityType: 'ACTIVITY', title: null }] })
  })

  it('names a file as long as it is there', async () => {
    const dealId = await createDeal(api)
    const file = await uploadFile(api, { name: 'plan.txt', metadata: { dealId } })
    expect((await timeline(of('DEAL', dealId)))[0]).toMatchObject({
      kind: 'FILE_ADDED',
      data: { name: 'plan.txt' },
      links: [link('FILE', file.id, 'plan.txt')],
    })
    await call({ method: 'DELETE', path: `/api/files/${file.id}`, key })
    const [removed, added] = await timeline(of('DEAL', dealId))
    expect([removed, added]).toMatchObject([
      { kind: 'FILE_REMOVED', data: { name: 'plan.txt' }, links: [] },
      { kind: 'FILE_ADDED', links: [] },
    ])
  })

  it('is told alike by the timeline and by the feed', async () => {
    const companyId = await createCompany(api)
    await send('POST', '/api/activities', {
      type: 'CALL',
      outcome: 'Later',
      links: [{ entityType: 'COMPANY', entityId: companyId }],
    })
    const [told] = await feed(`${of('COMPANY', companyId)}&kinds=CALL_LOGGED`)
    const [kept] = await timeline(`${of('COMPANY', companyId)}&kind=CALL_LOGGED`)
    expect(told).toMatchObject({ ...kept })
  })
})

describe('what the reader may not see', () => {
  it('has no link, no title and no quote: a conversion, a merge, a reference, a task, a file, a call', async () => {
    const theirs = await personWith(['VIEW_LEAD', 'VIEW_DEAL', 'VIEW_CONTACT'], ['CONTACT'])
    const leadId = await createLead(api, { firstName: 'Open', companyName: 'Hidden Inc' })
    const { dealId } = await send('POST', `/api/leads/${leadId}/convert`, {
      contact: { fields: { lastName: 'Secret' }, mode: 'CREATE' },
      deal: { mode: 'CREATE', name: 'Deal' },
    })
    const links = [{ entityType: 'DEAL', entityId: dealId }]
    await send('PATCH', `/api/deals/${dealId}`, { contactId: await createContact(api, { lastName: 'Secret two' }) })
    await send('POST', '/api/tasks', { title: 'Secret task', links })
    await send('POST', '/api/activities', { type: 'CALL', subject: 'Secret call', outcome: 'Secret result', links })
    await uploadFile(api, { name: 'open-name.txt', metadata: { dealId } })
    for (const read of [timeline, feed]) {
      const lead = await read(of('LEAD', leadId), theirs)
      expect(lead.find(({ kind }) => kind === 'CONVERTED')?.links.map(({ entityType }) => entityType)).toEqual(
        expect.not.arrayContaining(['CONTACT', 'COMPANY']),
      )
      const deal = await read(of('DEAL', dealId), theirs)
      expect(deal.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['CALL_LOGGED', 'TASK_ADDED', 'FILE_ADDED']))
      const named = JSON.stringify(deal.map(({ title, links: shown, quote, text }) => [title, shown, quote, text]))
      expect(named).not.toMatch(/Secret|Hidden/)
      expect(deal.find(({ kind }) => kind === 'FILE_ADDED')?.links).toEqual([])
    }
    const owned = await personWith(['VIEW_LEAD'], ['LEAD'])
    expect(await call({ path: `/api/crm/timeline?${of('LEAD', leadId)}`, key: owned })).toMatchObject({ status: 404 })
  })

  it('is also a record that was merged into one that they see', async () => {
    const reader = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const { key: theirs } = await workspace.apiKey({ ownerId: reader.id })
    const kept = await createLead(api, { firstName: 'Mine', ownerId: reader.id })
    const gone = await createLead(api, { firstName: 'Foreign' })
    await send('POST', `/api/leads/${kept}/merge`, { sourceIds: [gone] })
    const [merged] = await feed(`leadId=${kept}&kinds=MERGED`, theirs)
    expect(merged).toMatchObject({ links: [], text: 'Ada Admin merged another lead into the lead Mine Sample.' })
  })
})
