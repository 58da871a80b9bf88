import { randomUUIDv7 } from 'node:crypto'

const sequenceMax = 0xfff
let lastMs = ''
let sequence = 0

/** Returns a new id (UUID version 7); ids that a process makes within one millisecond are in order too. */
export function newId(): string {
  const id = randomUUIDv7()
  const ms = id.slice(0, 13)
  // At most half of the range, which leaves room for further ids of the same millisecond.
  sequence = ms === lastMs ? sequence + 1 : Number.parseInt(id.slice(15, 18), 16) >> 1
  lastMs = ms
  return sequence > sequenceMax ? id : `${ms}-7${sequence.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)
}

/** Returns the smallest id of a moment, in milliseconds since 1970; ids that are made from then on are not smaller. */
export function firstIdAt(ms: number): string {
  const digits = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-0000-0000-000000000000`
}
