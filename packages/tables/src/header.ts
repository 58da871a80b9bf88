import type { CellProblem } from '@crm/errors'
import { refuse, type Refused } from './refusals.ts'
import { textOf, type Cell, type Row } from './table.ts'

/** Where the titles of a table stand. */
export interface Header {
  /** The line of the titles; rows above it are no records. */
  readonly line: number
  /** The titles in order; a column without one has an empty title, and two columns may share one. */
  readonly titles: readonly string[]
  /** The texts of the rows above, such as the name of a report. */
  readonly above: readonly { readonly line: number; readonly text: string }[]
}

const rowsLookedAt = 20

/**
 * Returns the header among the first rows of a table: the first row of texts that is as wide and as full as most rows, or else the first row.
 * Undefined for a table without rows.
 */
export function headerOf(firstRows: readonly Row[]): Header | undefined {
  const rows = firstRows.filter(({ problem }) => problem === undefined)
  const width = mostFrequent(rows.map(({ cells }) => cells.length))
  const full = mostFrequent(rows.filter(({ cells }) => cells.length === width).map(filledIn))
  const isHeader = (row: Row): boolean =>
    row.cells.length === width && filledIn(row) >= full && row.cells.every(isTitle)
  const found = rows.slice(0, rowsLookedAt).find(isHeader) ?? rows[0]
  if (!found) return undefined
  return {
    line: found.line,
    titles: found.cells.map((cell) => textOf(cell).normalize('NFC')),
    above: rows
      .filter(({ line }) => line < found.line)
      .map(({ line, cells }) => ({ line, text: cells.map(textOf).filter(Boolean).join(' ') })),
  }
}

const number = /^[\s\p{Sc}+-]*\d[\d.,]*[\s\p{Sc}%]*$/u

function isTitle(cell: Cell): boolean {
  return typeof cell === 'string' && !number.test(cell)
}

function filledIn({ cells }: Row): number {
  return cells.filter((cell) => textOf(cell) !== '').length
}

function mostFrequent(numbers: readonly number[]): number {
  const [most] = [...Map.groupBy(numbers, (number) => number)].toSorted(
    ([a, as], [b, bs]) => bs.length - as.length || b - a,
  )
  return most?.[0] ?? 0
}

/** What a row below the header is, with the reason where it is no record: in words, and as a code for programs. */
export type RowJudgement =
  | { readonly is: 'record' }
  | ({ readonly is: 'skipped' | 'problem'; readonly because: string } & CellProblem)

function judged(is: 'skipped' | 'problem', { problem, code, values }: Refused): RowJudgement {
  return { is, because: problem, code, values }
}

/**
 * Returns a judge of the rows below a header, which come in their order. Empty rows, rows with fewer cells than the header, and rows of one
 * cell below a gap are skipped: so stand the sums and notices of reports. A row with more cells is a problem.
 */
export function rowJudge({ titles }: Header): (row: Row) => RowJudgement {
  let isBelow = false
  return (row) => {
    const filled = filledIn(row)
    isBelow = filled === 0 || (filled === 1 && (isBelow || row.followsGap === true))
    if (row.problem !== undefined) return judged('problem', row.problem)
    if (filled === 0) return judged('skipped', refuse('EMPTY_ROW'))
    if (row.cells.length < titles.length) return judged('skipped', refuse('FEWER_CELLS'))
    if (isBelow && titles.length > 1) return judged('skipped', refuse('BELOW_TABLE'))
    const beyond = row.cells.slice(titles.length).filter((cell) => textOf(cell) !== '').length
    return beyond > 0
      ? judged('problem', refuse('MORE_CELLS', { cells: String(row.cells.length), columns: String(titles.length) }))
      : { is: 'record' }
  }
}
