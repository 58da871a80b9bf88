import { createDatabase, createPool, newId, schema } from '@crm/db'
import type { MailMessage } from '@crm/mail'
import { createLogger } from '@crm/runtime'
import { asDeployable } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { ownApi } from '../../test/harness.ts'
import { mailNotifications } from './mail-notifications.ts'

const api = await ownApi()
const { workspace } = api
const path = '/api/settings/notifications/preferences'
const pool = createPool({
  databaseUrl: api.databaseUrl,
  max: 2,
  applicationName: 'test-notification-mails',
  ...asDeployable,
})
afterAll(() => pool.end())

const mails: MailMessage[] = []
let isServerAway = false
const round = () =>
  mailNotifications({
    db: createDatabase(pool),
    pool,
    clock: api.clock,
    logger: createLogger({ name: 'mails', level: 'silent' }),
    mailer: mailerTo((message) => {
      if (isServerAway) throw new Error('The mail server is away')
      mails.push(message)
    }),
  })
beforeEach(() => void mails.splice(0))

async function somebody(mail: readonly string[]) {
  const { id, email } = await workspace.employee({ grant: { permissions: [] } })
  const cookie = await workspace.session(id)
  expect((await api.call({ method: 'PUT', path, cookie, body: { mail } })).status).toBe(200)
  const tell = async (kind: string, text: string, minutesFromNow = 0): Promise<void> => {
    const createdAt = new Date(api.clock.now().getTime() + minutesFromNow * 60_000).toISOString()
    await api.db
      .insert(schema.notifications)
      .values({ workspaceId: workspace.workspaceId, id: newId(), employeeId: id, kind, text, createdAt })
  }
  return { id, email, cookie, tell }
}

it('keeps what somebody chooses, and refuses a kind that there is not', async () => {
  const { cookie } = await somebody(['RULE_FAILED', 'RUN_FAILED'])
  expect((await api.call({ path, cookie })).body.data).toMatchObject({ mail: ['RUN_FAILED', 'RULE_FAILED'] })
  expect((await api.call({ method: 'PUT', path, cookie, body: { mail: ['WEATHER'] } })).status).toBe(400)
  expect((await api.call({ method: 'PUT', path, cookie, body: { mail: [] } })).body.data).toMatchObject({ mail: [] })
  expect((await api.call({ path, cookie })).body.data).toMatchObject({ mail: [] })
  const { id } = await workspace.employee({ grant: { permissions: [] } })
  expect((await api.call({ path, cookie: await workspace.session(id) })).body.data).toMatchObject({ mail: [] })
})

it('mails the kinds that were chosen, those of one round together, and each once', async () => {
  const { email, tell } = await somebody(['RUN_FAILED', 'import.failed'])
  await tell('RUN_FAILED', 'The workflow “A” failed.')
  await tell('import.failed', 'The import of b.csv failed.')
  await tell('RULE_FAILED', 'The automation rule “C” failed.')
  await round()
  await round()
  expect(mails).toMatchObject([{ to: { address: email }, subject: '2 notifications', isToMember: true }])
  expect(mails[0]?.text).toContain('• The workflow “A” failed.\n• The import of b.csv failed.')
  expect(mails[0]?.text).not.toContain('“C”')
  await tell('RUN_FAILED', 'The workflow “D” failed.')
  await round()
  expect(mails.map(({ subject }) => subject)).toEqual(['2 notifications', 'The workflow “D” failed.'])
})

it('mails nothing that was told before, read already, a day old or chosen by somebody who is gone', async () => {
  const { tell } = await somebody(['RUN_FAILED'])
  await tell('RUN_FAILED', 'Before', -1)
  const reader = await somebody(['RUN_FAILED'])
  await reader.tell('RUN_FAILED', 'Read')
  await api.call({ method: 'PATCH', path: '/api/settings/notifications', cookie: reader.cookie, body: {} })
  const gone = await somebody(['RUN_FAILED'])
  await gone.tell('RUN_FAILED', 'Gone')
  await api.db.update(schema.employees).set({ status: 'TERMINATED' }).where(eq(schema.employees.id, gone.id))
  await round()
  expect(mails).toEqual([])
})

it('tries again after a failure of the mail server', async () => {
  const { tell } = await somebody(['RULE_PAUSED'])
  await tell('RULE_PAUSED', 'The rule was paused.')
  isServerAway = true
  await round()
  expect(mails).toEqual([])
  isServerAway = false
  api.clock.advance(60_000)
  await round()
  expect(mails).toMatchObject([{ subject: 'The rule was paused.' }])
})

it('mails the digest in the morning of the person, and nothing about records out of sight', async () => {
  const { id, cookie } = await somebody([])
  await api.call({ method: 'PUT', path, cookie, body: { mail: ['mention'], digest: ['RUN_FAILED'] } })
  const zone = { timezone: 'Asia/Tokyo' }
  await api.db.update(schema.employees).set(zone).where(eq(schema.employees.id, id))
  const { body } = await api.call({
    method: 'POST',
    path: '/api/leads',
    key: api.key,
    body: { lastName: 'King', ownerId: id },
  })
  const today = api.clock.now().toISOString().slice(0, 10)
  const told = (at: string, kind: string, text: string, of = {}) =>
    api.db.insert(schema.notifications).values({
      workspaceId: workspace.workspaceId,
      id: newId(),
      employeeId: id,
      kind,
      text,
      ...of,
      createdAt: `${today}T${at}Z`,
    })
  const mine = eq(schema.notificationMails.employeeId, id)
  await api.db
    .update(schema.notificationMails)
    .set({ since: `${today}T00:00:00Z` })
    .where(mine)
  // Seven in the morning in Tokyo is 22:00 of the day before in UTC.
  await told('21:00:00', 'RUN_FAILED', 'Early')
  await told('23:30:00', 'RUN_FAILED', 'Late')
  await told('22:00:00', 'mention', 'Ada mentioned you', { entityType: 'LEAD', entityId: body.data.id })
  const now = api.clock.now()
  const move = (to: number) => api.clock.advance(to - api.clock.now().getTime())
  const at = (time: string) => move(Date.parse(`${today}T${time}Z`))
  at('22:30:00')
  await round()
  expect(mails).toEqual([])
  at('23:01:00')
  await round()
  expect(mails.map(({ subject }) => subject)).toEqual(['Early'])
  move(Date.parse(`${today}T23:00:00Z`) + 86_400_000)
  await round()
  expect(mails.map(({ subject }) => subject)).toEqual(['Early', 'Late'])
  move(now.getTime())
})

it('speaks the language of its reader, and names who did it', async () => {
  const { id, email, cookie, tell } = await somebody(['RUN_FAILED', 'mention', 'import.failed'])
  expect(
    (await api.call({ method: 'PATCH', path: '/api/me', cookie, body: { locale: 'de', timezone: 'Europe/Berlin' } }))
      .status,
  ).toBe(200)
  await tell('RUN_FAILED', 'The workflow “A” failed.')
  await api.db
    .update(schema.notifications)
    .set({ data: { name: 'A' } })
    .where(eq(schema.notifications.employeeId, id))
  await round()
  await tell('import.failed', 'The import of b.csv failed.')
  await tell('mention', 'Ada Person mentioned you')
  await api.db
    .update(schema.notifications)
    .set({ data: { actor: { id, name: 'Ada Person' } } })
    .where(and(eq(schema.notifications.employeeId, id), eq(schema.notifications.kind, 'mention')))
  await round()
  expect(mails).toMatchObject([
    { to: { address: email }, subject: 'Ein Workflow ist fehlgeschlagen: A' },
    { subject: '2 Benachrichtigungen' },
  ])
  expect(mails[1]?.text).toContain('• Ein Import ist fehlgeschlagen\n• Ada Person hat Sie erwähnt\n')
  expect(mails[1]?.text).toContain('per E-Mail')
})
