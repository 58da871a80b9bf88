import type { ByteRange } from '@crm/storage'

/** The part of a file that a request gets: the whole, one range, or none because the range lies outside. */
export type Part = 'WHOLE' | 'OUTSIDE' | ByteRange

/** Returns the part for a `Range` header (RFC 9110, section 14); a header that is not one usable range of bytes is ignored. */
export function decidePart(header: string | undefined, size: number): Part {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(/\s/g, '') ?? '')
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return 'WHOLE'
  if (from === '') return lastBytes(Number(to), size)
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return 'WHOLE'
  return start >= size ? 'OUTSIDE' : { start, end }
}

function lastBytes(wanted: number, size: number): Part {
  return wanted === 0 || size === 0 ? 'OUTSIDE' : { start: Math.max(0, size - wanted), end: size - 1 }
}

/** Whether a list of entity tags, such as in `If-None-Match`, contains this one. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return (
    header !== undefined &&
    (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
  )
}
