/** The parts of a text that commas separate, without blanks around them; empty ones are left out. */
export function commaParts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
