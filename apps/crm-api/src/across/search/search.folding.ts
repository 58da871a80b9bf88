/** Returns a text without case and accents, close enough to the folding of the database to rate how well a text fits. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
