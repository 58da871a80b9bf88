/** Deeper values are refused later (`unstorable`). */
const depthMax = 200
/** The hash of a password was made from what was typed, so a password stays as it is. */
const asTyped = /password$/i

/**
 * Returns a value from outside with all its texts composed (NFC), so that a text has one form everywhere: `e` with an accent behind it becomes
 * `é`. Objects and lists are changed in place; the names of members stay.
 */
export function composed<T>(value: T): T {
  return composedAt(value, 0) as T
}

function composedAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.normalize()
  if (value === null || typeof value !== 'object' || depth > depthMax) return value
  const members = value as Record<string, unknown>
  for (const [key, inner] of Object.entries(members)) {
    if (typeof inner === 'object' || (typeof inner === 'string' && !asTyped.test(key)))
      Object.defineProperty(members, key, { value: composedAt(inner, depth + 1) })
  }
  return value
}
