// Makes PDFs for the process that has started it, one after another: laying pages out takes memory, and would keep requests waiting.
import pdfmake from 'pdfmake'
import { layOutCommercial } from './pdf/commercial-sheet.ts'
import { pagesMax, type Definition } from './pdf/definition.ts'
import { fonts } from './pdf/fonts.ts'
import { layOutLetter } from './pdf/letter-sheet.ts'
import { orderLinesByDirection } from './pdf/line-order.ts'
import type { Sheet } from './pdf/render-pdf.ts'
import type { SideAnswer } from './pdf/side-process.ts'

const readable = new Set<string>(Object.values(fonts).flatMap((cuts) => Object.values(cuts)))

orderLinesByDirection()
pdfmake.setFonts(fonts)
// Nothing that stands in a document names a file or an address that is read.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path: string) => readable.has(path))

const layOut = (sheet: Sheet) => (sheet.kind === 'commercial' ? layOutCommercial(sheet) : layOutLetter(sheet))

class TooManyPages extends Error {}

/** How many pages there are is known when the first footer is written. */
function withinPages(definition: Definition, most: number): Definition {
  return {
    ...definition,
    footer: (page, pages) => {
      if (pages > most) throw new TooManyPages(`The document has more than ${most} pages`)
      return definition.footer(page, pages)
    },
  }
}

type Rendered = { readonly result: Uint8Array } | { readonly fault: string; readonly isTooLarge?: boolean }

async function render(sheet: Sheet): Promise<Rendered> {
  try {
    return { result: await pdfmake.createPdf(withinPages(layOut(sheet), pagesMax[sheet.kind])).getBuffer() }
  } catch (error) {
    if (error instanceof TooManyPages) return { fault: error.message, isTooLarge: true }
    // A logo that is no picture after all keeps nobody from an invoice.
    if (sheet.logo !== null) return render({ ...sheet, logo: null })
    return { fault: `The PDF could not be made: ${error instanceof Error ? error.message : String(error)}` }
  }
}

process.on('message', ({ work }: { work: Sheet }) => {
  void render(work).then((outcome) =>
    process.send?.({ ...outcome, rssBytes: process.memoryUsage.rss() } satisfies SideAnswer<Uint8Array>),
  )
})
// Whoever ends a whole group of processes lets the one that started this finish what it is at; its end closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
