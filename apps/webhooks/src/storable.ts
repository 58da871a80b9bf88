const depthMax = 200

/** What stands for a value that is too deep to be JSON. */
const tooDeep = Symbol('too deep')

/** JSON from outside as the database can hold it, or undefined when it has more than 200 levels. */
export function toStorable(value: unknown): unknown {
  const storable = storableAt(value, 0)
  return storable === tooDeep ? undefined : storable
}

function storableAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) return tooDeep
  if (Array.isArray(value)) {
    const items = value.map((item) => storableAt(item, depth + 1))
    return items.includes(tooDeep) ? tooDeep : items
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [toStorableText(key), storableAt(item, depth + 1)] as const,
  )
  // Object.fromEntries makes own properties of every key, `__proto__` too.
  return entries.some(([, item]) => item === tooDeep) ? tooDeep : Object.fromEntries(entries)
}

/** Text with U+FFFD in place of what the database cannot hold: NUL and half of a surrogate pair. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

/** JSON text of a value that was made here, every text in it storable. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? toStorableText(member) : member))
}
