import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createMailer, MailPausedError, TooMuchMailError } from './mailer.ts'
import type { MailMessage } from './message.ts'

const ownDir = mkdtempSync(join(tmpdir(), 'crm-mail-'))
afterAll(() => rmSync(ownDir, { recursive: true }))
const mailDir = join(ownDir, 'new')

const message: MailMessage = {
  to: { name: 'Zoë', address: 'zoe@guest.test' },
  fromName: 'Ada',
  subject: 'Hello',
  text: 'A line',
  html: '<p>A line</p>',
  icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
}

it('writes a message into a folder that it makes', async () => {
  await createMailer({ mailDir, from: 'bookings@acme.test' }).send(message)
  const [file, ...others] = readdirSync(mailDir)
  expect(others).toEqual([])
  const content = readFileSync(join(mailDir, file ?? ''), 'utf8')
  expect(content).toContain('From: Ada <bookings@acme.test>')
  expect(content).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST')
  expect(content).toContain('filename=invite.ics')
})

it('keeps messages from other people of the machine, in a folder that is there already as well', async () => {
  const opened = join(ownDir, 'opened')
  mkdirSync(opened, { mode: 0o755 })
  for (const dir of [join(ownDir, 'made', 'deep'), opened]) {
    await createMailer({ mailDir: dir, from: 'bookings@acme.test' }).send(message)
    const [file = ''] = readdirSync(dir)
    expect([statSync(dir).mode & 0o777, statSync(join(dir, file)).mode & 0o777]).toEqual([0o700, 0o600])
  }
})

it('refuses a recipient who has had enough', async () => {
  const asked: string[] = []
  const mailer = createMailer({
    mailDir,
    from: 'bookings@acme.test',
    mayReceive: async (address) => asked.push(address) < 2,
  })
  await mailer.send(message)
  await expect(mailer.send(message)).rejects.toThrow(TooMuchMailError)
  expect(asked).toEqual(['zoe@guest.test', 'zoe@guest.test'])
})

it('waits when the server takes no mail at all', async () => {
  const server = createServer((socket) => socket.end('554 no service\r\n')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailDir, from: 'bookings@acme.test' })
  expect((await mailer.send(message)).waiting).toMatchObject([{ said: expect.stringContaining('554') }])
  server.close()
})

it('sends nothing while nothing may leave the installation', async () => {
  const dir = join(ownDir, 'paused')
  let may = false
  const mailer = createMailer({ mailDir: dir, from: 'bookings@acme.test', maySend: async () => may })
  await expect(mailer.send(message)).rejects.toThrow(MailPausedError)
  may = true
  await mailer.send(message)
  expect(readdirSync(dir)).toHaveLength(1)
})
