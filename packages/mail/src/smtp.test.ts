import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { writeGuestMail, type BookingFacts } from './booking-mail.ts'
import { createMailer, type Mailer } from './mailer.ts'
import type { BookingChange } from './texts/booking-wording.ts'

const servers: SMTPServer[] = []
const received: { readonly from: string; readonly to: string[]; readonly content: string }[] = []

afterEach(async () => {
  received.length = 0
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
})

/** Starts a real SMTP server that keeps accepted messages; `behaviour` changes its answers. */
async function smtpServer(
  behaviour: SMTPServerOptions = {},
): Promise<{ url: string; mailer: Mailer; server: SMTPServer; drop: () => void }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      let content = ''
      stream.on('data', (chunk: Buffer) => (content += chunk.toString()))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          content,
        })
        done()
      })
    },
    ...behaviour,
  })
  server.on('error', () => undefined)
  servers.push(server)
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const drop = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    url,
    server,
    drop,
    mailer: createMailer({ smtpUrl: url, mailDir: 'unused', from: 'bookings@acme.test', smtpTimeoutMs: 300 }),
  }
}

const facts: BookingFacts = {
  id: '01890000-0000-7000-8000-000000000000',
  sequence: 0,
  startAt: '2026-12-01T09:00:00.000Z',
  endAt: '2026-12-01T09:30:00.000Z',
  linkName: 'Introduction – über alles',
  organizer: { name: 'Ada Admin', address: 'ada@acme.test', timezone: 'Europe/Berlin' },
  guest: { name: 'Zoë', address: 'zoe@guest.test', timezone: 'America/New_York', locale: 'ru', phone: null },
  note: null,
  answers: [],
  cancelReason: null,
  joinUrl: 'https://acme.test/call/join',
  manageUrl: 'https://acme.test/book/manage/secret',
  workspace: {
    baseUrl: 'https://acme.test',
    locale: 'fr',
    timeFormat: '24h',
    brand: { companyName: null, logo: null, primaryColor: null },
  },
  at: '2026-11-20T00:00:00.000Z',
}

const mailOf = (change: BookingChange, sequence: number) =>
  writeGuestMail(change, { ...facts, sequence }, 'bookings@acme.test')

/** Returns the decoded parts of a message by their content type. */
function partsOf(content: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const piece of content.split(/\r\n--[^\r\n]+\r\n/)) {
    const end = piece.indexOf('\r\n\r\n')
    const head = piece.slice(0, end).replaceAll(/\r\n\s+/g, ' ')
    const type = /Content-Type: ([^\r\n]+)/i.exec(head)?.[1] ?? ''
    const body = piece.slice(end + 4)
    if (type && !type.startsWith('multipart/'))
      parts.set(
        type,
        /base64/i.test(head)
          ? Buffer.from(body, 'base64').toString()
          : /quoted-printable/i.test(head)
            ? unquoted(body)
            : body,
      )
  }
  return parts
}

function unquoted(text: string): string {
  const octets = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_sign, code: string) => String.fromCharCode(parseInt(code, 16)))
  return Buffer.from(octets, 'latin1').toString()
}

describe('a server that accepts', () => {
  it('gets text, HTML and the invitation in one message, and a life cycle that calendars follow', async () => {
    const { mailer } = await smtpServer()
    await mailer.send(mailOf('confirmed', 0))
    await mailer.send(mailOf('rescheduled', 1))
    await mailer.send(mailOf('cancelled', 2))
    expect(received.map(({ from, to }) => [from, ...to])).toEqual(
      [1, 2, 3].map(() => ['bookings@acme.test', 'zoe@guest.test']),
    )
    const calendars = received.map(({ content }) => {
      const parts = partsOf(content)
      expect([...parts.keys()].map((type) => type.split(';')[0])).toEqual(
        expect.arrayContaining(['text/plain', 'text/html', 'text/calendar']),
      )
      return (
        [...parts]
          .find(([type]) => /^text\/calendar;.*method=(REQUEST|CANCEL)/.test(type))?.[1]
          .replaceAll('\r\n ', '') ?? ''
      )
    })
    const line = (calendar: string, name: string) => new RegExp(`^${name}[:;](.*)\r?$`, 'm').exec(calendar)?.[1]?.trim()
    expect(
      calendars.map((calendar) => [line(calendar, 'METHOD'), line(calendar, 'SEQUENCE'), line(calendar, 'STATUS')]),
    ).toEqual([
      ['REQUEST', '0', 'CONFIRMED'],
      ['REQUEST', '1', 'CONFIRMED'],
      ['CANCEL', '2', 'CANCELLED'],
    ])
    expect(new Set(calendars.map((calendar) => line(calendar, 'UID')))).toEqual(new Set([`${facts.id}@acme.test`]))
    expect(new Set(calendars.map((calendar) => line(calendar, 'ORGANIZER'))).size).toBe(1)
  })

  it('is asked by several at once, over connections that are used again', async () => {
    let connections = 0
    const { mailer } = await smtpServer({ onConnect: (_session, done) => (connections++, done()) })
    await Promise.all(Array.from({ length: 40 }, () => mailer.send(mailOf('confirmed', 0))))
    expect(received).toHaveLength(40)
    expect(connections).toBeLessThanOrEqual(20)
  })

  it('goes on over the same connection for as long as it likes', async () => {
    let connections = 0
    const { mailer } = await smtpServer({ onConnect: (_session, done) => (connections++, done()) })
    for (let n = 0; n < 120; n += 1) await mailer.send(mailOf('confirmed', 0))
    expect([received.length, connections]).toEqual([120, 1])
  })

  it('may close a connection that waits: the next message goes over another', async () => {
    const { mailer, drop } = await smtpServer()
    await mailer.send(mailOf('confirmed', 0))
    drop()
    await mailer.send(mailOf('confirmed', 0))
    expect(received).toHaveLength(2)
  })
})

describe('a message fails', () => {
  it('when the server refuses the recipient', async () => {
    const { mailer } = await smtpServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
    })
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow('no such mailbox')
  })

  it('when the server refuses the content', async () => {
    const { mailer } = await smtpServer({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => done(Object.assign(new Error('looks like spam'), { responseCode: 554 }))),
    })
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow('looks like spam')
  })

  it('when the server takes the connection and says nothing', async () => {
    const { mailer } = await smtpServer({ onConnect: () => undefined })
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow(/timeout|greeting/i)
  })

  it('when the server takes the message and never says whether it has it', async () => {
    const { mailer } = await smtpServer({ onData: (stream) => void stream.resume() })
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow(/timeout/i)
  })

  it('when the server drops the connection in between', async () => {
    const { mailer, drop } = await smtpServer({ onMailFrom: () => drop() })
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow(/closed|ECONNRESET|ended/i)
  })

  it('when there is no server any more, and goes when it is back', async () => {
    const { mailer, server, url } = await smtpServer()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await expect(mailer.send(mailOf('confirmed', 0))).rejects.toThrow('ECONNREFUSED')
    const again = await smtpServer()
    await createMailer({ smtpUrl: again.url, mailDir: 'unused', from: 'bookings@acme.test' }).send(
      mailOf('confirmed', 0),
    )
    expect(url).not.toBe(again.url)
    expect(received).toHaveLength(1)
  })
})
