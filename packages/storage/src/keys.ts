/** The suffix of incomplete files. */
export const unfinished = '.part'

/** Whether a text can be a key: no part of it leads outside its own place. */
export function isKey(key: string): boolean {
  return key.length <= 200 && /^[a-z0-9-][a-z0-9._-]*(\/[a-z0-9-][a-z0-9._-]*)*$/.test(key) && !key.endsWith(unfinished)
}

/** Refuses a text that cannot be a key. */
export function requireKey(key: string): void {
  if (isKey(key)) return
  throw new TypeError(
    'A key is lower-case letters, digits, hyphens, underscores, dots and slashes; no part of it begins with a dot or an underscore',
  )
}
