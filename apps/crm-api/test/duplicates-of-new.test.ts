import { likelyDuplicatesMax } from '@crm/contract'
import { newId, schema, systemScope } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { alikeStatement } from '../src/records/owned/duplicates.ts'
import { companyKind } from '../src/kinds/companies.ts'
import { contactKind } from '../src/kinds/contacts.ts'
import { leadKind } from '../src/kinds/leads.ts'
import { companyDuplicates } from '../src/resources/sales/companies/companies.likenesses.ts'
import { contactDuplicates } from '../src/resources/sales/contacts/contacts.likenesses.ts'
import { leadDuplicates } from '../src/resources/sales/leads/leads.likenesses.ts'
import { apiUnderTest } from './harness.ts'
import { createCompany, createContact, createLead } from './samples.ts'

const api = await apiUnderTest()
const { call, db, key, workspace } = api

async function likely(path: string, body: object, credential = key) {
  const { status, body: answer } = await call({ method: 'POST', path: `${path}/duplicates`, key: credential, body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.items
}

const email = 'rita@newcomer.example'
const phone = '+4915112345678'
const rita = { firstName: 'Rita', lastName: 'Néwcomer', email, phone }
const lead = await createLead(api, { ...rita, companyName: 'Newcomer Bakery' })
await db.update(schema.leads).set({ score: 7 }).where(eq(schema.leads.id, lead))
const contact = await createContact(api, {
  ...rita,
  emails: ['second@newcomer.example'],
  phones: ['+4915187654321'],
})
const company = await createCompany(api, { name: 'Newcomer Bakery', domain: 'newcomer.example', email, phone })

describe('what is typed for a new lead', () => {
  const find = (signs: object) => likely('/api/leads', signs)

  it.each([
    [{ email: ' RITA@Newcomer.example ' }, 60, ['email']],
    [{ phone: '+49 151 12345678' }, 50, ['phone']],
    [{ firstName: 'rita', lastName: 'newcomer' }, 30, ['name']],
    [{ email, companyName: 'NEWCOMER BAKERY' }, 75, ['email', 'company']],
    [{ ...rita, companyName: 'Newcomer Bakery' }, 100, ['email', 'phone', 'name', 'company']],
  ])('finds the lead that %j tells of', async (signs, score, matchedOn) => {
    expect(await find(signs)).toMatchObject([{ lead: { id: lead, score: 7 }, score, matchedOn }])
  })

  it('hints at a contact with the address or the number', async () => {
    const hints = async (body: object, as = key) =>
      (await call({ method: 'POST', path: '/api/leads/duplicates', key: as, body })).body.contacts
    const name = 'Rita Néwcomer'
    expect(await hints({ email: 'SECOND@newcomer.example' })).toEqual([{ id: contact, name, matchedOn: 'email' }])
    expect(await hints({ phone })).toEqual([{ id: contact, name, matchedOn: 'phone' }])
    expect(await hints({ email: 'nobody@newcomer.example' })).toEqual([])
    const { body } = await call({ path: `/api/leads/${lead}/duplicates`, key })
    expect(body.contacts).toEqual([{ id: contact, name, matchedOn: 'email' }])
  })

  it('finds nothing by the company alone, which may have many leads', async () => {
    expect(await find({ companyName: 'Newcomer Bakery' })).toEqual([])
  })
})

describe('what is typed for a new contact', () => {
  const find = (signs: object) => likely('/api/contacts', signs)

  it.each([
    [{ email }, ['email']],
    [{ email: 'SECOND@newcomer.example' }, ['email']],
    [{ phone: '+49 151 87654321' }, ['phone']],
    [{ lastName: 'Newcomer', firstName: 'Rita' }, ['name']],
  ])('finds the contact that %j tells of', async (signs, matchedOn) => {
    expect(await find(signs)).toMatchObject([{ contact: { id: contact }, matchedOn }])
  })
})

describe('what is typed for a new company', () => {
  const find = (signs: object) => likely('/api/companies', signs)

  it.each([
    [{ domain: 'https://www.Newcomer.example/about' }, ['domain']],
    [{ name: ' newcomer BAKERY ' }, ['name']],
    [{ email }, ['email']],
    [{ phone: '+49 151 12345678' }, ['phone']],
  ])('finds the company that %j tells of', async (signs, matchedOn) => {
    expect(await find(signs)).toMatchObject([{ company: { id: company }, matchedOn }])
  })
})

describe.each([
  { path: '/api/leads', key: 'lead', known: { lastName: 'Newcomer', firstName: 'Rita' } },
  { path: '/api/contacts', key: 'contact', known: { lastName: 'Newcomer', firstName: 'Rita' } },
  { path: '/api/companies', key: 'company', known: { name: 'Newcomer Bakery' } },
])('a new $key', ({ path, key: noun, known }) => {
  it('is compared with nothing until a value is complete', async () => {
    const halves = [
      {},
      { email: 'rita@newcomer' },
      { email: 'rita' },
      { email: '' },
      { email: null, phone: null },
      { phone: '+49 151' },
      { phone: '0151 12345678' },
      noun === 'company' ? { name: 'Newcomer' } : { firstName: 'Rita' },
      noun === 'company' ? { domain: 'newcomer' } : { lastName: 'Newcome' },
      noun === 'company' ? { name: ' ' } : { lastName: '%' },
    ]
    for (const half of halves) expect(await likely(path, half), JSON.stringify(half)).toEqual([])
  })

  it('is found only among the records that the caller sees', async () => {
    const entityType = noun.toUpperCase()
    const credential = async (permissions: readonly string[], VIEW: 'OWN' | 'ALL') => {
      const { id: ownerId } = await workspace.employee({
        grant: { permissions, access: [{ entityType, VIEW, UPDATE: 'OWN', DELETE: 'OWN' }] },
      })
      return (await workspace.apiKey({ ownerId })).key
    }
    expect(await likely(path, known, await credential([`VIEW_${entityType}`], 'OWN'))).toEqual([])
    expect(await likely(path, known, await credential([`VIEW_${entityType}`], 'ALL'))).toHaveLength(1)
    const blind = await credential([`CREATE_${entityType}`], 'ALL')
    expect(await call({ method: 'POST', path: `${path}/duplicates`, key: blind, body: known })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect((await call({ method: 'POST', path: `${path}/duplicates`, body: known })).status).toBe(401)
  })

  it.each([
    ['an unknown field', { website: 'https://newcomer.example' }],
    ['a value that is no text', { email: 7 }],
    ['a value that is too long', { email: 'a'.repeat(256) }],
    ['no object', []],
  ])('is refused with %s', async (_name, body) => {
    expect(await call({ method: 'POST', path: `${path}/duplicates`, key, body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
  })

  it('is not found among deleted records', async () => {
    const gone = noun === 'company' ? { name: 'Gone Bakery' } : { firstName: 'Gone', lastName: 'Bakery' }
    const { id } = (await call({ method: 'POST', path, key, body: gone })).body.data
    expect(await likely(path, gone)).toMatchObject([{ [noun]: { id } }])
    await call({ method: 'DELETE', path: `${path}/${id}`, key })
    expect(await likely(path, gone)).toEqual([])
  })

  it('creates nothing, and answers only the likeliest of many', async () => {
    const crowd = noun === 'company' ? { name: 'Crowd' } : { firstName: 'One', lastName: 'Crowd' }
    for (let n = 0; n <= likelyDuplicatesMax; n++) await call({ method: 'POST', path, key, body: crowd })
    const likeliest = (
      await call({ method: 'POST', path, key, body: { ...crowd, email: `likeliest@${noun}.example` } })
    ).body.data.id as string
    const total = async () => (await call({ path, key })).body.total
    const before = await total()
    const found = await likely(path, { ...crowd, email: `likeliest@${noun}.example` })
    expect([found.length, found[0][noun].id]).toEqual([likelyDuplicatesMax, likeliest])
    expect(await total()).toBe(before)
  })
})

describe('among many records', async () => {
  const { workspaceId, adminUserId } = workspace
  const [first] = await db.select().from(schema.leads).where(eq(schema.leads.id, lead))
  const made = sql`${adminUserId}, ${adminUserId}, now(), now() FROM generate_series(1, 5000) n`
  await db.execute(sql`
    INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone, status, score, pipeline_id, stage_id, owner_id, created_by_id, created_at, updated_at)
    SELECT ${workspaceId}, gen_random_uuid(), 'Many', md5(n::text), md5(n::text) || '@many.example', '+49301' || n + 1000000, 'NEW', 0, ${first?.pipelineId}, ${first?.stageId}, ${made}`)
  await db.execute(sql`
    INSERT INTO contacts (workspace_id, id, first_name, last_name, email, phone, owner_id, created_by_id, created_at, updated_at)
    SELECT ${workspaceId}, gen_random_uuid(), 'Many', md5(n::text), md5(n::text) || '@many.example', '+49301' || n + 1000000, ${made}`)
  await db.execute(sql`
    INSERT INTO companies (workspace_id, id, name, domain, email, phone, owner_id, created_by_id, created_at, updated_at)
    SELECT ${workspaceId}, gen_random_uuid(), md5(n::text), md5(n::text) || '.example', md5(n::text) || '@many.example', '+49301' || n + 1000000, ${made}`)
  await db.execute(sql`VACUUM ANALYZE leads, contacts, companies`)
  const scope = systemScope(workspaceId)
  const limits = { weightMin: 30, limit: likelyDuplicatesMax }
  const named = { ...rita, lastName: 'Newcomer' }

  it.each([
    {
      kind: 'leads',
      statement: alikeStatement(leadKind, leadDuplicates.likenesses, scope, {
        signs: leadDuplicates.signsOf({ ...named, companyName: 'Newcomer Bakery' }),
        ...limits,
      }),
      indexes: ['leads_by_email', 'leads_by_phone', 'leads_search'],
    },
    {
      kind: 'contacts',
      statement: alikeStatement(contactKind, contactDuplicates.likenesses, scope, {
        signs: contactDuplicates.signsOf(named),
        except: newId(),
        ...limits,
      }),
      indexes: ['contacts_by_email', 'contacts_by_phone', 'contacts_search'],
    },
    {
      kind: 'companies',
      statement: alikeStatement(companyKind, companyDuplicates.likenesses, scope, {
        signs: companyDuplicates.signsOf({ name: 'Newcomer Bakery', domain: 'newcomer.example', email, phone }),
        ...limits,
      }),
      indexes: ['companies_by_domain', 'companies_search'],
    },
  ])('looks every value of the $kind up in an index', async ({ kind, statement, indexes }) => {
    const { rows } = await db.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement ?? sql``}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const index of indexes) expect(plan).toContain(index)
    expect(plan).toContain('BitmapOr')
    expect(plan).not.toContain(`Seq Scan on ${kind}`)
  })
})
