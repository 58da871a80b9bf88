// Makes PDFs for its parent process, one after another: layout takes memory, and would keep requests waiting.
import pdfmake from 'pdfmake'
import { writeActualText } from './pdf/actual-text.ts'
import { layOutCommercial } from './pdf/commercial-sheet.ts'
import { pagesMax, type Definition } from './pdf/definition.ts'
import { fonts } from './pdf/fonts.ts'
import { layOutLetter } from './pdf/letter-sheet.ts'
import { orderLinesByDirection } from './pdf/line-order.ts'
import type { Drawn, Sheet } from './pdf/render-pdf.ts'
import { missingLetters } from './pdf/text-runs.ts'
import { doSideWork, type SideOutcome } from './beside/side-program.ts'

const readable = new Set<string>(Object.values(fonts).flatMap((cuts) => Object.values(cuts)))

orderLinesByDirection()
writeActualText()
pdfmake.setFonts(fonts)
// A document must not cause a file or an address to be read.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path: string) => readable.has(path))

const layOut = (sheet: Sheet) => (sheet.kind === 'commercial' ? layOutCommercial(sheet) : layOutLetter(sheet))

class TooManyPages extends Error {}

/** Refuses too many pages; their number is known when the first footer is written. */
function withinPages(definition: Definition, most: number): Definition {
  return {
    ...definition,
    footer: (page, pages) => {
      if (pages > most) throw new TooManyPages(`The document has more than ${most} pages`)
      return definition.footer(page, pages)
    },
  }
}

/** Returns the texts of a sheet, however deep they lie. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' && !ArrayBuffer.isView(value)
    ? Object.values(value).flatMap(textsIn)
    : []
}

async function render(sheet: Sheet): Promise<SideOutcome<Drawn>> {
  try {
    const content = await pdfmake.createPdf(withinPages(layOut(sheet), pagesMax[sheet.kind])).getBuffer()
    return { result: { content, missing: missingLetters(textsIn({ ...sheet, logo: null }).join('\n')) } }
  } catch (error) {
    if (error instanceof TooManyPages) return { fault: error.message, isTooLarge: true }
    // A logo that is not a valid picture does not prevent an invoice.
    if (sheet.logo !== null) return render({ ...sheet, logo: null })
    return { fault: `The PDF could not be made: ${error instanceof Error ? error.message : String(error)}` }
  }
}

doSideWork(render)
