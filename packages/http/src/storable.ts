import { LongNumber } from './long-number.ts'
import type { Issue } from '@crm/errors'

/** The deepest JSON that is accepted: no record is deeper, and following it would exhaust the stack. */
const depthMax = 200

/** Returns the first part of a body that cannot be stored: NUL characters, numbers whose digits would be lost, or excessive nesting. */
export function unstorable(value: unknown, path: readonly (string | number)[] = []): Issue | undefined {
  if (typeof value === 'string') return hasNul(value) ? { path, message: 'NUL characters cannot be stored' } : undefined
  if (value === null || typeof value !== 'object') return undefined
  if (value instanceof LongNumber) return { path, message: 'The number has more digits than are kept: about 15 are' }
  if (path.length >= depthMax) return { path: path.slice(0, 1), message: `Nested more than ${depthMax} levels deep` }
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value)) {
    const issue = unstorable(key, path) ?? unstorable(inner, [...path, isList ? Number(key) : key])
    if (issue) return issue
  }
  return undefined
}

/** Whether a text holds a NUL character, which PostgreSQL's text type cannot store. */
export function hasNul(text: unknown): boolean {
  return typeof text === 'string' && text.includes('\0')
}
