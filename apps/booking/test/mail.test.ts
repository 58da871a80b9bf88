import { schema } from '@crm/db'
import { createMailer, type Mailer, type MailMessage } from '@crm/mail'
import { eventually, freePort } from '@crm/testkit'
import { startMailServer } from '@crm/testkit/mail-server'
import { mailerTo } from '@crm/testkit/mailer'
import { and, eq } from 'drizzle-orm'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sendDueMails } from '../src/bookings/send-due-mails.ts'
import { berlin, bookingUnderTest, guest, send, type Answer } from './booking-under-test.ts'

const smtp = await startMailServer()
afterAll(() => smtp.close())
const service = await bookingUnderTest()
const { link, workspace, db, clock } = service
const tuesday = '2026-06-02'
const minuteMs = 60_000

// An SMTP server that is down: no process listens on the port.
const away = createMailer({
  smtpUrl: `smtp://127.0.0.1:${await freePort()}`,
  mailDir: 'unused',
  from: 'bookings@service.test',
})
let mailer: Mailer = away
const arrived: MailMessage[] = []
const working = mailerTo((message) => arrived.push(message), 'bookings@service.test')
const deps = service.depsWith({
  mailer: { from: 'bookings@service.test', send: (message, options) => mailer.send(message, options) },
})
const app = service.instance(deps)

const newLink = async () => link({ organizerId: (await workspace.employee()).id })
const book = async (slug: string, hour: number): Promise<Answer> =>
  send(app, workspace, { method: 'POST', path: slug, body: guest(berlin(tuesday, hour)) })
const manage = (token: string, what: string, body?: object): Promise<Answer> =>
  send(app, workspace, { method: 'POST', path: `manage/${token}/${what}`, body })
const queued = (bookingId: string) =>
  db.select().from(schema.bookingMails).where(eq(schema.bookingMails.bookingId, bookingId))
const toldTimes = async (employeeId: string) =>
  (
    await db
      .select()
      .from(schema.notifications)
      .where(and(eq(schema.notifications.employeeId, employeeId), eq(schema.notifications.kind, 'booking.mail-failed')))
  ).length

async function isConfirmationSent(id: string): Promise<boolean | undefined> {
  const [row] = await db.select().from(schema.bookings).where(eq(schema.bookings.id, id))
  return row?.confirmationEmailSent
}

/** Waits until the mail is due, and lets the round send it. */
async function waitAndCarry(ms: number): Promise<MailMessage[]> {
  const before = arrived.length
  clock.advance(ms)
  await sendDueMails(deps)
  return arrived.slice(before)
}

describe('mail that could not go', () => {
  it('is tried again later and again; the organizer is told once, and the booking when it went', async () => {
    mailer = away
    const { slug, organizerId } = await newLink()
    const { status, body } = await book(slug, 9)
    const { bookingId, manageToken, confirmationEmailSent } = body.data
    expect({ status, confirmationEmailSent }).toEqual({ status: 201, confirmationEmailSent: false })
    expect(await waitAndCarry(minuteMs / 2)).toEqual([])
    await waitAndCarry(minuteMs / 2)
    expect(await queued(bookingId)).toMatchObject([{ attempts: 2, toGuest: true, toOrganizer: true }])
    expect(await isConfirmationSent(bookingId)).toBe(false)
    mailer = working
    const sent = await waitAndCarry(2 * minuteMs)
    expect(sent.map(({ to }) => to.address)).toEqual(['zoe@guest.test', expect.stringContaining('@')])
    expect(sent[0]?.text).toContain(`/book/manage/${manageToken}`)
    expect(await isConfirmationSent(bookingId)).toBe(true)
    expect(await queued(bookingId)).toEqual([])
    expect(await toldTimes(organizerId)).toBe(1)
    expect(await waitAndCarry(60 * minuteMs)).toEqual([])
  })

  it('to the organizer alone is tried again for the organizer alone', async () => {
    mailer = {
      from: working.from,
      send: async (message) =>
        message.to.address === 'zoe@guest.test' ? working.send(message) : Promise.reject(new Error('mailbox full')),
    }
    const { slug } = await newLink()
    const { body } = await book(slug, 9)
    expect(body.data.confirmationEmailSent).toBe(true)
    mailer = working
    expect((await waitAndCarry(minuteMs)).map(({ to }) => to.address)).toEqual([
      expect.not.stringContaining('guest.test'),
    ])
  })

  it('is dropped when there is a newer one', async () => {
    mailer = away
    const { slug } = await newLink()
    const { bookingId, manageToken } = (await book(slug, 11)).body.data
    await manage(manageToken, 'reschedule', { newStartAt: berlin(tuesday, 14) })
    mailer = working
    const sent = await waitAndCarry(minuteMs)
    expect(sent.map(({ icalEvent }) => icalEvent?.content.includes('SEQUENCE:1'))).toEqual([true, true])
    mailer = away
    await manage(manageToken, 'cancel')
    expect(await queued(bookingId)).toMatchObject([{ change: 'cancelled', sequence: 2 }])
    // Another process has changed the booking and sends mail about it.
    await db.update(schema.bookings).set({ calendarSequence: 3 }).where(eq(schema.bookings.id, bookingId))
    mailer = working
    expect(await waitAndCarry(minuteMs)).toEqual([])
    expect(await queued(bookingId)).toEqual([])
  })

  it('is given up when the meeting is over, and its token is not kept', async () => {
    mailer = away
    const { slug } = await newLink()
    const { bookingId } = (await book(slug, 15)).body.data
    mailer = working
    expect(await waitAndCarry(Date.parse(berlin(tuesday, 15, 30)) - clock.now().getTime())).toEqual([])
    expect(await queued(bookingId)).toEqual([])
  })
})

describe('a mail server that', () => {
  it.each([
    ['refuses', (socket: Socket) => void socket.end('554 No mail today\r\n')],
    ['hangs', () => undefined],
    ['drops the connection', (socket: Socket) => void socket.destroy()],
  ])(
    '%s: the booking stands and says so, the organizer is told, and the mail goes when the server is well',
    async (_what, answer) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.on('error', () => undefined))
        answer(socket)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      try {
        mailer = createMailer({
          smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
          mailDir: 'unused',
          from: 'bookings@service.test',
          limits: { connectMs: 200, beforeMs: 2_000 },
        })
        const { slug, organizerId } = await newLink()
        const { status, body } = await send(app, workspace, {
          method: 'POST',
          path: slug,
          body: guest(berlin('2026-06-04', 10)),
        })
        expect({ status, sent: body.data?.confirmationEmailSent }).toEqual({ status: 201, sent: false })
        expect(await toldTimes(organizerId)).toBe(1)
        expect(await queued(body.data.bookingId)).toMatchObject([{ attempts: 1, toGuest: true, toOrganizer: true }])
        mailer = working
        expect((await waitAndCarry(minuteMs)).map(({ to }) => to.address)).toEqual([
          'zoe@guest.test',
          expect.stringContaining('@'),
        ])
        expect(await isConfirmationSent(body.data.bookingId)).toBe(true)
      } finally {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
    },
  )
})

it('a process that dies between its booking and its mail leaves the mail to the others, who send it once', async () => {
  mailer = { from: working.from, send: () => new Promise<never>(() => undefined) }
  const { slug } = await newLink()
  const asked = Promise.withResolvers<void>()
  mailer = { from: working.from, send: () => (asked.resolve(), new Promise<never>(() => undefined)) }
  const startAt = new Date(Date.parse(berlin('2026-06-03', 10))).toISOString()
  void send(app, workspace, { method: 'POST', path: slug, body: guest(startAt) })
  await asked.promise
  mailer = working
  const before = arrived.length
  clock.advance(minuteMs)
  await Promise.all([sendDueMails(deps), sendDueMails(deps), sendDueMails(deps)])
  expect(arrived.slice(before).map(({ to }) => to.address)).toEqual(['zoe@guest.test', expect.stringContaining('@')])
})

describe('over a real mail server', () => {
  const thursday = '2026-06-11'
  let hour = 8
  const bookWith = async (mailDeadlineMs?: number) => {
    const { slug, organizerId } = await newLink()
    const { url } = smtp
    mailer = createMailer({ smtpUrl: url, mailDir: 'unused', from: 'bookings@service.test' })
    const own = service.instance({ ...deps, ...(mailDeadlineMs === undefined ? {} : { mailDeadlineMs }) })
    const body = guest(berlin(thursday, (hour += 1)))
    const answer = await send(own, workspace, { method: 'POST', path: slug, body })
    expect(answer.status).toBe(201)
    return { ...answer.body.data, organizerId }
  }
  const takenByGuest = () => smtp.taken.filter(({ to }) => to.includes('zoe@guest.test'))
  const toldTexts = async (employeeId: string) =>
    (
      await db
        .select()
        .from(schema.notifications)
        .where(
          and(eq(schema.notifications.employeeId, employeeId), eq(schema.notifications.kind, 'booking.mail-failed')),
        )
        .orderBy(schema.notifications.id)
    ).map(({ text }) => text)

  beforeEach(() => {
    smtp.atEnd = 'TAKE'
    smtp.answers.clear()
    smtp.taken.length = 0
  })

  it('that thinks for longer than a guest waits, the mail arrives once, and the booking says that it went', async () => {
    smtp.atEnd = 'THINK'
    const { bookingId, confirmationEmailSent, organizerId } = await bookWith(3_000)
    expect(confirmationEmailSent).toBe(true)
    expect(await isConfirmationSent(bookingId)).toBe(false)
    clock.advance(5 * minuteMs)
    await sendDueMails(deps)
    smtp.go()
    await eventually(async () => expect(await isConfirmationSent(bookingId)).toBe(true))
    await eventually(async () => expect(await queued(bookingId)).toEqual([]))
    expect(takenByGuest()).toHaveLength(1)
    expect(await toldTexts(organizerId)).toEqual([])
  })

  it('that puts off, the mail arrives later, once, with the Message-ID of before', async () => {
    smtp.answers.set('zoe@guest.test', 450)
    const { bookingId, confirmationEmailSent, organizerId } = await bookWith()
    expect(confirmationEmailSent).toBe(false)
    expect(await toldTexts(organizerId)).toHaveLength(1)
    smtp.answers.clear()
    await waitAndCarry(minuteMs)
    await waitAndCarry(60 * minuteMs)
    expect(takenByGuest()).toMatchObject([{ messageId: `<${bookingId}.0.guest@service.test>` }])
    expect(await isConfirmationSent(bookingId)).toBe(true)
  })

  it('that refuses for good, the organizer is told what it said, and the mail is not tried again', async () => {
    smtp.answers.set('zoe@guest.test', 550)
    const { bookingId, confirmationEmailSent, organizerId } = await bookWith()
    expect(confirmationEmailSent).toBe(false)
    expect(await toldTexts(organizerId)).toEqual([expect.stringContaining('(550 no such mailbox)')])
    smtp.answers.clear()
    await waitAndCarry(60 * minuteMs)
    expect(takenByGuest()).toEqual([])
    expect(await queued(bookingId)).toEqual([])
  })

  it('that is cut off before it says whether it has the mail, the organizer is told so, and no copy follows', async () => {
    smtp.atEnd = 'CUT'
    const { bookingId, organizerId } = await bookWith()
    smtp.atEnd = 'TAKE'
    await waitAndCarry(60 * minuteMs)
    expect(takenByGuest()).toHaveLength(1)
    expect(await queued(bookingId)).toEqual([])
    expect(await toldTexts(organizerId)).toEqual([expect.stringContaining('may not have reached zoe@guest.test')])
  })

  it('and two processes that are lost while they send, nobody knows, and the organizer is told', async () => {
    smtp.answers.set('zoe@guest.test', 450)
    const { bookingId, organizerId } = await bookWith()
    let begun = 0
    mailer = { from: working.from, send: () => new Promise<never>(() => void (begun += 1)) }
    for (let lost = 0; lost < 2; lost += 1) {
      clock.advance(2 * minuteMs)
      void sendDueMails(deps)
      await eventually(async () =>
        expect(await queued(bookingId)).toMatchObject([{ underWay: true, wasLost: lost === 1 }]),
      )
      // Only a process that has begun to send is lost while it sends; it would use the next mailer otherwise.
      await eventually(() => expect(begun).toBe(lost + 1))
    }
    mailer = working
    expect(await waitAndCarry(2 * minuteMs)).toEqual([])
    expect(await queued(bookingId)).toEqual([])
    expect((await toldTexts(organizerId)).at(-1)).toContain('may not have reached')
  })
})
