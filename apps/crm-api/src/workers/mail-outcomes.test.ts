// Every kind of mail of the CRM API over a real mail server that takes, refuses, puts off, thinks and cuts.
import { newId, schema } from '@crm/db'
import { createMailer } from '@crm/mail'
import { createLogger } from '@crm/runtime'
import { bookingRow, eventually, freePort } from '@crm/testkit'
import { startMailServer } from '@crm/testkit/mail-server'
import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ownApi } from '../../test/harness.ts'
import { jobsUnderTest } from '../../test/jobs.ts'
import { addBookingLink, createLead } from '../../test/samples.ts'
import { mailNotifications } from './mail-notifications.ts'

const server = await startMailServer()
afterAll(() => server.close())
const over = (smtpUrl: string) => createMailer({ smtpUrl, mailDir: 'unused', from: 'crm@service.test' })
const mailer = over(server.url)
const away = over(`smtp://127.0.0.1:${await freePort()}`)
const api = await ownApi({ mailer })
const jobs = await jobsUnderTest(api, { mailer })
const { db, workspace, key, clock } = api

const author = await workspace.employee({ roles: ['Administrator'] })
const { key: own } = await workspace.apiKey({ ownerId: author.id })
const signIn = () => workspace.session(author.id, clock.now())
const post = (path: string, body: unknown, credential: { key?: string; cookie?: string } = { key: own }) =>
  api.call({ method: 'POST', path, body, ...credential })

let made = 0
const somebody = (): string => `somebody${(made += 1)}@guest.test`

beforeEach(() => {
  server.atEnd = 'TAKE'
  server.answers.clear()
  server.taken.length = 0
})

const linkId = await addBookingLink(api, { slug: 'intro', name: 'Intro call', timezone: 'Europe/Berlin' })

/** Asks for a mail to an address, as a person would, and returns the answer. */
type Ask = (
  address: string,
) => Promise<{ readonly status: number; readonly body: { readonly data: { readonly id: string } } }>

const askInvoice: Ask = async (address) => {
  const { id } = (await post('/api/invoices', { items: [{ name: 'Work', quantity: '1', unitPrice: '10.00' }] })).body
    .data
  return post(`/api/invoices/${id}/send`, { to: [address] })
}

const askQuote: Ask = async (address) => {
  const { id } = (await post('/api/quotes', { items: [{ name: 'Work', quantity: '1', unitPrice: '10.00' }] })).body.data
  return post(`/api/quotes/${id}/send`, { to: [address] })
}

const employeeWith = async (address: string): Promise<string> => {
  const { id } = await workspace.employee()
  await db.update(schema.employees).set({ email: address }).where(eq(schema.employees.id, id))
  return id
}

const kinds: Readonly<Record<string, { readonly event: string; readonly ask: Ask }>> = {
  'a mail that a person wrote': {
    event: 'activity.mail',
    ask: async (address) =>
      post('/api/emails', {
        to: [address],
        subject: 'Our offer',
        message: 'See you.',
        links: [{ entityType: 'LEAD', entityId: await createLead(api) }],
      }),
  },
  'an invoice': { event: 'commercial.mail', ask: askInvoice },
  'a quote': { event: 'commercial.mail', ask: askQuote },
  'an invitation': {
    event: 'invitation.mail',
    ask: async (email) => post('/api/settings/invitations', { email, roleIds: [] }, { cookie: await signIn() }),
  },
  'a link to choose a new password': {
    event: 'account.reset-mail',
    ask: async (email) => {
      await employeeWith(email)
      return post('/api/auth/reset/request', { email }, {})
    },
  },
  'news about an account': {
    event: 'account.mail',
    ask: async (email) => {
      const path = `/api/settings/users/${await employeeWith(email)}`
      return api.call({ method: 'PATCH', path, cookie: await signIn(), body: { email: `moved-${email}` } })
    },
  },
  'a cancelled booking': {
    event: 'booking.mail-cancelled',
    ask: async (inviteeEmail) => {
      const startAt = new Date(Date.UTC(2026, 5, 2) + (made += 1) * 3_600_000).toISOString()
      const id = newId()
      await db.insert(schema.bookings).values(
        bookingRow({
          workspaceId: workspace.workspaceId,
          id,
          linkId,
          organizerId: workspace.adminUserId,
          startAt,
          endAt: startAt.replace(':00:00', ':30:00'),
          inviteeName: 'Zoë Guest',
          inviteeEmail,
          inviteeTimezone: 'Asia/Tokyo',
          joinUrl: 'http://x/call/y',
        }),
      )
      return post(`/api/settings/bookings/${id}/cancel`, undefined, { cookie: await signIn() })
    },
  },
}

const takenFor = (address: string) => server.taken.filter(({ to }) => to.includes(address))

/** Returns the newest row of a kind whose mail goes to an address. */
async function rowOf(event: string, whom?: 'guest') {
  const rows = await db
    .select()
    .from(schema.outbox)
    .where(and(eq(schema.outbox.topic, 'mail'), eq(schema.outbox.event, event)))
    .orderBy(desc(schema.outbox.id))
  return rows.find(({ payload }) => whom === undefined || payload['whom'] === whom)
}

describe.each(Object.entries(kinds))('%s', (kind, { event, ask }) => {
  const whom = kind === 'a cancelled booking' ? ('guest' as const) : undefined
  const asked = async (address: string) => {
    const answer = await ask(address)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    await jobs.settled()
    return answer
  }

  it('arrives once, with one Message-ID, where the server says "later" before it takes it', async () => {
    const address = somebody()
    server.answers.set(address, 450)
    await asked(address)
    expect(takenFor(address)).toEqual([])
    expect((await rowOf(event, whom))?.doneAt).toBeNull()
    server.answers.clear()
    const row = await rowOf(event, whom)
    await jobs.attempt(row!.id)
    expect(takenFor(address)).toMatchObject([{ messageId: `<${row!.id}@service.test>` }])
    await jobs.attempt(row!.id)
    expect(takenFor(address)).toHaveLength(1)
    expect((await rowOf(event, whom))?.doneAt).not.toBeNull()
  })

  it('ends at the first refusal for good', async () => {
    const address = somebody()
    server.answers.set(address, 550)
    await asked(address)
    expect((await rowOf(event, whom))?.doneAt).not.toBeNull()
    server.answers.clear()
    await jobs.attempt((await rowOf(event, whom))!.id)
    expect(takenFor(address)).toEqual([])
  })

  it('is not sent again where the server took it and the connection was cut before it said so', async () => {
    const address = somebody()
    server.atEnd = 'CUT'
    await asked(address)
    server.atEnd = 'TAKE'
    await jobs.attempt((await rowOf(event, whom))!.id)
    expect(takenFor(address)).toHaveLength(1)
    expect((await rowOf(event, whom))?.doneAt).not.toBeNull()
  })

  it('arrives when the server is back after an hour', async () => {
    const address = somebody()
    server.answers.set(address, 421)
    await asked(address)
    for (let minute = 0; minute < 60; minute += 10) {
      clock.advance(10 * 60_000)
      await jobs.attempt((await rowOf(event, whom))!.id, { mailer: away })
    }
    expect(takenFor(address)).toEqual([])
    server.answers.clear()
    await jobs.attempt((await rowOf(event, whom))!.id)
    expect(takenFor(address)).toHaveLength(1)
  })
})

const toldTo = async (employeeId: string, kind: string) =>
  (
    await db
      .select()
      .from(schema.notifications)
      .where(and(eq(schema.notifications.employeeId, employeeId), eq(schema.notifications.kind, kind)))
      .orderBy(schema.notifications.id)
  ).map(({ text, data }) => ({ text, data }))

describe('what is said of a mail is true', () => {
  const write = async (to: readonly string[], more = {}) => {
    const links = [{ entityType: 'LEAD', entityId: await createLead(api) }]
    const { body } = await post('/api/emails', { to, subject: 'Our offer', message: 'See you.', links, ...more })
    await jobs.settled()
    return body.data.id as string
  }
  const activity = async (id: string) => (await api.call({ path: `/api/activities/${id}`, key })).body.data
  const mailOf = async (id: string) =>
    (await db.select().from(schema.outbox)).find(({ payload }) => payload['entityId'] === id)!

  it('by the activity and the inbox: who was refused, who waits, and who has it in the end', async () => {
    const [first, refused, later] = [somebody(), somebody(), somebody()]
    server.answers.set(refused, 550).set(later, 450)
    const id = await write([first, refused], { cc: [later] })
    expect(await activity(id)).toMatchObject({
      status: 'DONE',
      outcome: `Not delivered: ${refused} (550 no such mailbox). Not delivered yet, it is tried again: ${later} (450 try again later)`,
    })
    expect(takenFor(first)).toHaveLength(1)
    expect((await toldTo(author.id, 'mail.failed')).filter(({ data }) => data['entityId'] === id)).toEqual([])
    server.answers.clear()
    await jobs.attempt((await mailOf(id)).id)
    expect([first, later, refused].map((address) => takenFor(address).length)).toEqual([1, 1, 0])
    expect(new Set(server.taken.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await activity(id)).toMatchObject({
      status: 'DONE',
      outcome: `Not delivered: ${refused} (550 no such mailbox)`,
    })
    expect((await toldTo(author.id, 'mail.failed')).slice(-1)).toMatchObject([
      { text: `A mail to ${refused} (550 no such mailbox) could not be sent`, data: { entityId: id, name: refused } },
    ])
  })

  it('by the activity that nobody has the mail, and that it arrived after all', async () => {
    const [nobody, late] = [somebody(), somebody()]
    server.answers.set(nobody, 553).set(late, 451)
    expect(await activity(await write([nobody]))).toMatchObject({
      status: 'CANCELLED',
      outcome: `The email could not be sent: ${nobody} (553 no such mailbox)`,
    })
    const id = await write([late])
    expect((await activity(id)).outcome).toContain('it is tried again')
    server.answers.clear()
    await jobs.attempt((await mailOf(id)).id)
    expect(await activity(id)).toMatchObject({ status: 'DONE', outcome: null })
  })

  it('by the activity and the inbox that nobody knows', async () => {
    server.atEnd = 'CUT'
    const address = somebody()
    const id = await write([address])
    expect(await activity(id)).toMatchObject({
      status: 'DONE',
      outcome: expect.stringContaining(`not known whether the mail server took the email for ${address}`),
    })
    expect((await toldTo(author.id, 'mail.failed')).at(-1)).toMatchObject({ data: { entityId: id, name: address } })
  })

  it('by the activity that the sender has lost what the mail was to carry', async () => {
    const content = {
      filename: 'gone.txt',
      contentType: 'text/plain',
      contentBase64: Buffer.from('x').toString('base64'),
    }
    const fileId = (await post('/api/files/upload', content)).body.data.id as string
    const address = somebody()
    server.answers.set(address, 450)
    const id = await write([address], { fileIds: [fileId] })
    expect((await api.call({ method: 'DELETE', path: `/api/files/${fileId}`, key: own })).status).toBe(200)
    server.answers.clear()
    await jobs.attempt((await mailOf(id)).id)
    expect(takenFor(address)).toEqual([])
    expect((await activity(id)).status).toBe('CANCELLED')
  })

  it.each([
    ['QUOTE', askQuote],
    ['INVOICE', askInvoice],
  ] as const)('by the history of the document and the inbox: %s', async (entityType, ask) => {
    const address = somebody()
    server.answers.set(address, 550)
    const { id } = (await ask(address)).body.data
    await jobs.settled()
    const { items } = (await api.call({ path: `/api/crm/timeline?entityType=${entityType}&entityId=${id}`, key })).body
    expect(items[0]).toMatchObject({
      kind: 'EMAIL_FAILED',
      data: { to: [address], isUnknown: false, said: expect.stringContaining('550 no such mailbox') },
    })
    expect((await toldTo(author.id, 'mail.failed')).at(-1)).toMatchObject({ data: { entityType, entityId: id } })
  })

  it('by an invitation: it went once the server has it, and its maker learns of a refusal', async () => {
    const invite = async (email: string) =>
      (await post('/api/settings/invitations', { email, roleIds: [] }, { cookie: await signIn() })).body.data
    const [taken, refused, later] = [somebody(), somebody(), somebody()]
    server.answers.set(refused, 550).set(later, 450)
    expect(await invite(taken)).toMatchObject({ emailSent: true })
    expect(await invite(refused)).toMatchObject({ emailSent: false })
    expect((await toldTo(author.id, 'mail.failed')).at(-1)).toMatchObject({
      text: `The invitation to ${refused} (550 no such mailbox) could not be sent`,
    })
    const { id, emailSent } = await invite(later)
    expect(emailSent).toBe(false)
    server.answers.clear()
    await jobs.attempt((await rowOf('invitation.mail'))!.id)
    const path = `/api/settings/invitations/${id}`
    expect((await api.call({ path, cookie: await signIn() })).body.data).toMatchObject({ emailSent: true })
    const token = /invite#([\w-]{43})/.exec(takenFor(later)[0]!.content.replaceAll('=\r\n', ''))?.[1]
    expect((await post('/api/auth/invitations/look', { token }, {})).status).toBe(200)
  })

  it('by a cancelled booking: its organizer learns that the guest may not know', async () => {
    const address = somebody()
    server.answers.set(address, 550)
    await kinds['a cancelled booking']!.ask(address)
    await jobs.settled()
    expect((await toldTo(workspace.adminUserId, 'booking.mail-failed')).at(-1)?.text).toContain(
      `could not be sent to ${address} (550 no such mailbox)`,
    )
  })
})

it('a mail that has waited for long outlives a moment in which it cannot be written', async () => {
  const upload = { filename: 'a.txt', contentType: 'text/plain', contentBase64: Buffer.from('x').toString('base64') }
  const fileId = (await post('/api/files/upload', upload)).body.data.id as string
  const address = somebody()
  server.answers.set(address, 450)
  await post('/api/emails', {
    to: [address],
    subject: 'Our offer',
    message: 'See you.',
    links: [{ entityType: 'LEAD', entityId: await createLead(api) }],
    fileIds: [fileId],
  })
  await jobs.settled()
  const { id } = (await rowOf('activity.mail'))!
  for (let attempt = 0; attempt < 10; attempt += 1) await jobs.attempt(id)
  const storage = { ...api.storage, read: () => Promise.reject(new Error('The storage is away')) }
  expect(await jobs.attempt(id, { storage })).toBeUndefined()
  expect((await rowOf('activity.mail'))?.doneAt).toBeNull()
  server.answers.clear()
  await jobs.attempt(id)
  expect(takenFor(address)).toHaveLength(1)
})

describe('a process that is lost while it sends', () => {
  const lose = async (event: string): Promise<string> => {
    const hung = { from: 'crm@service.test', send: () => new Promise<never>(() => undefined) }
    const row = await rowOf(event)
    void jobs.attempt(row!.id, { mailer: hung })
    await eventually(async () => expect((await rowOf(event))?.attempts).toBe(row!.attempts + 1))
    return row!.id
  }

  it('leaves the mail to another one, which sends it once more; the second time nobody knows, and that is said', async () => {
    const [once, twice] = [somebody(), somebody()]
    for (const address of [once, twice]) {
      server.answers.set(address, 450)
      await kinds['an invoice']!.ask(address)
      await jobs.settled()
      const id = await lose('commercial.mail')
      if (address === twice) await lose('commercial.mail')
      server.answers.clear()
      await jobs.attempt(id)
    }
    expect([once, twice].map((address) => takenFor(address).length)).toEqual([1, 0])
    expect((await toldTo(author.id, 'mail.failed')).at(-1)?.text).toBe(
      `It is not known whether a mail to ${twice} was taken`,
    )
  })
})

it('mail that a process of an earlier version queued among the jobs goes out, to each of its people', async () => {
  const address = somebody()
  server.answers.set(address, 550)
  await kinds['a cancelled booking']!.ask(address)
  await jobs.settled()
  server.answers.clear()
  server.taken.length = 0
  const { payload } = (await rowOf('booking.mail-cancelled', 'guest'))!
  const { bookingId } = payload as { readonly bookingId: string }
  await db.insert(schema.outbox).values({
    workspaceId: workspace.workspaceId,
    topic: 'job',
    event: 'booking.mail-cancelled',
    payload: { bookingId },
  })
  await jobs.settled()
  expect(takenFor(address)).toHaveLength(1)
  expect(server.taken).toHaveLength(2)
})

describe('notifications', () => {
  const round = () =>
    mailNotifications({
      db: jobs.db,
      pool: jobs.pool,
      clock,
      mailer,
      logger: createLogger({ name: 'mails', level: 'silent' }),
    })

  it.each([
    ['TAKE', 450, 1],
    ['TAKE', 550, 0],
    ['CUT', undefined, 1],
  ] as const)('at the end %s, first answer %s: %s arrive', async (atEnd, answer, count) => {
    const email = somebody()
    const id = await employeeWith(email)
    const cookie = await workspace.session(id)
    const body = { mail: ['RUN_FAILED'] }
    await api.call({ method: 'PUT', path: '/api/settings/notifications/preferences', cookie, body })
    await db.insert(schema.notifications).values({
      workspaceId: workspace.workspaceId,
      id: newId(),
      employeeId: id,
      kind: 'RUN_FAILED',
      text: 'The workflow failed.',
      createdAt: clock.now().toISOString(),
    })
    server.atEnd = atEnd
    if (answer) server.answers.set(email, answer)
    await round()
    server.atEnd = 'TAKE'
    server.answers.clear()
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000)
      await round()
    }
    expect(takenFor(email)).toHaveLength(count)
  })
})

it('a server that thinks for longer than anybody waits gets each mail once', async () => {
  server.atEnd = 'THINK'
  const address = somebody()
  const sending = kinds['an invitation']!.ask(address)
  await eventually(async () => expect((await rowOf('invitation.mail'))?.attempts).toBe(1))
  server.go()
  await eventually(() => expect((server.go(), takenFor(address))).toHaveLength(1))
  expect((await sending).body.data).toMatchObject({ emailSent: true })
  await jobs.settled()
  expect(takenFor(address)).toHaveLength(1)
})
