import { codingsOf, decoderFor, isDamage, readUpTo, unpacked, UnknownCoding, type BodyCoding } from '@crm/runtime'
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import type { HookOptions } from '@crm/db'
import { toStorable } from '../outside/storable.ts'
import { readJson } from '../outside/json-from-outside.ts'

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
export async function readTriggerData(
  body: Buffer,
  contentType: string | null,
  accept: HookOptions['accept'] = 'JSON',
): Promise<unknown> {
  if (body.length === 0) return {}
  const form = accept === 'JSON' ? undefined : await readForm(body, contentType ?? '')
  if (form) return form
  if (accept === 'FORM') return {}
  const data = readJson(decoderFor(contentType ?? undefined).decode(body))
  return data === undefined ? {} : data
}

/** Returns the fields of a form, a repeated one as a list; undefined for what is no form. A file is named and left out. */
async function readForm(body: Buffer, contentType: string): Promise<unknown> {
  const [type = ''] = contentType.toLowerCase().split(';', 1)
  if (type.trim() === 'application/x-www-form-urlencoded')
    return fieldsOf([...new URLSearchParams(decoderFor(contentType).decode(body))])
  if (type.trim() !== 'multipart/form-data') return undefined
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
    return fieldsOf([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
  } catch {
    return {}
  }
}

function fieldsOf(pairs: readonly (readonly [name: string, value: string])[]): unknown {
  const byName = Map.groupBy(pairs, ([name]) => name)
  return toStorable(
    Object.fromEntries(
      [...byName].map(([name, found]) => [name, found.length > 1 ? found.map(([, value]) => value) : found[0]?.[1]]),
    ),
  )
}

/** Returns the bytes of a body for inspection: as text if they are text, otherwise in Base64. */
export function toInspectable(body: Buffer): { raw: string; rawEncoding: 'utf8' | 'base64' } {
  const isText = isUtf8(body) && !body.includes(0)
  return isText
    ? { raw: body.toString('utf8'), rawEncoding: 'utf8' }
    : { raw: body.toString('base64'), rawEncoding: 'base64' }
}
