const sfntHeaderBytes = 12
const sfntEntryBytes = 16

/**
 * Gives a font the heights of another one, so that it stands on the same lines: fonts of some scripts are twice as high by their own
 * account, and would tear the lines of a table and of a paragraph apart. Both are plain fonts (OpenType, sfnt).
 */
export function withHeightsOf(other: Buffer, font: Buffer): Buffer {
  const even = Buffer.from(font)
  const [from, to] = [placesIn(other), placesIn(even)]
  const scale = even.readUInt16BE(to.unitsPerEm) / other.readUInt16BE(from.unitsPerEm)
  for (const [at, place] of to.heights.entries())
    even.writeInt16BE(Math.round(other.readInt16BE(from.heights[at] ?? 0) * scale), place)
  return even
}

/** Where a font says how many units its letters are high, and how high and deep they stand and how far lines lie apart. */
function placesIn(font: Buffer) {
  const [head, hhea] = ['head', 'hhea'].map((tag) => tableOf(font, tag)) as [number, number]
  return { unitsPerEm: head + 18, heights: [hhea + 4, hhea + 6, hhea + 8] }
}

function tableOf(font: Buffer, tag: string): number {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, at) => sfntHeaderBytes + at * sfntEntryBytes)
  const entry = entries.find((at) => font.toString('latin1', at, at + 4) === tag)
  if (entry === undefined) throw new Error(`The font has no table ${tag}`)
  return font.readUInt32BE(entry + 8)
}
