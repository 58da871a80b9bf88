/** Returns the form of one value and the separator behind it; what begins and ends with quotes is one value. */
const valueBefore = (separator: string): RegExp =>
  new RegExp(
    String.raw`\s*(?:"([^"]*(?:""[^"]*)*)"\s*(?:${separator}|$)|((?:(?!${separator})[^])*)(?:${separator}|$))`,
    'gu',
  )
const parted = { byComma: valueBefore('[;|\\n,]|:::'), otherwise: valueBefore('[;|\\n]|:::') }

/** Returns the values of a cell that holds several, without empty ones; commas part them where `byComma` says so, and nothing parts what stands in quotes. */
export function valuesIn(text: string, byComma: boolean): string[] {
  const found = text.matchAll(byComma ? parted.byComma : parted.otherwise)
  return Array.from(found, ([, quoted, plain = '']) =>
    quoted === undefined ? plain.replace(/^\*\s*/, '').trim() : quoted.replaceAll('""', '"'),
  ).filter((value) => value !== '')
}

/** Writes several values into one cell so that `valuesIn` reads the same ones: those that it would part or change stand in quotes. */
export function inOneCell(values: readonly string[]): string {
  return values.map((value) => (isReadAlike(value) ? value : `"${value.replaceAll('"', '""')}"`)).join(';')
}

function isReadAlike(value: string): boolean {
  const [first, ...others] = valuesIn(value, true)
  return first === value && others.length === 0 && !value.startsWith('"')
}
