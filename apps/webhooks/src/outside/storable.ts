const depthMax = 200

/** A mark for a value that is too deep for JSON. */
const tooDeep = Symbol('too deep')

/** Returns JSON from outside in a form that the database can hold, or undefined when it has more than 200 levels. */
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
  // Object.fromEntries makes an own property of every key, even of `__proto__`.
  return entries.some(([, item]) => item === tooDeep) ? tooDeep : Object.fromEntries(entries)
}

/** Returns a text with U+FFFD in place of characters that the database cannot hold: NUL and half of a surrogate pair. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

/** Returns the JSON text of a value that was made here, with every text in it storable. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? toStorableText(member) : member))
}
