// Makes PDFs for the process that has started it, one after another: laying pages out takes memory, and would keep requests waiting.
import pdfmake from 'pdfmake'
import { layOutCommercial } from './pdf/commercial-sheet.ts'
import { evenLines } from './pdf/even-lines.ts'
import { fonts } from './pdf/fonts.ts'
import { layOutLetter } from './pdf/letter-sheet.ts'
import { orderLinesByDirection } from './pdf/line-order.ts'
import type { Sheet } from './pdf/render-pdf.ts'
import type { SideAnswer } from './pdf/side-process.ts'

const readable = new Set<string>(Object.values(fonts).flatMap((cuts) => Object.values(cuts)))

evenLines()
orderLinesByDirection()
pdfmake.setFonts(fonts)
// Nothing that stands in a document names a file or an address that is read.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path: string) => readable.has(path))

const layOut = (sheet: Sheet) => (sheet.kind === 'commercial' ? layOutCommercial(sheet) : layOutLetter(sheet))

async function render(sheet: Sheet): Promise<{ readonly result: Uint8Array } | { readonly fault: string }> {
  try {
    return { result: await pdfmake.createPdf(layOut(sheet)).getBuffer() }
  } catch (error) {
    // A logo that is no picture after all keeps nobody from an invoice.
    if (sheet.logo !== null) return render({ ...sheet, logo: null })
    return { fault: `The PDF could not be made: ${error instanceof Error ? error.message : String(error)}` }
  }
}

process.on('message', ({ work }: { work: Sheet }) => {
  void render(work).then((outcome) => process.send?.({ ...outcome, rssBytes: process.memoryUsage.rss() } satisfies SideAnswer<Uint8Array>))
})
// Whoever ends a whole group of processes lets the one that started this finish what it is at; its end closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
