/** Splits text between characters into pieces of limited size in octets; the pieces after the first may have a limit of their own. */
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

/** Does the same for text with one octet per character, which is the usual case. */
function piecesOfCharacters(text: string, firstMax: number, nextMax: number): string[] {
  const pieces = [text.slice(0, firstMax)]
  for (let at = firstMax; at < text.length; at += nextMax) pieces.push(text.slice(at, at + nextMax))
  return pieces
}
