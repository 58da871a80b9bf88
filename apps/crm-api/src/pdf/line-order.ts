import pdfmakeLine from 'pdfmake/js/Line.js'
import type { Inline } from 'pdfmake/js/Line.js'

/**
 * Makes every line draw its words in the order of their directions (UAX #9, rule L2): pdfmake breaks lines well, but knows
 * only left to right.
 */
export function orderLinesByDirection(): void {
  const { prototype } = pdfmakeLine.default
  const { addInline } = prototype
  prototype.addInline = function addAndPlace(inline) {
    if (inline.mirror) inline.text = inline.mirror
    addInline.call(this, inline)
    if (this.inlines.some(({ level = 0 }) => level > 0)) place(this.inlines, this.leadingCut)
  }
}

function place(inlines: readonly Inline[], leadingCut: number): void {
  const last = inlines.at(-1)
  let x = -leadingCut
  for (const inline of drawingOrder(inlines)) {
    // The space at the end of a line has no width; drawn from right to left it stands before its word.
    const cut = inline === last && (inline.level ?? 0) % 2 === 1 ? inline.trailingCut : 0
    inline.x = x - cut
    x += inline.width - cut
  }
}

/** Returns the pieces of a line from left to right: from the deepest level on, every sequence of that level or deeper is reversed. */
export function drawingOrder<T extends { readonly level?: number }>(pieces: readonly T[]): readonly T[] {
  const deepest = Math.max(0, ...pieces.map(({ level = 0 }) => level))
  let order = [...pieces]
  for (let turned = deepest; turned > 0; turned--) {
    const stretches: T[][] = []
    let isInside = false
    for (const piece of order) {
      const isDeep = (piece.level ?? 0) >= turned
      if (isDeep && isInside) stretches.at(-1)?.unshift(piece)
      else stretches.push([piece])
      isInside = isDeep
    }
    order = stretches.flat()
  }
  return order
}
