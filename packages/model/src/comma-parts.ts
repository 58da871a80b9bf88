/** Returns the parts of a text between commas, trimmed; empty parts are left out. */
export function commaParts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
