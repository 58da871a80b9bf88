import { createDatabase, createPool, runBackfill, schema } from '@crm/db'
import { asDeployable, oldShortZones } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import { healTimeZones } from './heal-time-zones.ts'

const api = await ownApi()
const { db, workspace, key, call } = api
const pool = createPool({ databaseUrl: api.databaseUrl, max: 2, applicationName: 'test-heal', ...asDeployable })
afterAll(() => pool.end())
const { bookingLinks, employees, workspaces } = schema

const zonesNow = async () => {
  const [place] = await db.select().from(workspaces).where(eq(workspaces.id, workspace.workspaceId))
  const [person] = await db.select().from(employees).where(eq(employees.id, workspace.adminUserId))
  const links = await db.select().from(bookingLinks).where(eq(bookingLinks.workspaceId, workspace.workspaceId))
  return [place?.timezone, person?.timezone, ...links.map(({ timezone }) => timezone)]
}

const store = async (zone: string, ofPlace = zone): Promise<void> => {
  await db.update(workspaces).set({ timezone: ofPlace }).where(eq(workspaces.id, workspace.workspaceId))
  await db.update(employees).set({ timezone: zone }).where(eq(employees.id, workspace.adminUserId))
  await db.delete(bookingLinks)
  await db.insert(bookingLinks).values({
    workspaceId: workspace.workspaceId,
    slug: 'link',
    name: 'Link',
    organizerId: workspace.adminUserId,
    timezone: zone,
    durationMin: 30,
    weeklyHours: [],
  })
}

const heal = async (): Promise<void> => {
  await db.delete(schema.backfills)
  await runBackfill(createDatabase(pool), healTimeZones)
}

it('replaces old names by the zones that they stood for, and leaves zones as they are', async () => {
  await store('AET')
  await heal()
  expect(await zonesNow()).toEqual(['Australia/Sydney', 'Australia/Sydney', 'Australia/Sydney'])
  await store('CET')
  await heal()
  expect(await zonesNow()).toEqual(['CET', 'CET', 'CET'])
  expect(await db.select().from(schema.backfills)).toMatchObject([{ doneAt: expect.any(String) }])
})

it('replaces what stood for no zone by the zone of the workspace', async () => {
  await store('SystemV/EST5', 'IST')
  await heal()
  const [place, person, link] = await zonesNow()
  expect(place).toMatch(/^Asia\//)
  expect([person, link]).toEqual([null, place])
  await store('Mars/Olympus', 'Mars/Olympus')
  await heal()
  expect(await zonesNow()).toEqual(['UTC', null, 'UTC'])
})

it('never takes an old name again, at any door', async () => {
  await store('UTC')
  const cookie = await workspace.session()
  const doors = (timezone: string) =>
    [
      { method: 'PATCH', path: '/api/me', cookie, body: { timezone } },
      { method: 'PATCH', path: '/api/settings/workspace', cookie, body: { timezone } },
      { method: 'POST', path: '/api/settings/booking-links', cookie, body: { slug: 'x', name: 'X', timezone } },
      { method: 'PATCH', path: `/api/settings/users/${workspace.adminUserId}`, cookie, body: { timezone } },
      { method: 'GET', path: `/api/leads/summary?groupBy=createdAt:day&timezone=${timezone}`, key },
    ] as const
  for (const zone of oldShortZones) {
    const answers = await Promise.all(doors(zone).map((door) => call(door)))
    expect([zone, ...answers.map(({ status }) => status)]).toEqual([zone, 400, 400, 400, 400, 400])
  }
  expect(await zonesNow()).toEqual(['UTC', 'UTC', 'UTC'])
  const taken = await Promise.all(doors('Australia/Sydney').map((door) => call(door)))
  expect(taken.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200])
})

it('cuts the days of a summary by the clocks of CET', async () => {
  const { body } = await call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'Late' } })
  await db.update(schema.leads).set({ createdAt: '2026-07-15T22:30:00.000Z' }).where(eq(schema.leads.id, body.data.id))
  const daysIn = async (timezone: string) => {
    const { body: summary } = await call({
      path: `/api/leads/summary?groupBy=createdAt:day&timezone=${timezone}`,
      key,
    })
    return JSON.stringify(summary)
  }
  expect(await daysIn('CET')).toContain('2026-07-16')
  expect(await daysIn('UTC')).toContain('2026-07-15')
  expect(await daysIn('America/New_York')).toContain('2026-07-15')
})
