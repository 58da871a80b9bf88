import { duplicateGroupMax } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

const api = await apiUnderTest()
const { call, key } = api

describe.each([
  { path: '/api/leads', many: 'leads', by: 'company', record: { lastName: 'One of many', companyName: 'Crowd' } },
  { path: '/api/contacts', many: 'contacts', by: 'name', record: { lastName: 'Crowd' } },
  { path: '/api/companies', many: 'companies', by: 'name', record: { name: 'Crowd' } },
])('a group of more $many than are shown', async ({ path, many, by, record }) => {
  const made: string[] = []
  for (let n = 0; n < duplicateGroupMax + 3; n++)
    made.push((await call({ method: 'POST', path, key, body: record })).body.data.id)
  const groups = async (query = '') => (await call({ path: `${path}/duplicates?by=${by}${query}`, key })).body

  it('is counted in full and shown by its oldest', async () => {
    const { total, items } = await groups()
    expect({ total, items }).toMatchObject({ total: 1, items: [{ by, value: 'crowd', count: made.length }] })
    expect(items[0][many].map(({ id }: { id: string }) => id)).toEqual(made.slice(0, duplicateGroupMax))
  })

  it('keeps its count behind the last page', async () => {
    expect(await groups('&page=2&pageSize=1')).toMatchObject({ total: 1, items: [] })
  })
})
