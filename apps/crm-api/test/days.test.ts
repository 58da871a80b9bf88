import { createTestWorkspace } from '@crm/testkit'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

const { call, db } = await apiUnderTest()

it('days of filters are those of the workspace, in lists, for custom fields and in bulk changes', async () => {
  const workspace = await createTestWorkspace(db, { timezone: 'America/New_York' })
  const cookie = await workspace.session()
  const ask = (path: string) => call({ path, cookie }, workspace)
  for (const [key, type] of [
    ['met', 'DATETIME'],
    ['signed', 'DATE'],
  ]) {
    await call(
      {
        method: 'POST',
        path: '/api/settings/custom-fields',
        cookie,
        body: { entityType: 'LEAD', key, label: key, type },
      },
      workspace,
    )
  }
  // The evening of 1 June in New York is 2 June in UTC.
  const evening = '2026-06-02T02:00:00.000Z'
  const { body } = await call(
    {
      method: 'POST',
      path: '/api/leads',
      cookie,
      body: { companyName: 'Evening', customFields: { met: evening, signed: '2026-06-01' } },
    },
    workspace,
  )
  await db.update(schema.leads).set({ createdAt: evening }).where(eq(schema.leads.id, body.data.id))
  const total = async (query: string) => (await ask(`/api/leads?${query}`)).body.total
  for (const [from, to] of [
    ['createdFrom', 'createdTo'],
    ['cf_metFrom', 'cf_metTo'],
    ['cf_signedFrom', 'cf_signedTo'],
  ]) {
    expect(await total(`${from}=2026-06-01&${to}=2026-06-01`), from).toBe(1)
    expect(await total(`${from}=2026-06-02`), from).toBe(0)
    expect(await total(`${to}=2026-05-31`), to).toBe(0)
  }
  const change = (filter: object) =>
    call({ method: 'PATCH', path: '/api/leads', cookie, body: { filter, addTags: ['x'], dryRun: true } }, workspace)
  expect(await change({ createdFrom: '2026-06-01', createdTo: '2026-06-01' })).toMatchObject({
    status: 200,
    body: { data: { matched: 1 } },
  })
  expect(await change({ createdFrom: '2026-06-02' })).toMatchObject({ status: 200, body: { data: { matched: 0 } } })
  expect(await change({ cf_metTo: '2026-06-01' })).toMatchObject({ status: 200, body: { data: { matched: 1 } } })
})

it('days of filters are those of the zone that a request names, in lists, summaries and bulk changes alike', async () => {
  const workspace = await createTestWorkspace(db, { timezone: 'America/New_York' })
  const cookie = await workspace.session()
  const send = async (path: string, method: 'GET' | 'POST' | 'PATCH' = 'GET', body?: object) =>
    (await call({ method, path, cookie, body }, workspace)).body
  await send('/api/settings/custom-fields', 'POST', {
    entityType: 'LEAD',
    key: 'met',
    label: 'Met',
    type: 'DATETIME',
  })
  // The evening of 1 June in New York is 2 June in Auckland.
  const evening = '2026-06-02T02:00:00.000Z'
  const { data: lead } = await send('/api/leads', 'POST', { companyName: 'Evening', customFields: { met: evening } })
  await db.update(schema.leads).set({ createdAt: evening }).where(eq(schema.leads.id, lead.id))
  const filtersOf = (day: string): readonly Readonly<Record<string, string>>[] => [
    { createdFrom: day, createdTo: day },
    { cf_metFrom: day, cf_metTo: day },
    { filter: JSON.stringify({ and: [{ field: 'createdAt', op: 'is', value: day }] }) },
    { filter: JSON.stringify({ and: [{ field: 'cf_met', op: 'is', value: day }] }) },
  ]
  for (const [timezone, day, other] of [
    [undefined, '2026-06-01', '2026-06-02'],
    ['Pacific/Auckland', '2026-06-02', '2026-06-01'],
  ] as const) {
    for (const [named, found] of [
      [day, 1],
      [other, 0],
    ] as const) {
      for (const filter of filtersOf(named)) {
        const asked = { ...filter, ...(timezone && { timezone }) }
        const query = new URLSearchParams(asked).toString()
        expect(await send(`/api/leads?${query}`), query).toMatchObject({ total: found })
        const summed = new URLSearchParams({ ...filter, ...(timezone && { filterTimezone: timezone }) }).toString()
        expect(await send(`/api/leads/summary?${summed}`), summed).toMatchObject({ totals: { count: found } })
        expect(await send('/api/leads', 'PATCH', { filter: asked, addTags: ['x'], dryRun: true }), query).toMatchObject(
          { data: { matched: found } },
        )
      }
    }
  }
})

it('the zone of the buckets of a summary leaves the days of its filters', async () => {
  const workspace = await createTestWorkspace(db, { timezone: 'America/New_York' })
  const cookie = await workspace.session()
  const { data: lead } = (
    await call({ method: 'POST', path: '/api/leads', cookie, body: { lastName: 'Evening' } }, workspace)
  ).body
  await db.update(schema.leads).set({ createdAt: '2026-06-02T02:00:00.000Z' }).where(eq(schema.leads.id, lead.id))
  const query = 'createdFrom=2026-06-01&createdTo=2026-06-01&groupBy=createdAt:day&timezone=Pacific/Auckland'
  expect(await call({ path: `/api/leads/summary?${query}`, cookie }, workspace)).toMatchObject({
    status: 200,
    body: { totals: { count: 1 }, groups: [{ by: [{ value: '2026-06-02' }] }], timezone: 'Pacific/Auckland' },
  })
})

it('a list refuses a zone that there is not, and a bulk change one that stands alone', async () => {
  const workspace = await createTestWorkspace(db)
  const cookie = await workspace.session()
  expect(await call({ path: '/api/leads?createdFrom=today&timezone=Mars/Olympus', cookie }, workspace)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_QUERY_PARAM', details: { param: 'timezone' } },
  })
  const body = { filter: { timezone: 'Pacific/Auckland' }, addTags: ['x'], dryRun: true }
  expect(await call({ method: 'PATCH', path: '/api/leads', cookie, body }, workspace)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR' },
  })
})
