import { isUtf8 } from 'node:buffer'

/** How much of a file's beginning tells what it is. */
export const sampleBytes = 64 * 1024

const unknown = 'application/octet-stream'
const plainText = 'text/plain'

/** Kinds of text that no bytes tell apart; the sender's word is taken for them, as long as the file is text at all. */
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

/** Kinds that a browser shows without running anything in them. */
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

/** What a file is, by its first bytes; `declared` only says which kind of text a text is. */
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

/** The Content-Type header of a kind; text is UTF-8, because only that counts as text here. */
export function contentTypeHeader(contentType: string): string {
  return contentType.startsWith('text/') || textTypes.has(contentType) ? `${contentType}; charset=utf-8` : contentType
}

function isText(sample: Uint8Array): boolean {
  const whole = sample.length < sampleBytes ? sample : withoutCutCharacter(sample)
  return isUtf8(whole) && !whole.some(isControl)
}

/** Leaves out a last character of which the sample may hold only the first bytes. */
function withoutCutCharacter(sample: Uint8Array): Uint8Array {
  let end = sample.length
  for (let back = 0; back < 3 && ((sample[end - 1] ?? 0) & 0xc0) === 0x80; back++) end--
  return ((sample[end - 1] ?? 0) & 0xc0) === 0xc0 ? sample.subarray(0, end - 1) : sample
}

/** Tabs, line breaks, form feeds and escapes stand in texts; other control characters do not. */
function isControl(byte: number): boolean {
  return byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)
}
