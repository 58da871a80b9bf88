import pdfmakeDocument from 'pdfmake/js/PDFDocument.js'
import { usualFont } from './fonts.ts'

/**
 * Makes every font stand on the lines of the usual one: fonts of some scripts are twice as high by their own account, and would
 * tear the lines of a table and of a paragraph apart.
 */
export function evenLines(): void {
  const { prototype } = pdfmakeDocument.default
  const { provideFont } = prototype
  prototype.provideFont = function provideEvenFont(name, bold, italics) {
    const font = provideFont.call(this, name, bold, italics)
    if (name !== usualFont) {
      const { ascender, descender, lineGap } = provideFont.call(this, usualFont, false, false)
      Object.assign(font, { ascender, descender, lineGap })
    }
    return font
  }
}
