/** Whether every word that is wanted begins a word of a label, in any case of letters. */
export function startWords(label: string, wanted: string): boolean {
  const parts = label.toLowerCase().split(/\s+/)
  return wanted
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)))
}
