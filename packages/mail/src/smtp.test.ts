import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { writeGuestMail, type BookingFacts } from './booking-mail.ts'
import { createMailer, type Mailer } from './mailer.ts'
import type { SmtpLimits } from './smtp.ts'
import type { BookingChange } from './texts/booking-wording.ts'

const servers: SMTPServer[] = []
const received: { readonly from: string; readonly to: string[]; readonly content: string }[] = []

afterEach(async () => {
  received.length = 0
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
})

/** Times that a busy machine keeps, too; a test whose server is silent shortens the one that it waits for. */
const patience: SmtpLimits = { connectMs: 25_000, beforeMs: 25_000, afterMs: 25_000 }
const silenceMs = 300

/** Starts a real SMTP server that keeps accepted messages; `behaviour` changes its answers. */
async function smtpServer(
  behaviour: SMTPServerOptions = {},
  limits: Partial<SmtpLimits> = {},
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
    mailer: createMailer({
      smtpUrl: url,
      mailDir: 'unused',
      from: 'bookings@acme.test',
      limits: { ...patience, ...limits },
    }),
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

const message = { to: { address: 'zoe@guest.test' }, subject: 'Hello', text: 'A line' }
const refuse = (code: number, said: string) => Object.assign(new Error(said), { responseCode: code })
const nobody = { sent: [], refused: [], waiting: [], unknown: [] }
const zoe = (said: unknown) => [{ address: 'zoe@guest.test', said }]

describe('a message that never arrived', () => {
  it.each([550, 552, 553])('is refused for good where the server answers the recipient %d', async (code) => {
    const { mailer } = await smtpServer({
      onRcptTo: (_address, _session, done) => done(refuse(code, 'no such mailbox')),
    })
    expect(await mailer.send(message)).toEqual({ ...nobody, refused: zoe(`${code} no such mailbox`) })
  })

  it.each([421, 450, 451, 452])('waits where the server answers the recipient %d', async (code) => {
    const { mailer } = await smtpServer({
      onRcptTo: (_address, _session, done) => done(refuse(code, 'try again later')),
    })
    expect(await mailer.send(message)).toEqual({ ...nobody, waiting: zoe(`${code} try again later`) })
  })

  it('is refused or waits as the server says of the content', async () => {
    const answers = [554, 451]
    const { mailer } = await smtpServer({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => done(refuse(answers.shift() ?? 0, 'the filter says no'))),
    })
    expect(await mailer.send(message)).toEqual({ ...nobody, refused: zoe('554 the filter says no') })
    expect(await mailer.send(message)).toEqual({ ...nobody, waiting: zoe('451 the filter says no') })
  })

  it('is refused or waits as the server says of the sender', async () => {
    const answers = [550, 451]
    const { mailer } = await smtpServer({
      onMailFrom: (_address, _session, done) => done(refuse(answers.shift() ?? 0, 'not from you')),
    })
    expect(await mailer.send(message)).toEqual({ ...nobody, refused: zoe('550 not from you') })
    expect(await mailer.send(message)).toEqual({ ...nobody, waiting: zoe('451 not from you') })
  })

  it('waits where the server takes the connection and says nothing, or the password does not fit', async () => {
    const { mailer } = await smtpServer({ onConnect: () => undefined }, { connectMs: silenceMs })
    expect(await mailer.send(message)).toEqual({
      ...nobody,
      waiting: zoe(expect.stringMatching(/timeout|greeting|too long/i)),
    })
    const { url } = await smtpServer({ onAuth: (_auth, _session, done) => done(refuse(535, 'wrong password')) })
    const wrong = createMailer({ smtpUrl: url.replace('//', '//u:p@'), mailDir: 'unused', from: 'crm@acme.test' })
    expect((await wrong.send(message)).waiting).toEqual(zoe(expect.stringContaining('535')))
  })

  it('waits where the server drops the connection before the end of the message', async () => {
    const { mailer, drop } = await smtpServer({ onMailFrom: () => drop() })
    expect(await mailer.send(message)).toEqual({ ...nobody, waiting: zoe(expect.stringMatching(/closed|ECONNRESET/i)) })
  })

  it('waits where the server is silent before the end of the message', async () => {
    const { mailer } = await smtpServer({ onRcptTo: () => undefined }, { beforeMs: silenceMs })
    expect(await mailer.send(message)).toMatchObject({ unknown: [], waiting: [{ address: 'zoe@guest.test' }] })
  })

  it('waits where there is no server any more, and goes when it is back', async () => {
    const { mailer, server, url } = await smtpServer()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect((await mailer.send(message)).waiting).toEqual(zoe(expect.stringContaining('ECONNREFUSED')))
    const again = await smtpServer()
    const other = createMailer({ smtpUrl: again.url, mailDir: 'unused', from: 'bookings@acme.test' })
    expect(await other.send(message)).toEqual({ ...nobody, sent: ['zoe@guest.test'] })
    expect(url).not.toBe(again.url)
    expect(received).toHaveLength(1)
  })
})

describe('a message that was handed over whole', () => {
  it('arrives once where the server thinks longer than the time before it', async () => {
    const beforeMs = 1_500
    const { mailer } = await smtpServer(
      { onData: (stream, _session, done) => stream.resume().on('end', () => setTimeout(done, beforeMs + silenceMs)) },
      { beforeMs },
    )
    const handedOver: boolean[] = []
    expect(await mailer.send(message, { onHandedOver: () => handedOver.push(true) })).toEqual({
      ...nobody,
      sent: ['zoe@guest.test'],
    })
    expect(handedOver).toEqual([true])
  })

  it('has an unknown end where the server never says whether it has it, and is not sent again', async () => {
    let times = 0
    const { mailer } = await smtpServer(
      { onData: (stream) => void (stream.resume(), (times += 1)) },
      { afterMs: silenceMs },
    )
    expect(await mailer.send(message)).toEqual({ ...nobody, unknown: ['zoe@guest.test'] })
    expect(times).toBe(1)
  })

  it('has an unknown end where the connection is cut before the answer, over a new or a used connection', async () => {
    const cuts = [false, true, true]
    let times = 0
    const { mailer, drop } = await smtpServer({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => ((times += 1), cuts.shift() ? drop() : done())),
    })
    expect(await mailer.send(message)).toEqual({ ...nobody, sent: ['zoe@guest.test'] })
    for (const _connection of ['used', 'new'])
      expect(await mailer.send(message)).toEqual({ ...nobody, unknown: ['zoe@guest.test'] })
    expect(times).toBe(3)
  })
})

describe('several recipients', () => {
  const several = { ...message, alsoTo: [{ address: 'bea@guest.test' }], cc: [{ address: 'cyr@müller.test' }] }
  const answering = (answers: Readonly<Record<string, number>>) =>
    smtpServer({
      onRcptTo: ({ address }, _session, done) =>
        answers[address] === undefined ? done() : done(refuse(answers[address], 'not now')),
    })

  it('are told apart, and only those who wait are tried again; the message names them all', async () => {
    const { mailer } = await answering({ 'bea@guest.test': 550, 'cyr@müller.test': 450 })
    const first = await mailer.send({ ...several, id: 'one' })
    expect(first).toEqual({
      sent: ['zoe@guest.test'],
      refused: [{ address: 'bea@guest.test', said: '550 not now' }],
      waiting: [{ address: 'cyr@müller.test', said: '450 not now' }],
      unknown: [],
    })
    const well = await smtpServer()
    const only = first.waiting.map(({ address }) => address)
    expect(await well.mailer.send({ ...several, id: 'one' }, { only })).toEqual({
      ...nobody,
      sent: ['cyr@müller.test'],
    })
    expect(received.map(({ to }) => to)).toEqual([['zoe@guest.test'], ['cyr@müller.test']])
    for (const { content } of received) {
      expect(content).toContain('Message-ID: <one@acme.test>')
      expect(content).toMatch(/^To: zoe@guest.test, bea@guest.test\r$/m)
    }
  })

  it('are named one by one where none is taken', async () => {
    const { mailer } = await answering({
      'zoe@guest.test': 450,
      'bea@guest.test': 550,
      'cyr@müller.test': 550,
    })
    expect(await mailer.send(several)).toEqual({
      ...nobody,
      refused: ['bea@guest.test', 'cyr@müller.test'].map((address) => ({ address, said: '550 not now' })),
      waiting: zoe('450 not now'),
    })
  })

  it('go without an address that mail servers do not take everywhere', async () => {
    const { mailer } = await smtpServer()
    expect(
      await mailer.send({ ...message, alsoTo: [{ address: 'jörg@müller.test' }, { address: 'no address' }] }),
    ).toEqual({
      ...nobody,
      sent: ['zoe@guest.test'],
      refused: ['jörg@müller.test', 'no address'].map((address) => ({
        address,
        said: 'This is no address that mail could go to',
      })),
    })
    expect(received.map(({ to, content }) => [to, content.includes('jörg')])).toEqual([[['zoe@guest.test'], false]])
  })
})

it('says of a mail that nobody wrote that a machine made it', async () => {
  const { mailer } = await smtpServer()
  await mailer.send(message)
  await mailer.send({ ...message, isWritten: true })
  const automatic = /^Auto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: OOF, AutoReply\r$/m
  expect(received.map(({ content }) => automatic.test(content))).toEqual([true, false])
})
