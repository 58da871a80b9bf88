import { isUtf8 } from 'node:buffer'
import { toStorable } from '../storable.ts'

const decoder = new TextDecoder()

/**
 * Returns the trigger data of a body. JSON is parsed whatever the Content-Type says; an empty or any other body becomes
 * `{}`.
 *
 * Text that the database cannot hold (NUL, lone surrogates) becomes U+FFFD; a body of more than 200 levels does not
 * count as JSON.
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

/** Returns the bytes of a body for inspection: as text if they are text, otherwise in Base64. */
export function toInspectable(body: Buffer): { raw: string; rawEncoding: 'utf8' | 'base64' } {
  const isText = isUtf8(body) && !body.includes(0)
  return isText
    ? { raw: body.toString('utf8'), rawEncoding: 'utf8' }
    : { raw: body.toString('base64'), rawEncoding: 'base64' }
}
