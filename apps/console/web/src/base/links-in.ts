/** A part of a text: words, or the address that a link leads to. */
export interface TextPart {
  readonly text: string
  readonly href?: string
}

const addresses = /\b(?:https?:\/\/|mailto:)[^\s<>"'“”«»]+/giu
/** The signs that end a sentence, and not an address. */
const ending = /(?<![.,;:!?…])[.,;:!?…]+$/u
const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Returns the parts of a text with its addresses: those of the web and of mail, and nothing that a browser would run. */
export function linksIn(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const found of text.matchAll(addresses)) {
    const address = withoutEnding(found[0])
    if (!URL.canParse(address)) continue
    if (found.index > from) parts.push({ text: text.slice(from, found.index) })
    parts.push({ text: address, href: address })
    from = found.index + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** Takes off what belongs to the sentence around an address: its full stop, and the bracket in which it stands. */
function withoutEnding(address: string): string {
  const trimmed = address.replace(ending, '')
  const opening = brackets[trimmed.at(-1) ?? '']
  const isLoose = opening !== undefined && trimmed.split(opening).length < trimmed.split(trimmed.at(-1) ?? '').length
  if (isLoose) return withoutEnding(trimmed.slice(0, -1))
  return trimmed
}
