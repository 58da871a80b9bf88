const sfntHeaderBytes = 12
const sfntEntryBytes = 16

/**
 * Returns a font with the heights of another one, so that both have the same line height: fonts of some scripts declare
 * twice the height, and would spread the lines of tables and paragraphs. Both are plain fonts (OpenType, sfnt).
 */
export function withHeightsOf(other: Buffer, font: Buffer): Buffer {
  const even = Buffer.from(font)
  const [from, to] = [placesIn(other), placesIn(even)]
  const scale = even.readUInt16BE(to.unitsPerEm) / other.readUInt16BE(from.unitsPerEm)
  for (const [at, place] of to.heights.entries())
    even.writeInt16BE(Math.round(other.readInt16BE(from.heights[at] ?? 0) * scale), place)
  return even
}

/** Returns the places in a font of its units per em, its ascent and descent, and its line gap. */
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
