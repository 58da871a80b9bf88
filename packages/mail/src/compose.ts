import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Mailbox, MailMessage } from './message.ts'
import { piecesOfOctets } from './pieces-of-octets.ts'

/** A message as it goes over the wire, with whom it is handed over for. */
export interface ComposedMessage {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** Headers and body with CRLF (RFC 5322, RFC 2045). */
  readonly raw: Buffer
}

/** One node of the tree that a message is: its headers and what follows them. */
interface Part {
  readonly headers: readonly string[]
  readonly body: string
}

/**
 * Writes a message in one piece. Libraries that write any kind of message stream each part through several others, which
 * costs ten times as much as all else that a booking's mail is made of.
 */
export function composeMessage(message: MailMessage, from: string): ComposedMessage {
  const { to, alsoTo = [], cc = [], fromName, replyTo, subject } = message
  const [sender, recipients, copies] = [{ name: fromName, address: from }, [to, ...alsoTo], cc]
  const { headers, body } = contentOf(message)
  const lines = [
    `From: ${mailbox(sender)}`,
    `To: ${recipients.map(mailbox).join(',\r\n ')}`,
    ...(copies.length > 0 ? [`Cc: ${copies.map(mailbox).join(',\r\n ')}`] : []),
    ...(replyTo ? [`Reply-To: ${mailbox(replyTo)}`] : []),
    `Subject: ${words(subject)}`,
    `Message-ID: <${randomUUID()}@${domainOf(from)}>`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    ...headers,
  ]
  return {
    envelope: { from: asciiAddress(from), to: [...recipients, ...copies].map(({ address }) => asciiAddress(address)) },
    raw: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}\r\n`),
  }
}

function contentOf({ text, html, icalEvent, attachments = [] }: MailMessage): Part {
  const shown = multipart('alternative', [
    textPart('text/plain; charset=utf-8', text),
    ...(html === undefined ? [] : [textPart('text/html; charset=utf-8', html)]),
    ...(icalEvent ? [textPart(`text/calendar; charset=utf-8; method=${icalEvent.method}`, icalEvent.content)] : []),
  ])
  // Some mail programs open the part, some only a file.
  const invitation = icalEvent ? [filePart('application/ics', 'invite.ics', Buffer.from(icalEvent.content))] : []
  return multipart('mixed', [shown, ...invitation, ...attachments.map(({ contentType, filename, content }) => filePart(contentType, filename, content))])
}

function multipart(kind: 'alternative' | 'mixed', parts: readonly [Part, ...Part[]]): Part {
  if (parts.length === 1) return parts[0]
  const boundary = `=_${randomUUID()}`
  const pieces = parts.map(({ headers, body }) => `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${body}\r\n`)
  return { headers: [`Content-Type: multipart/${kind};\r\n boundary="${boundary}"`], body: `${pieces.join('')}--${boundary}--` }
}

// oxlint-disable-next-line no-control-regex
const plainAscii = /^[\t\r\n\u0020-\u007e]*$/
/** Octets of a line without its end (RFC 5322, 2.1.1). */
const lineOctetsMax = 998

function textPart(type: string, content: string): Part {
  const lines = content.split(/\r?\n/)
  const text = lines.join('\r\n')
  const isPlain = plainAscii.test(text) && lines.every(({ length }) => length <= lineOctetsMax)
  return isPlain
    ? { headers: [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 7bit'], body: text }
    : { headers: [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64'], body: base64(Buffer.from(text)) }
}

function filePart(contentType: string, filename: string, content: Uint8Array): Part {
  const headers = [
    `Content-Type: ${oneLine(contentType)};\r\n ${parameter('name', filename)}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment;\r\n ${parameter('filename', filename)}`,
  ]
  return { headers, body: base64(content) }
}

const base64LineLength = 76

function base64(content: Uint8Array): string {
  const encoded = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')
  const lines: string[] = []
  for (let at = 0; at < encoded.length; at += base64LineLength) lines.push(encoded.slice(at, at + base64LineLength))
  return lines.join('\r\n')
}

/** A parameter of a header: as it is, or percent-encoded (RFC 2231). */
function parameter(name: string, value: string): string {
  if (/^[\w.+-]+$/.test(value)) return `${name}=${value}`
  const encoded = encodeURIComponent(value.toWellFormed()).replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${name}*=utf-8''${encoded}`
}

function mailbox({ name = '', address }: Mailbox): string {
  const shown = oneLine(name).trim()
  return shown === '' ? asciiAddress(address) : `${phrase(shown)} <${asciiAddress(address)}>`
}

function phrase(name: string): string {
  if (/^[\w !#$%&'*+/^`{|}~-]+$/.test(name) && name.length <= plainLengthMax) return name
  const isQuotable = plainAscii.test(name) && name.length <= plainLengthMax
  return isQuotable ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : encodedWords(name)
}

/** Longer text is written in encoded words, which are folded. */
const plainLengthMax = 60

/** Text of a header: as it is, or as encoded words. */
function words(value: string): string {
  const text = oneLine(value)
  return plainAscii.test(text) && text.length <= plainLengthMax && !text.includes('=?') ? text : encodedWords(text)
}

/** Octets of text in one encoded word, which has 75 characters at most (RFC 2047). */
const wordOctetsMax = 45

function encodedWords(text: string): string {
  return piecesOfOctets(text.toWellFormed(), wordOctetsMax).map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')
}

/** No value of a header begins another one. */
function oneLine(value: string): string {
  // oxlint-disable-next-line no-control-regex
  return value.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
}

function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  // oxlint-disable-next-line no-control-regex
  if (at < 1 || /[\u0000-\u0020\u007f<>,;:"()[\]\\]/.test(address)) throw new Error('This is no address that mail could go to')
  return `${address.slice(0, at)}@${domainOf(address)}`
}

function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  // oxlint-disable-next-line no-control-regex
  return /^[\u0021-\u007e]+$/.test(domain) ? domain : domainToASCII(domain)
}
