import { isUtf8 } from 'node:buffer'

const depthMax = 200

/** What stands for a value that is too deep to be JSON. */
const tooDeep = Symbol('too deep')

/**
 * The trigger data that a body means: JSON whatever its Content-Type says; an empty body or anything else is `{}`.
 *
 * Text that the database cannot hold (NUL, lone surrogates) becomes U+FFFD; more than 200 levels count as no JSON.
 */
export function readTriggerData(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    const data = toStorable(JSON.parse(new TextDecoder().decode(body)), 0)
    return data === tooDeep ? {} : data
  } catch {
    return {}
  }
}

function toStorable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return tooDeep
  if (Array.isArray(value)) {
    const items = value.map((item) => toStorable(item, depth + 1))
    return items.includes(tooDeep) ? tooDeep : items
  }
  const entries = Object.entries(value).map(([key, item]) => [toStorableText(key), toStorable(item, depth + 1)] as const)
  // Object.fromEntries makes own properties of every key, `__proto__` too.
  return entries.some(([, item]) => item === tooDeep) ? tooDeep : Object.fromEntries(entries)
}

function toStorableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

/** The bytes of a body for inspection: as text where they are text, else in Base64. */
export function toInspectable(body: Buffer): { raw: string; rawEncoding: 'utf8' | 'base64' } {
  const isText = isUtf8(body) && !body.includes(0)
  return isText ? { raw: body.toString('utf8'), rawEncoding: 'utf8' } : { raw: body.toString('base64'), rawEncoding: 'base64' }
}
