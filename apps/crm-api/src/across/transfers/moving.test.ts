import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../test/harness.ts'
import { exportsOfPrograms } from '../../../test/exports-of-programs.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await apiUnderTest()
const jobs = await jobsUnderTest(api)
const { call, newWorkspace } = api
const moving = movingInto(api, jobs)

type Workspace = typeof api.workspace

const csv = (name: string, ...lines: readonly string[]) => ({ name, content: `${lines.join('\n')}\n` })

async function list(workspace: Workspace, path: string): Promise<CallAnswer['body'][]> {
  const { key } = await workspace.apiKey()
  return (await call({ path: `${path}${path.includes('?') ? '&' : '?'}pageSize=100`, key }, workspace)).body.items
}

describe('a file of contacts', () => {
  it('is planned, tried, imported and taken back', async () => {
    const workspace = await newWorkspace()
    const file = csv(
      'contacts.csv',
      'Vorname,Nachname,E-Mail,Unfug',
      'Ada,Lovelace,ada@example.com,x',
      'Grace,Hopper,no mail,y',
    )
    const brought = await moving.bring(workspace, [file])
    expect(brought).toMatchObject({ state: 'ANALYSED', plan: { files: [{ kind: 'CONTACT', rows: 2 }] } })
    expect(brought.plan.files[0].columns).toMatchObject([
      { header: 'Vorname', field: 'firstName', samples: ['Ada', 'Grace'] },
      { field: 'lastName' },
      { field: 'email' },
      { field: null },
    ])
    const tried = await moving.go(workspace, brought.id, 'check')
    expect(tried).toMatchObject({ state: 'CHECKED', result: { phase: 'CHECK', created: 2, failed: 0 } })
    expect(tried.result.files[0].problems).toMatchObject([
      { line: 3, header: 'E-Mail', field: 'email', code: 'NO_EMAIL', values: { text: 'no mail' }, isRow: false },
    ])
    expect(await list(workspace, '/api/contacts')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done).toMatchObject({ state: 'DONE', result: { phase: 'IMPORT', created: 2 } })
    expect(await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=desc')).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      { firstName: 'Grace', email: null },
    ])
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 2 })
    expect(await list(workspace, '/api/contacts')).toEqual([])
  })
})

/** Returns the field of each column, by its title. */
function fieldsOf(brought: CallAnswer['body'], at = 0): Record<string, string | null> {
  const { columns } = brought.plan.files[at] as { columns: { header: string; field: string | null }[] }
  return Object.fromEntries(columns.map(({ header, field }) => [header, field]))
}

async function stageNames(workspace: Workspace): Promise<Map<string, string>> {
  const { key } = await workspace.apiKey()
  const { items } = (await call({ path: '/api/pipelines?entityType=DEAL', key }, workspace)).body
  return new Map(items[0].stages.map(({ id, name }: { id: string; name: string }) => [id, name]))
}

describe('a file of deals', () => {
  it('is linked to its company, owner and stage, with amounts and days as they are meant', async () => {
    const workspace = await newWorkspace()
    const seller = await workspace.employee()
    const stages = await stageNames(workspace)
    const [, second = ''] = stages.values()
    const file = csv(
      'deals.csv',
      'Deal Name,Amount,Company,Owner,Stage,Close date',
      `Fleet,"12,500.00",Acme GmbH,${seller.email},${second.toUpperCase()},03/04/2026`,
      `Boats,1,Acme GmbH,Sam Left,Nowhere,29/04/2026`,
    )
    const brought = await moving.bring(workspace, [file])
    expect(brought.plan).toMatchObject({
      owners: expect.arrayContaining([
        { text: 'Sam Left', rows: 1, employeeId: null },
        { text: seller.email, rows: 1, employeeId: seller.id },
      ]),
      files: [{ kind: 'DEAL', order: 'DAY_FIRST', decimal: 'POINT' }],
    })
    expect(await moving.go(workspace, brought.id, 'check')).toMatchObject({
      result: { created: 2, failed: 0, made: { COMPANY: 1 } },
    })
    expect(await list(workspace, '/api/companies')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done).toMatchObject({ state: 'DONE', result: { created: 2, made: { COMPANY: 1 } } })
    const [company] = await list(workspace, '/api/companies')
    const [boats, fleet] = await list(workspace, '/api/deals?sortBy=name&sortOrder=asc')
    expect(fleet).toMatchObject({
      name: 'Fleet',
      amount: '12500.00',
      companyId: company.id,
      ownerId: seller.id,
      expectedCloseDate: '2026-04-03',
    })
    expect(stages.get(fleet.stageId)).toBe(second)
    expect(boats).toMatchObject({
      companyId: company.id,
      ownerId: workspace.adminUserId,
      description: 'Owner: Sam Left',
    })
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 3 })
    expect(await list(workspace, '/api/companies')).toEqual([])
  })
})

describe('numbers of phones', () => {
  it.each([
    ['+49 30 123456', null],
    ['030 123456', 'DE'],
  ])('are matched as they are stored: %s', async (cell, defaultCountry) => {
    const workspace = await newWorkspace()
    const { key } = await workspace.apiKey()
    await call(
      { method: 'POST', path: '/api/contacts', key, body: { lastName: 'Ada', phone: '+4930123456' } },
      workspace,
    )
    const brought = await moving.bring(workspace, [csv('contacts.csv', 'Last Name,Phone', `Lovelace,${cell}`)])
    await moving.change(workspace, brought.id, { matchBy: 'phone', defaultCountry })
    expect(await moving.go(workspace, brought.id, 'start')).toMatchObject({
      result: { created: 0, skipped: 1, failed: 0 },
    })
  })
})

describe('products', () => {
  it('come in but for the one that the database refuses, which is named', async () => {
    const workspace = await newWorkspace()
    const file = csv('products.csv', 'Name,SKU', 'One,GOOD-1', 'Two,İZ-9', 'Three,iz-9', 'Four,GOOD-2')
    const brought = await moving.bring(workspace, [file])
    expect(fieldsOf(brought)).toEqual({ Name: 'name', SKU: 'sku' })
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result).toMatchObject({ created: 3, failed: 1 })
    expect(done.result.files[0].problems).toMatchObject([
      { line: 4, code: 'NUMBER_TAKEN', values: { text: 'iz-9' }, isRow: true },
    ])
  })
})

describe('the exports of a program', () => {
  const deals = 8
  const programs = ['HUBSPOT', 'PIPEDRIVE', 'SALESFORCE', 'ZOHO', 'ESPOCRM'].map((source, at) => [source, at] as const)

  it.each(programs)('of %s come in with their links, and a second time change nothing', async (_, at) => {
    const workspace = await newWorkspace()
    const seller = await workspace.employee()
    const { key } = await workspace.apiKey()
    const who = (await call({ path: `/api/employees/${seller.id}`, key }, workspace)).body.data
    const { source, files } = exportsOfPrograms(deals, { name: who.name ?? seller.email, email: seller.email })[at] ?? {
      source: '',
      files: [],
    }
    const brought = await moving.bring(workspace, files, { source })
    expect(brought.plan.files.map(({ kind }: { kind: string }) => kind)).toEqual(['DEAL', 'CONTACT', 'COMPANY'])
    const tried = await moving.go(workspace, brought.id, 'check')
    expect(tried.result).toMatchObject({ created: deals + 4, failed: 0, made: {} })
    expect(await list(workspace, '/api/deals')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done.result, JSON.stringify(done.result.files)).toMatchObject({ created: deals + 4, failed: 0, made: {} })
    const made = await list(workspace, '/api/deals')
    expect(made).toHaveLength(deals)
    const [companies, contacts] = [await list(workspace, '/api/companies'), await list(workspace, '/api/contacts')]
    for (const deal of made) {
      expect(companies.map(({ id }) => id)).toContain(deal.companyId)
      expect(contacts.map(({ id }) => id)).toContain(deal.contactId)
      expect(deal.ownerId).toBe(seller.id)
      expect(deal.expectedCloseDate ?? '2026-03').toMatch(/^2026-03/)
    }
    expect(made.filter(({ status }) => status === 'WON')).toHaveLength(3)
    for (const contact of contacts) expect(companies.map(({ id }) => id)).toContain(contact.companyId)
    expect((await moving.go(workspace, brought.id, 'start')).result).toMatchObject({ created: 0, failed: 0 })
    const again = await moving.bring(workspace, files, { source })
    expect((await moving.go(workspace, again.id, 'start')).result).toMatchObject({ created: 0, updated: 0, failed: 0 })
  })
})
