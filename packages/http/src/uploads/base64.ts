const quote = 0x22
const backslash = 0x5c
const nameBytesMax = 100

/** The position of a text in a JSON document, without its quotes. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Finds the text of a member of the outermost object without parsing the document: a base64 file would not fit into memory twice. */
export function findText(json: Buffer, name: string): Place | undefined {
  let depth = 0
  let at = 0
  while (at < json.length) {
    const byte = json[at]
    if (byte !== quote) {
      if (byte === 0x7b || byte === 0x5b) depth++
      if (byte === 0x7d || byte === 0x5d) depth--
      at++
      continue
    }
    const end = endOfText(json, at + 1)
    if (end === -1) return undefined
    const isNamed = depth === 1 && end - at <= nameBytesMax && json.toString('utf8', at + 1, end) === name
    const value = isNamed ? valueAfter(json, end + 1) : -1
    if (value !== -1 && json[value] === quote) {
      const start = value + 1
      const stop = endOfText(json, start)
      return stop === -1 ? undefined : { start, end: stop }
    }
    at = end + 1
  }
  return undefined
}

/** Returns the position of the next quote that no backslash escapes; -1 when there is none. */
function endOfText(json: Buffer, from: number): number {
  let end = json.indexOf(quote, from)
  while (end !== -1 && isEscaped(json, from, end)) end = json.indexOf(quote, end + 1)
  return end
}

function isEscaped(json: Buffer, from: number, at: number): boolean {
  let first = at
  while (first > from && json[first - 1] === backslash) first--
  return (at - first) % 2 === 1
}

/** Returns the position of the value after a colon; -1 when no colon follows. */
function valueAfter(json: Buffer, from: number): number {
  const colon = skipSpace(json, from)
  return json[colon] === 0x3a ? skipSpace(json, colon + 1) : -1
}

function skipSpace(json: Buffer, from: number): number {
  let at = from
  while ([0x20, 0x09, 0x0a, 0x0d].includes(json[at] ?? -1)) at++
  return at
}

/** The error for a text that is not base64. */
export class Base64Error extends Error {}

const sliceBytes = 768 * 1024
const longestEscape = 6

/**
 * Decodes base64 inside a JSON text, slice by slice; some senders escape its slashes or break its lines.
 * @throws {Base64Error}
 */
export function* decodeBase64(text: Buffer): Generator<Buffer> {
  let rest = ''
  for (let at = 0; at < text.length; at += sliceBytes) {
    const isLast = at + sliceBytes >= text.length
    const raw = rest + text.toString('latin1', at, at + sliceBytes)
    const cut = isLast ? raw.length : beginOfLastEscape(raw)
    const plain = unescaped(raw.slice(0, cut)).replaceAll(/[\r\n\t ]+/g, '')
    const whole = isLast ? plain.length : plain.length - (plain.length % 4)
    const decodable = plain.slice(0, whole)
    if (!(isLast ? isEnd(decodable) : /^[A-Za-z0-9+/]*$/.test(decodable)))
      throw new Base64Error('The text is not base64')
    yield Buffer.from(decodable, 'base64')
    rest = plain.slice(whole) + raw.slice(cut)
  }
}

/** Base64 has no backslash of its own, so the end of the slice may split the text from the last backslash on. */
function beginOfLastEscape(raw: string): number {
  const last = raw.lastIndexOf('\\')
  return last === -1 || last < raw.length - longestEscape ? raw.length : last
}

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    throw new Base64Error('The text is not base64')
  }
}

/** Padding is optional, but any padding must fit. */
function isEnd(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  const isPadded = digits.length !== text.length
  return /^[A-Za-z0-9+/]*$/.test(digits) && digits.length % 4 !== 1 && (!isPadded || text.length % 4 === 0)
}
