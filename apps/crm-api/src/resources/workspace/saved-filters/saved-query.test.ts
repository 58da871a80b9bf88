import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api

const save = async (body: Record<string, unknown>, as = key): Promise<string> => {
  const { status, body: answer } = await call({
    method: 'POST',
    path: '/api/saved-filters',
    key: as,
    body: { name: 'Saved', entityType: 'LEAD', ...body },
  })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data.id as string
}

await createLead(api, { lastName: 'Berg', temperature: 'HOT' })
await createLead(api, { lastName: 'Arden', temperature: 'HOT' })
await createLead(api, { lastName: 'Cole', temperature: 'COLD' })
const hot = await save({ query: { temperature: 'HOT' }, sortBy: 'lastName', sortOrder: 'asc' })
const names = async (query: string, as = key): Promise<string[]> =>
  (await call({ path: `/api/leads?${query}`, key: as })).body.items.map(
    ({ lastName }: { lastName: string }) => lastName,
  )

describe('savedFilterId on a list', () => {
  it('adds the saved filters and order', async () => {
    expect(await names(`savedFilterId=${hot}`)).toEqual(['Arden', 'Berg'])
  })

  it('goes behind what is sent', async () => {
    expect(await names(`savedFilterId=${hot}&temperature=COLD`)).toEqual(['Cole'])
    expect(await names(`savedFilterId=${hot}&sortOrder=desc`)).toEqual(['Berg', 'Arden'])
  })

  it('never shows more than the caller may see', async () => {
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const { key: theirs } = await workspace.apiKey({ ownerId })
    const shared = await save({
      query: { temperature: 'HOT', ownerId: workspace.adminUserId },
      visibility: 'WORKSPACE',
    })
    expect(await names(`savedFilterId=${shared}`, theirs)).toEqual([])
  })

  it.each([
    ['an unknown one', async () => unknownId],
    ['one of another list', () => save({ entityType: 'CONTACT' })],
    [
      "somebody else's own",
      async () => {
        const { id: ownerId } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'] } })
        return save({}, (await workspace.apiKey({ ownerId })).key)
      },
    ],
  ])('refuses %s', async (_what, make) => {
    expect(await call({ path: `/api/leads?savedFilterId=${await make()}`, key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'savedFilterId' } },
    })
  })

  it('refuses what is no id', async () => {
    expect(await call({ path: '/api/leads?savedFilterId=mine', key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ID' },
    })
  })

  it('knows custom fields, works without one that is gone, and tells it', async () => {
    const cookie = await workspace.session()
    const made = await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie,
      body: { entityType: 'LEAD', key: 'colour', label: 'Colour', type: 'TEXT' },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await createLead(api, { lastName: 'Dale', customFields: { colour: 'red' } })
    const red = await save({ query: { cf_colour: 'red' } })
    expect(await names(`savedFilterId=${red}`)).toEqual(['Dale'])
    const conditions = {
      or: [
        { field: 'cf_colour', op: 'is', value: 'red' },
        { field: 'lastName', op: 'is', value: 'Dale' },
      ],
    }
    const filtered = await save({
      query: { filter: JSON.stringify(conditions) },
      sortBy: 'cf_colour',
      sortOrder: 'asc',
    })
    const all = await names('')
    await call({ method: 'DELETE', path: `/api/settings/custom-fields/${made.body.data.id}?retire=true`, cookie })
    const answer = await call({ path: `/api/leads?savedFilterId=${red}`, key })
    expect([answer.status, answer.body.total]).toEqual([200, all.length])
    expect(answer.headers['x-ignored-params']).toBe('cf_colour')
    expect(await names(`savedFilterId=${filtered}`)).toEqual(['Dale'])
    expect((await call({ path: `/api/saved-filters/${filtered}`, key })).body.data).toMatchObject({
      query: { filter: JSON.stringify({ or: [conditions.or[1]] }) },
      sortBy: null,
      goneFields: ['cf_colour'],
    })
  })
})
