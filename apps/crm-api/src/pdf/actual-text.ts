import pdfmakeDocument from 'pdfmake/js/PDFDocument.js'

/** The scripts whose letters are drawn in another order than they are typed, or several as one. */
const isReordered =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Myanmar}]/u

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
