/** Cuts text between characters into pieces of at most so many octets; the pieces after the first may have a size of their own. */
export function piecesOfOctets(text: string, firstMax: number, nextMax = firstMax): string[] {
  if (Buffer.byteLength(text) === text.length) return piecesOfCharacters(text, firstMax, nextMax)
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of text) {
    const length = Buffer.byteLength(character)
    if (octets + length > (pieces.length === 0 ? firstMax : nextMax)) {
      pieces.push(piece)
      piece = ''
      octets = 0
    }
    piece += character
    octets += length
  }
  return [...pieces, piece]
}

/** The same for text in which every character is one octet, as most of it is. */
function piecesOfCharacters(text: string, firstMax: number, nextMax: number): string[] {
  const pieces = [text.slice(0, firstMax)]
  for (let at = firstMax; at < text.length; at += nextMax) pieces.push(text.slice(at, at + nextMax))
  return pieces
}
