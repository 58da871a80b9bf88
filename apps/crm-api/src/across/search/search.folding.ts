/** Without case and accents, near enough to the database's folding to tell how well a text fits. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
