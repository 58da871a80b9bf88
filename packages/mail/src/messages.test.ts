import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMailer } from './mailer.ts'
import type { MailMessage } from './message.ts'

const dir = mkdtempSync(join(tmpdir(), 'crm-messages-'))
afterAll(() => rmSync(dir, { recursive: true }))

const plain: MailMessage = { to: { address: 'zoe@guest.test' }, subject: 'Hello', text: 'A line' }
const from = 'bookings@acme.test'

/** Returns the message as sent. */
async function written(message: Partial<MailMessage>): Promise<string> {
  const mailDir = mkdtempSync(join(dir, 'mail-'))
  await createMailer({ mailDir, from }).send({ ...plain, ...message })
  const [file = ''] = readdirSync(mailDir)
  return readFileSync(join(mailDir, file), 'utf8')
}

/** Returns the recipients whom a message cannot go to. */
async function refusedOf(message: Partial<MailMessage>): Promise<unknown> {
  const mailDir = mkdtempSync(join(dir, 'mail-'))
  const { refused } = await createMailer({ mailDir, from }).send({ ...plain, ...message })
  return readdirSync(mailDir).length === 0 ? refused : 'it was written'
}

const headOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ')

/** Returns one header, unfolded and with its encoded words decoded. */
function header(raw: string, name: string): string | undefined {
  const value = new RegExp(`^${name}: (.*)$`, 'm').exec(headOf(raw))?.[1]
  const octets = (text: string): Buffer =>
    Buffer.from(
      text
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/g, (_sign, code: string) => String.fromCharCode(parseInt(code, 16))),
      'latin1',
    )
  return value
    ?.replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(B|Q)\?([^?]*)\?=/gi, (_word, kind: string, encoded: string) =>
      (kind.toUpperCase() === 'B' ? Buffer.from(encoded, 'base64') : octets(encoded)).toString(),
    )
}

describe('headers', () => {
  it('carry any text, in lines that fit', async () => {
    for (const subject of ['Hello', 'Grüße, '.repeat(40).trim(), '🦊'.repeat(60), 'ASCII, '.repeat(60).trim()]) {
      const raw = await written({ subject })
      expect(header(raw, 'Subject')).toBe(subject)
      expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(100)
    }
  })

  it('begin no other header, whatever stands in names and subjects', async () => {
    const raw = await written({
      subject: 'Hi\r\nBcc: all@evil.test',
      fromName: 'Ada\nX-Evil: 1',
      to: { name: 'Zoë\r\nX: y', address: 'zoe@guest.test' },
    })
    expect(headOf(raw)).not.toMatch(/^(Bcc|X-Evil|X):/m)
  })

  it('quote names with signs of their own and list everybody', async () => {
    const raw = await written({
      fromName: 'Ada "A", Admin',
      alsoTo: [{ name: 'Bo', address: 'bo@guest.test' }],
      cc: [{ address: 'cy@guest.test' }],
      replyTo: { name: 'Ada', address: 'ada@acme.test' },
    })
    expect(header(raw, 'From')).toBe(String.raw`"Ada \"A\", Admin" <bookings@acme.test>`)
    expect([header(raw, 'To'), header(raw, 'Cc'), header(raw, 'Reply-To')]).toEqual([
      'zoe@guest.test, Bo <bo@guest.test>',
      'cy@guest.test',
      'Ada <ada@acme.test>',
    ])
    expect(header(raw, 'Message-ID')).toMatch(/^<[\w-]+@acme\.test>$/)
    expect(header(raw, 'Date')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
  })

  it('hold addresses only: domains in ASCII, nothing that ends one', async () => {
    expect(await written({ to: { address: 'zoe@grüße.test' } })).toContain('To: zoe@xn--gre-6ka8l.test')
    for (const address of [
      'zoe',
      'a b@guest.test',
      'zoe@guest.test>, <all@evil.test',
      'zoe@guest.test\r\nBcc: x@evil.test',
    ]) {
      expect(await refusedOf({ to: { address } })).toEqual([
        { address, said: 'This is no address that mail could go to' },
      ])
    }
  })
})

describe('the body', () => {
  it('is one part when there is text alone, readable as long as it is ASCII in lines that fit', async () => {
    expect(await written({ text: 'A line\nand another' })).toMatch(
      /Content-Transfer-Encoding: 7bit\r\n[\s\S]*\r\n\r\nA line\r\nand another\r\n$/,
    )
    expect(await written({ text: 'Привет' })).toContain(Buffer.from('Привет').toString('base64'))
  })

  it('carries files of any name as they are', async () => {
    const content = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    const raw = await written({
      attachments: [{ filename: 'Angebot für "Zoë".pdf', contentType: 'application/pdf', content }],
    })
    const [, head = '', file = ''] = /(Content-Type: application\/pdf[\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/.exec(raw) ?? []
    const name = [...head.matchAll(/filename\*\d*\*?=(?:utf-8'')?([^;\s]+)/g)].map(([, part]) => part).join('')
    expect(decodeURIComponent(name)).toBe('Angebot für "Zoë".pdf')
    expect([...Buffer.from(file, 'base64')]).toEqual([...content])
  })
})
