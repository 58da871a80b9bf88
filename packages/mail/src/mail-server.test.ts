import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { mailConfig } from './mail-config.ts'
import { explainMailServer, mailServerOf } from './mail-server.ts'
import { createMailer } from './mailer.ts'
import { greetMailServer } from './smtp.ts'

const servers: SMTPServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
})

/** Starts a real SMTP server, which offers STARTTLS with a certificate that it signed itself unless told otherwise. */
async function smtpServer(behaviour: SMTPServerOptions = {}): Promise<{ port: number; secure: boolean[] }> {
  const secure: boolean[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onData: (stream, session, done) => stream.resume().on('end', () => (secure.push(session.secure), done())),
    ...behaviour,
  })
  server.on('error', () => undefined)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.server.address() as AddressInfo).port, secure }
}

async function sentOver(smtpUrl: string): Promise<'sent' | 'waits'> {
  const mailer = createMailer({ smtpUrl, mailDir: 'unused', from: 'crm@acme.test' })
  const { sent } = await mailer.send({ to: { address: 'zoe@guest.test' }, subject: 'Hello', text: 'A line' })
  return sent.length === 1 ? 'sent' : 'waits'
}

const withoutTls: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }

describe('encryption', () => {
  it.each([
    ['verify', 'waits', []],
    ['require', 'waits', []],
    ['opportunistic', 'sent', [true]],
    ['off', 'sent', [false]],
  ])('tls=%s with a certificate that nobody signed: %s', async (tls, outcome, secure) => {
    const server = await smtpServer()
    expect(await sentOver(`smtp://127.0.0.1:${server.port}?tls=${tls}`)).toBe(outcome)
    expect(server.secure).toEqual(secure)
  })

  it.each([
    ['verify', 'sent', [false]],
    ['require', 'waits', []],
    ['opportunistic', 'sent', [false]],
    ['off', 'sent', [false]],
  ])('tls=%s with a server that offers none: %s', async (tls, outcome, secure) => {
    const server = await smtpServer(withoutTls)
    expect(await sentOver(`smtp://127.0.0.1:${server.port}?tls=${tls}`)).toBe(outcome)
    expect(server.secure).toEqual(secure)
  })

  it('is asked for wherever a password would leave this machine, and the certificate is that of the given name', () => {
    const asked = (url: string) => mailServerOf(url).requireTLS
    expect(['verify', 'opportunistic', 'require'].map((tls) => asked(`smtp://u:p@mail.example?tls=${tls}`))).toEqual([
      true,
      true,
      true,
    ])
    expect(['localhost', '127.0.0.1', '[::1]'].map((host) => asked(`smtp://u:p@${host}`))).toEqual([
      false,
      false,
      false,
    ])
    expect(asked('smtp://mail.example')).toBe(false)
    expect(mailServerOf('smtps://10.0.0.5?servername=mail.example').tls).toEqual({
      servername: 'mail.example',
      rejectUnauthorized: true,
    })
  })
})

describe('what is wrong is said with the setting that helps', () => {
  const fault = (smtpUrl: string) =>
    greetMailServer(smtpUrl).then(
      () => undefined,
      (error: unknown) => explainMailServer(error),
    )

  it('a certificate that nobody signed', async () => {
    const { port } = await smtpServer()
    expect((await fault(`smtp://127.0.0.1:${port}`))?.remedy).toContain('tls=opportunistic')
  })

  it('no encryption where it is asked for', async () => {
    const { port } = await smtpServer(withoutTls)
    expect((await fault(`smtp://127.0.0.1:${port}?tls=require`))?.fault).toContain('offers no encryption')
  })

  it('nothing that a setting would mend', async () => {
    const { port } = await smtpServer({ onConnect: (_session, done) => done(new Error('not today')) })
    expect(await fault(`smtp://127.0.0.1:${port}`)).toBeUndefined()
  })
})

it.each([
  ['smtp://mail.example?tls=maybe', 'tls is one of require, verify, opportunistic, off'],
  ['smtp://mail.example?pool=true', 'It may say tls and servername, not pool'],
  ['smtps://mail.example?tls=off', 'tls=off does not go with smtps'],
  ['smtp://u:p@mail.example?tls=off', 'the password would be readable on the way'],
  ['smtp://u:p@localhost?tls=off', undefined],
  ['smtp://mail.example:25?tls=off', undefined],
  ['smtps://mail.example?servername=other.example&tls=require', undefined],
])('SMTP_URL=%s: %s', (url, said) => {
  const judged = mailConfig.SMTP_URL.safeParse(url)
  if (said === undefined) expect(judged.success).toBe(true)
  else expect(judged.error?.issues[0]?.message).toContain(said)
})
