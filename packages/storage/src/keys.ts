/** Refuses a key that could lead anywhere else than to its own place. */
export function requireKey(key: string): void {
  if (key.length > 200 || !/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(key))
    throw new TypeError('A key is lower-case letters, digits, hyphens and slashes')
}
