import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const { call, key, workspace, clock } = await apiUnderTest()
const described = async (query = '', credential = key) => {
  const answer = await call({ path: `/api/me/workspace${query}`, key: credential })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}
const cookie = await workspace.session()
const post = (path: string, body: object) => call({ method: 'POST', path, cookie, body })

describe('GET /api/me/workspace', () => {
  it('tells the time of the workspace, and who asks', async () => {
    expect(await described('?sections=')).toEqual({
      now: clock.now().toISOString(),
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      zone: expect.any(String),
      weekStart: 'MONDAY',
      currency: 'EUR',
      me: { id: workspace.adminUserId, name: 'Ada Admin', email: expect.any(String) },
    })
  })

  it('tells of each kind the rights, stages, statuses, custom fields and what summaries can be asked', async () => {
    await post('/api/settings/custom-fields', {
      entityType: 'DEAL',
      key: 'size',
      label: 'Size',
      type: 'SELECT',
      options: [{ value: 'L', label: 'Large' }],
    })
    const { kinds, everySummary } = await described('?sections=kinds')
    expect(everySummary).toEqual({
      dimensions: expect.arrayContaining(['createdAt', 'ownerId', 'tags']),
      measures: ['count', 'min:<date>', 'max:<date>'],
    })
    expect(kinds.DEAL).toMatchObject({
      rights: ['VIEW', 'CREATE', 'UPDATE', 'DELETE'],
      level: 'ALL',
      pipelines: [
        { id: expect.any(String), stages: expect.arrayContaining([{ id: expect.any(String), name: 'Won' }]) },
      ],
      statuses: ['OPEN', 'WON', 'LOST'],
      customFields: [{ key: 'size', label: 'Size', type: 'SELECT', options: ['L'] }],
      dimensions: expect.arrayContaining(['stageId', 'closedAt']),
      measures: expect.arrayContaining(['amount', 'weighted:amount']),
    })
    expect(kinds.QUOTE.statuses).toMatchObject({ DRAFT: { send: 'SENT' }, SENT: { accept: 'ACCEPTED' }, CONVERTED: {} })
    expect(kinds.INVOICE.statuses.ISSUED).toMatchObject({ void: 'VOID', recordPayment: null })
    expect(kinds.DEAL.dimensions).not.toContain('ownerId')
    expect(kinds.TASK).not.toHaveProperty('pipelines')
  })

  it('tells nothing of what the caller may not see', async () => {
    const access = [{ entityType: 'DEAL', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }] as const
    const { id } = await workspace.employee({
      grant: { permissions: ['VIEW_DEAL', 'UPDATE_DEAL', 'VIEW_LEAD'], access: [...access] },
    })
    const theirs = await workspace.apiKey({ ownerId: id, scopes: ['VIEW_DEAL', 'UPDATE_DEAL'] })
    const body = await described('', theirs.key)
    expect(body.kinds).toEqual({
      DEAL: expect.objectContaining({ rights: ['VIEW', 'UPDATE'], level: { VIEW: 'OWN', UPDATE: 'NONE' } }),
    })
    expect(body).not.toHaveProperty('colleagues')
    const none = await workspace.apiKey({ ownerId: id, scopes: [] })
    expect((await described('', none.key)).kinds).toEqual({})
  })

  it('tells of types of one’s own, saved filters and colleagues', async () => {
    const vehicle = {
      key: 'vehicle',
      labels: { singular: 'Vehicle', plural: 'Vehicles' },
      fields: [{ key: 'seats', label: 'Seats', type: 'NUMBER' }],
    }
    await post('/api/settings/custom-entities', vehicle)
    const saved = { name: 'Mine', entityType: 'DEAL', query: { status: 'OPEN' } }
    expect(await post('/api/saved-filters', saved)).toMatchObject({ status: 201 })
    const { id } = await workspace.employee()
    const { body } = await call({ path: '/api/me/workspace', cookie })
    expect(body.customEntities).toEqual([{ key: 'vehicle', singular: 'Vehicle', plural: 'Vehicles' }])
    expect(body.kinds.VEHICLE.customFields).toEqual([{ key: 'seats', label: 'Seats', type: 'NUMBER' }])
    expect(body.savedFilters).toEqual([{ id: expect.any(String), name: 'Mine', entityType: 'DEAL' }])
    expect(body.colleagues).toEqual(expect.arrayContaining([{ id, name: expect.any(String) }]))
  })

  it('leaves out kinds whose module is switched off', async () => {
    const sales = (enabled: boolean) =>
      call({ method: 'PATCH', path: '/api/settings/modules/SALES', cookie, body: { enabled } })
    await sales(false)
    const { kinds } = await described('?sections=kinds')
    await sales(true)
    expect(Object.keys(kinds)).toContain('TASK')
    expect(Object.keys(kinds)).not.toContain('DEAL')
  })

  it('ignores an unknown parameter', async () => {
    expect(await call({ path: '/api/me/workspace?section=kinds', key })).toMatchObject({ status: 200 })
  })

  it.each(['?sections=kinds,keys', '?sections=colleague'])('refuses %s', async (query) => {
    expect(await call({ path: `/api/me/workspace${query}`, key })).toMatchObject({ status: 400 })
  })
})
