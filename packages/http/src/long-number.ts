/** A number that JSON holds and JavaScript does not: some of its digits would be lost. The body is refused with its place (`unstorable`). */
export class LongNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** As many digits as a double may need to be written in full. */
const fullDigits = 17

/** Whether digits of a number of JSON would be lost. A fraction that is written with all digits of a double keeps its value. */
export function losesDigits(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return true
  const [given, kept] = [digitsOf(source), digitsOf(String(value))]
  return given !== kept && (given.length > fullDigits || Number.isInteger(value))
}

/** Returns the digits of a number that count, wherever its point is. */
function digitsOf(source: string): string {
  const [mantissa = ''] = source.split(/e/i, 1)
  return mantissa
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '')
}
