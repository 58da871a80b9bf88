import { isUtf8 } from 'node:buffer'
import { toStorable } from '../storable.ts'

const decoder = new TextDecoder()

/**
 * The trigger data that a body means: JSON whatever its Content-Type says; an empty body or anything else is `{}`.
 *
 * Text that the database cannot hold (NUL, lone surrogates) becomes U+FFFD; more than 200 levels count as no JSON.
 */
export function readTriggerData(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    const data = toStorable(JSON.parse(decoder.decode(body)))
    return data === undefined ? {} : data
  } catch {
    return {}
  }
}

/** The bytes of a body for inspection: as text where they are text, else in Base64. */
export function toInspectable(body: Buffer): { raw: string; rawEncoding: 'utf8' | 'base64' } {
  const isText = isUtf8(body) && !body.includes(0)
  return isText
    ? { raw: body.toString('utf8'), rawEncoding: 'utf8' }
    : { raw: body.toString('base64'), rawEncoding: 'base64' }
}
