import type { CompiledMessage } from 'icu-minify/format'

/** Stands between a text and its context in the keys of catalogues. */
const beforeContext = ' | '

/** Returns the key of an English text in the catalogues of translations. */
export function keyOf(english: CompiledMessage, context?: string): string {
  const text = typeof english === 'string' ? english : JSON.stringify(english)
  return context === undefined ? text : text + beforeContext + context
}

/** Returns the text and the context of a key. */
export function partsOfKey(key: string): { readonly english: string; readonly context: string | undefined } {
  const [english = '', context] = key.split(beforeContext)
  return { english, context }
}
