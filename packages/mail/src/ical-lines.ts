import { piecesOfOctets } from './pieces-of-octets.ts'

/** Octets of a line without its end (RFC 5545, 3.1). */
const lineOctetsMax = 75

/** Writes content lines in the format of calendar files: CRLF, and long ones folded between characters. */
export function writeLines(lines: readonly string[]): string {
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function fold(line: string): string {
  if (line.length <= lineOctetsMax && Buffer.byteLength(line) <= lineOctetsMax) return line
  // The blank at the start of a folded line counts.
  return piecesOfOctets(line, lineOctetsMax, lineOctetsMax - 1).join('\r\n ')
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]+/g
/** All control characters except tabs and line breaks, which a text may have. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Writes a value of type TEXT (RFC 5545, 3.3.11). */
export function textValue(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r?\n|\r/g, String.raw`\n`)
    .replaceAll(unwritable, '')
}

/** Writes the value of a parameter, which escapes quotes differently (RFC 6868). */
export function quoted(text: string): string {
  return `"${text.toWellFormed().replaceAll('^', '^^').replaceAll('"', "^'").replaceAll(controls, ' ')}"`
}

/** Returns an ISO 8601 UTC time as `20260131T080000Z`. */
export function utcTime(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Returns `2026-01-31` as `20260131`. */
export function dateValue(date: string): string {
  return date.replaceAll('-', '')
}

/** The product identifier of our calendars. */
export const productLine = 'PRODID:-//workspace-crm//booking//EN'

/** Writes the join link of a meeting, in both forms that programs show. */
export function placeLines(url: string | undefined): string[] {
  return url === undefined ? [] : [`LOCATION:${textValue(url)}`, `URL;VALUE=URI:${url}`]
}
