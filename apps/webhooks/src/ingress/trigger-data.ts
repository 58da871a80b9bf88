import { codingsOf, decoderFor, isDamage, readUpTo, unpacked, UnknownCoding, type BodyCoding } from '@crm/runtime'
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { readJson } from '../json-from-outside.ts'

const takenCodings: readonly BodyCoding[] = ['gzip', 'x-gzip', 'deflate', 'br']

/** Why the codings of a body cannot be taken off. */
export type CodingFault = 'unknown' | 'too large'

/**
 * Takes the codings off a body, up to a number of bytes. A damaged body stays as it came: it is not JSON, and starts a workflow with
 * empty data.
 */
export async function unpack(
  body: Buffer,
  contentEncoding: string | undefined,
  bytesMax: number,
): Promise<Buffer | CodingFault> {
  if (contentEncoding === undefined || body.length === 0) return body
  try {
    const codings = codingsOf(contentEncoding, takenCodings)
    const read = await readUpTo(unpacked(Readable.from([body]), codings), bytesMax)
    if (isDamage(read.fault)) return body
    return read.isWhole ? read.bytes : 'too large'
  } catch (error) {
    if (error instanceof UnknownCoding) return 'unknown'
    throw error
  }
}

/**
 * Returns the trigger data of a body. JSON is parsed whatever the Content-Type says, in the charset that it names; an empty or any other
 * body becomes `{}`.
 *
 * Text that the database cannot hold (NUL, lone surrogates) becomes U+FFFD; a body of more than 200 levels does not
 * count as JSON.
 */
export function readTriggerData(body: Buffer, contentType: string | null): unknown {
  if (body.length === 0) return {}
  const data = readJson(decoderFor(contentType ?? undefined).decode(body))
  return data === undefined ? {} : data
}

/** Returns the bytes of a body for inspection: as text if they are text, otherwise in Base64. */
export function toInspectable(body: Buffer): { raw: string; rawEncoding: 'utf8' | 'base64' } {
  const isText = isUtf8(body) && !body.includes(0)
  return isText
    ? { raw: body.toString('utf8'), rawEncoding: 'utf8' }
    : { raw: body.toString('base64'), rawEncoding: 'base64' }
}
