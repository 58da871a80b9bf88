import { schema } from '@crm/db'
import { bundleOf, startProcess, startRedisServer, eventually } from '@crm/testkit'
import { and, eq, sql } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bookingUnderTest, guest } from './booking-under-test.ts'
import { callProcess, type ProcessCall } from './requests.ts'

const service = await bookingUnderTest()
const { db, database, workspace, link } = service
const redis = await startRedisServer()
const dataDir = mkdtempSync(join(tmpdir(), 'crm-outage-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = (app: string, role: 'crm_api' | 'crm_booking') =>
  startProcess(bundleOf(app), { DATABASE_URL: database.urlFor(role), REDIS_URL: redis.url, DATA_DIR: dataDir })

it(
  'lists, books, moves and cancels while the CRM API and Redis are down; the guest is one lead when they are back, whatever is killed',
  { timeout: 120_000 },
  async () => {
    const [booking, api] = await Promise.all([start('booking', 'crm_booking'), start('crm-api', 'crm_api')])
    const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
    const { slug } = await link({ timezone: 'UTC', weeklyHours: always })
    const call = (one: Omit<ProcessCall, 'host'>) =>
      callProcess(booking.url, { host: workspace.host, ...one, path: `/api/public/booking/${one.path}` })
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
    const window = `${slug}/availability?from=${day(2)}T00:00:00Z&to=${day(3)}T00:00:00Z`
    expect((await call({ method: 'GET', path: window })).status).toBe(200)

    expect(await api.stop('SIGKILL')).toBeNull()
    await redis.kill()
    const free = await call({ method: 'GET', path: window })
    expect(free.body.data.slots).toHaveLength(48)
    const emails = ['one@guest.test', 'two@guest.test']
    const made = await Promise.all(
      emails.map((email, n) =>
        call({ path: slug, body: guest(free.body.data.slots[n], { email, note: `From ${email}` }) }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    expect(made.every(({ body }) => body.data.confirmationEmailSent)).toBe(true)
    const token = made[0]?.body.data.manageToken as string
    expect(
      (await call({ path: `manage/${token}/reschedule`, body: { newStartAt: free.body.data.slots[10] } })).status,
    ).toBe(200)
    expect((await call({ path: `manage/${made[1]?.body.data.manageToken}/cancel` })).status).toBe(200)

    // The first process that is back dies in its work; the next one finishes it.
    await startRedisServer({ port: redis.port, password: redis.password })
    const dying = await start('crm-api', 'crm_api')
    await dying.stop('SIGKILL')
    // References that it had taken are handed on again after a minute; here the minute has passed.
    await db.execute(
      sql`UPDATE ${schema.outbox} SET relayed_at = relayed_at - interval '1 minute' WHERE done_at IS NULL`,
    )
    await start('crm-api', 'crm_api')
    const { bookings, comments, leads } = schema
    await eventually(
      async () => {
        const rows = await db.select().from(bookings).where(eq(bookings.workspaceId, workspace.workspaceId))
        expect(rows.filter(({ leadId }) => leadId !== null)).toHaveLength(2)
      },
      { timeout: 30_000, interval: 250 },
    )
    for (const email of emails) {
      const found = await db
        .select()
        .from(leads)
        .where(and(eq(leads.workspaceId, workspace.workspaceId), eq(leads.email, email)))
      expect(found, email).toHaveLength(1)
      const notes = await db
        .select()
        .from(comments)
        .where(and(eq(comments.workspaceId, workspace.workspaceId), eq(comments.entityId, found[0]?.id ?? '')))
      expect(notes.map(({ body }) => body)).toEqual([`From ${email}`])
    }
  },
)
