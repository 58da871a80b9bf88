/** Cuts text between characters into pieces of at most so many octets; the pieces after the first may have a size of their own. */
export function piecesOfOctets(text: string, firstMax: number, nextMax = firstMax): string[] {
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
