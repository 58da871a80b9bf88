import { indexedMax } from './search.way.ts'

/** What tells which three letters of a text the index is asked for. */
export interface PieceFacts {
  /** What must all stand in a record. */
  readonly terms: readonly string[]
  /** What some records hold. */
  readonly texts: readonly string[]
  /** About how many records hold the whole text. */
  readonly matches: number
}

interface Piece {
  readonly letters: string
  /** Of each text, whether it holds them. */
  readonly isIn: readonly boolean[]
  /** How many texts do. */
  readonly length: number
}

/** Records that may have to be read. */
interface Left {
  /** Which texts hold all pieces so far. */
  readonly texts: readonly number[]
  /** About so many, counted in texts: where no text holds all pieces, a part of one. */
  readonly records: number
}

/** Fewer texts tell nothing about pieces. */
const textsMin = 30
/** Where more records may be read in vain it is worth while to look at more texts. */
const [textsAtLeast, textsAtMost, recordsPerText] = [100, 1_000, 700]
/** What no text holds, half of one may hold. */
const unseen = 0.5
/** Of few texts all may hold a piece by chance: so much of one more is taken to hold it as often as the others do. */
const doubted = 0.1
/** To read a record costs as much as to read so many entries of a list of the index. */
const entriesPerRecord = 140

/** How many texts tell enough about the pieces in so many records. */
export function textsToTell(records: number): number {
  return Math.min(textsAtMost, Math.max(textsAtLeast, Math.ceil(records / recordsPerText)))
}

/**
 * The pieces of three letters that the index is asked for: none where too few texts are known.
 *
 * The index reads the list of each as a whole, and of what all of them hold records are read until enough of them match. A piece is worth
 * its list if it spares so many records.
 */
export function choosePieces({ terms, texts, matches }: PieceFacts): readonly string[] {
  if (texts.length < textsMin) return []
  const pieces = [...new Set(terms.flatMap(lettersOf))].map((letters) => pieceOf(letters, texts))
  const entriesPerText = entriesPerRecord * Math.min(1, indexedMax / matches)
  const chosen: Piece[] = []
  let left: Left = { texts: [...texts.keys()], records: texts.length }
  for (;;) {
    const best = bestOf(pieces.filter((piece) => !chosen.includes(piece)), left, texts.length, entriesPerText)
    if (!best || (best.gain <= 0 && chosen.length > 0)) return chosen.map(({ letters }) => letters)
    chosen.push(best.piece)
    left = best.left
  }
}

function lettersOf(term: string): string[] {
  const letters = Array.from(term)
  return letters.map((_, at) => letters.slice(at, at + 3).join('')).filter((piece) => /^[\p{L}\p{N}]{3}$/u.test(piece))
}

function pieceOf(letters: string, texts: readonly string[]): Piece {
  const isIn = texts.map((text) => text.includes(letters))
  return { letters, isIn, length: Math.max(unseen, isIn.filter(Boolean).length) }
}

/** The piece that spares most, with what it leaves. */
function bestOf(pieces: readonly Piece[], before: Left, texts: number, entriesPerText: number) {
  const all = pieces.map((piece) => {
    const left = among(before, piece, texts)
    return { piece, left, gain: (before.records - left.records) * entriesPerText - piece.length }
  })
  return all.toSorted((a, b) => b.gain - a.gain)[0]
}

/** What is left by one more piece. */
function among({ texts: before, records }: Left, { isIn, length }: Piece, all: number): Left {
  const texts = before.filter((at) => isIn[at])
  const share = length / all
  return { texts, records: records * (before.length === all ? share : (texts.length + doubted * share) / (before.length + doubted)) }
}
