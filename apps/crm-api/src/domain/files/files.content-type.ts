import { isUtf8 } from 'node:buffer'

/** The number of bytes at the beginning of a file by which its type is recognised. */
export const sampleBytes = 64 * 1024

const unknown = 'application/octet-stream'
const plainText = 'text/plain'

/** Text types that no bytes tell apart; the declared type is accepted for them, as long as the file is text at all. */
const textTypes: ReadonlySet<string> = new Set([
  plainText,
  'text/csv',
  'text/markdown',
  'text/tab-separated-values',
  'text/calendar',
  'text/vcard',
  'text/html',
  'text/css',
  'text/xml',
  'application/xml',
  'application/json',
  'image/svg+xml',
])

/** Types that a browser shows without running anything in them. */
const safeInlineTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  plainText,
  'application/pdf',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'video/mp4',
  'video/webm',
])

/** Recognises the type of a file by its first bytes; `declared` only chooses among the types of text. */
export async function sniffContentType(sample: Uint8Array, declared: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (found && !textTypes.has(found.mime)) return found.mime
  if (!isText(sample)) return unknown
  const kind = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (textTypes.has(kind)) return kind
  return found ? found.mime : plainText
}

/** Whether a file may open in the browser instead of being saved. */
export function opensInline(contentType: string): boolean {
  return safeInlineTypes.has(contentType)
}

/** Returns the Content-Type header of a type; the charset is UTF-8, because only UTF-8 counts as text here. */
export function contentTypeHeader(contentType: string): string {
  return contentType.startsWith('text/') || textTypes.has(contentType) ? `${contentType}; charset=utf-8` : contentType
}

function isText(sample: Uint8Array): boolean {
  const whole = sample.length < sampleBytes ? sample : withoutCutCharacter(sample)
  return isUtf8(whole) && !whole.some(isControl)
}

/** Removes a last character of which the sample may hold only the first bytes. */
function withoutCutCharacter(sample: Uint8Array): Uint8Array {
  let end = sample.length
  for (let back = 0; back < 3 && ((sample[end - 1] ?? 0) & 0xc0) === 0x80; back++) end--
  return ((sample[end - 1] ?? 0) & 0xc0) === 0xc0 ? sample.subarray(0, end - 1) : sample
}

/** Whether a byte is a control character that texts do not have; tabs, line breaks, form feeds and escapes occur in texts. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)
}
