import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const api = await apiUnderTest()
const { call, workspace, key } = api
const create = async (path: string, body: object) => (await call({ method: 'POST', path, key, body })).body.data
const find = async (q: string, as = key) => (await call({ path: `/api/search?q=${q}`, key: as })).body.results

const company = await create('/api/companies', { name: 'Kauri Mill', domain: 'kauri.example' })

it('tells results of one name apart, by company, address, stage and amount', async () => {
  const contact = await create('/api/contacts', {
    lastName: 'Rimuson',
    email: 'rimuson@kauri.example',
    companyId: company.id,
  })
  const deal = await create('/api/deals', { name: 'Rimu', amount: '1200', currency: 'EUR', companyId: company.id })
  const results = await find('rimu')
  expect(results).toContainEqual(
    expect.objectContaining({
      id: `contact:${contact.id}`,
      context: { company: 'Kauri Mill', email: 'rimuson@kauri.example' },
    }),
  )
  expect(results).toContainEqual(
    expect.objectContaining({
      id: `deal:${deal.id}`,
      context: { company: 'Kauri Mill', status: 'OPEN', stageId: deal.stageId, amount: '1200.00', currency: 'EUR' },
    }),
  )
})

it('says that a lead was converted', async () => {
  const lead = await create('/api/leads', { lastName: 'Totarason', companyName: 'Totara Ltd' })
  await call({ method: 'POST', path: `/api/leads/${lead.id}/convert`, key, body: {} })
  const results: readonly { type: string; context: object }[] = await find('totarason')
  expect(results.find(({ type }) => type === 'lead')?.context).toMatchObject({
    company: 'Totara Ltd',
    status: 'CONVERTED',
  })
})

it('names no company to whoever may not see it', async () => {
  const { key: blind } = await workspace.apiKey({ scopes: ['VIEW_CONTACT'] })
  await create('/api/contacts', { lastName: 'Matai', companyId: company.id })
  expect(await find('matai', blind)).toMatchObject([{ context: {} }])
  expect((await find('matai', blind))[0].context).not.toHaveProperty('company')
})
