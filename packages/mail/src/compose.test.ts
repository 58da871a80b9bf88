import { describe, expect, it } from 'vitest'
import { composeMessage } from './compose.ts'
import type { MailMessage } from './message.ts'

const plain: MailMessage = { to: { address: 'zoe@guest.test' }, subject: 'Hello', text: 'A line' }
const from = 'bookings@acme.test'

function written(message: Partial<MailMessage>): string {
  return composeMessage({ ...plain, ...message }, from).raw.toString()
}

/** One header, unfolded, with its encoded words read. */
function header(raw: string, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n /g, ' ')
  const value = new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1]
  return value?.replaceAll(/\?= =\?/g, '?==?').replaceAll(/=\?utf-8\?B\?([^?]*)\?=/g, (_word, encoded: string) => Buffer.from(encoded, 'base64').toString())
}

describe('headers', () => {
  it('carry any text: short ASCII as it is, all else in encoded words of at most 75 characters that split no character', () => {
    for (const subject of ['Hello', 'Grüße, '.repeat(40).trim(), '🦊'.repeat(60), 'ASCII, '.repeat(60).trim(), 'looks =?utf-8?B?eA==?= encoded']) {
      const raw = written({ subject })
      expect(header(raw, 'Subject')).toBe(subject)
      expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(85)
    }
  })

  it('begin no other header, whatever stands in names and subjects', () => {
    const raw = written({ subject: 'Hi\r\nBcc: all@evil.test', fromName: 'Ada\nX-Evil: 1', to: { name: 'Zoë\r\nX: y', address: 'zoe@guest.test' } })
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^(Bcc|X-Evil|X):/m)
  })

  it('quote names with signs of their own and list everybody', () => {
    const raw = written({ fromName: 'Ada "A", Admin', alsoTo: [{ name: 'Bo', address: 'bo@guest.test' }], cc: [{ address: 'cy@guest.test' }], replyTo: { name: 'Ada', address: 'ada@acme.test' } })
    expect(header(raw, 'From')).toBe(String.raw`"Ada \"A\", Admin" <bookings@acme.test>`)
    expect([header(raw, 'To'), header(raw, 'Cc'), header(raw, 'Reply-To')]).toEqual(['zoe@guest.test, Bo <bo@guest.test>', 'cy@guest.test', 'Ada <ada@acme.test>'])
    expect(header(raw, 'Message-ID')).toMatch(/^<[\w-]+@acme\.test>$/)
    expect(header(raw, 'Date')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
  })

  it('hold addresses only: domains in ASCII, nothing that ends one', () => {
    const { envelope, raw } = composeMessage({ ...plain, to: { address: 'zoe@grüße.test' } }, from)
    expect(envelope).toEqual({ from, to: ['zoe@xn--gre-6ka8l.test'] })
    expect(raw.toString()).toContain('To: zoe@xn--gre-6ka8l.test')
    for (const address of ['zoe', 'a b@guest.test', 'zoe@guest.test>, <all@evil.test', 'zoe@guest.test\r\nBcc: x@evil.test']) {
      expect(() => composeMessage({ ...plain, to: { address } }, from)).toThrow('no address')
    }
  })
})

describe('the body', () => {
  it('is one part when there is text alone, readable as long as it is ASCII in lines that fit', () => {
    expect(written({ text: 'A line\nand another' })).toMatch(/Content-Transfer-Encoding: 7bit\r\n\r\nA line\r\nand another\r\n$/)
    expect(written({ text: 'Привет' })).toContain(Buffer.from('Привет').toString('base64'))
    expect(written({ text: 'x'.repeat(999) })).toContain('Content-Transfer-Encoding: base64')
  })

  it('carries files of any name as they are', () => {
    const content = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    const raw = written({ attachments: [{ filename: 'Angebot für "Zoë".pdf', contentType: 'application/pdf', content }] })
    const name = /filename\*=utf-8''(\S+)/.exec(raw)?.[1] ?? ''
    expect(decodeURIComponent(name)).toBe('Angebot für "Zoë".pdf')
    const file = raw.split('Content-Disposition: attachment')[1]?.split('\r\n\r\n')[1]?.split('\r\n--')[0] ?? ''
    expect([...Buffer.from(file, 'base64')]).toEqual([...content])
  })
})
