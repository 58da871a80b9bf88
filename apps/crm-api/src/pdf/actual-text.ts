import pdfmakeDocument from 'pdfmake/js/PDFDocument.js'
import { isReordered } from './fonts.ts'

/**
 * Makes words of such scripts carry their text as it was typed (`ActualText` of ISO 32000), so that readers find and copy it. Words from right to
 * left do not: their letters are stored in the order of typing anyway, and readers would turn the text once more.
 */
export function writeActualText(): void {
  const { prototype } = pdfmakeDocument.default
  const { text: draw } = prototype
  prototype.text = function drawWithItsText(text, x, y, options) {
    if (!isReordered.test(text)) return draw.call(this, text, x, y, options)
    this.markContent('Span', { actual: text })
    draw.call(this, text, x, y, options)
    // Some readers take the size of the text from where its mark ends, and otherwise put each word on a line of its own.
    this.addContent(`BT /${Object.keys(this.page.fonts)[0]} ${Math.round(this.currentLineHeight())} Tf ET`)
    return this.endMarkedContent()
  }
}
