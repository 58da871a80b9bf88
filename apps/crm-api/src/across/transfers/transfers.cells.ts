import { inOneCell } from '@crm/tables/several'

// Spreadsheets of East Asia treat the full-width signs alike.
const startsFormula = /^[=+\-@＝＋－＠\t\r\n]/
const isPlain = /^[+-]?[\d\s().,/-]*$/

/** Returns a text with an apostrophe in front where a spreadsheet would take it for a formula; with the apostrophe it stays text. */
export function guarded(text: string): string {
  return startsFormula.test(text) && !isPlain.test(text) ? `'${text}` : text
}

/** Removes the apostrophe of `guarded`, so that an exported value is imported unchanged. */
export function unguarded(text: string): string {
  return text.startsWith("'") && guarded(text.slice(1)) === text ? text.slice(1) : text
}

/** Returns the cell of a value: texts as they are, several in one cell, everything else as JSON. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guarded(value)
  const isTexts = Array.isArray(value) && value.every((one): one is string => typeof one === 'string')
  return guarded(isTexts ? inOneCell(value) : JSON.stringify(value))
}
