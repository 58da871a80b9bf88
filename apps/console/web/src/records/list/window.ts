/** Some rows in a row: from the first one up to, and without, the last one. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The part of a page in which rows can be seen, and the place of the first row, in pixels from the top of the window. */
export interface Sight {
  readonly top: number
  readonly bottom: number
  readonly rowsTop: number
  readonly rowHeight: number
}

/** Rows beside the visible ones, which are there before somebody scrolls to them. */
const spare = 8

/** Returns the rows that are drawn: those in sight, and some on either side. */
export function spanIn({ top, bottom, rowsTop, rowHeight }: Sight, count: number): Span {
  const first = Math.floor((top - rowsTop) / rowHeight) - spare
  const last = Math.ceil((bottom - rowsTop) / rowHeight) + spare
  const within = (at: number) => Math.min(Math.max(at, 0), count)
  return { first: within(first), last: Math.max(within(last), Math.min(count, within(first) + 2 * spare)) }
}

/** A row that is drawn, or the height of some that are not. */
export type Piece = { readonly at: number } | { readonly skipped: number; readonly from: number }

/** Returns the drawn rows in order with the gaps around them; a pinned row is drawn wherever it is. */
export function piecesOf({ first, last }: Span, count: number, pinned: readonly number[]): readonly Piece[] {
  const inSpan = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  const drawn = [...new Set([...inSpan, ...pinned.filter((at) => at >= 0 && at < count)])].sort((a, b) => a - b)
  let from = 0
  const pieces: Piece[] = []
  for (const at of [...drawn, count]) {
    if (at > from) pieces.push({ skipped: at - from, from })
    if (at < count) pieces.push({ at })
    from = at + 1
  }
  return pieces
}

/** Returns by how much a row has to be moved to be in sight. */
export function shiftTo(at: number, { top, bottom, rowsTop, rowHeight }: Sight): number {
  const rowTop = rowsTop + at * rowHeight
  if (rowTop < top) return rowTop - top
  return rowTop + rowHeight > bottom ? rowTop + rowHeight - bottom : 0
}

/** Returns the pages that hold some rows, from 1. */
export function pagesOf({ first, last }: Span, pageSize: number): readonly number[] {
  const from = Math.floor(first / pageSize)
  const to = Math.max(from, Math.ceil(last / pageSize) - 1)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at + 1)
}
