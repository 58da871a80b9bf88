// Runs in a thread of its own: laying pages out takes a while and would keep requests waiting.
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import { layOutCommercial } from './commercial-sheet.ts'
import { evenLines } from './even-lines.ts'
import { fonts } from './fonts.ts'
import { layOutLetter } from './letter-sheet.ts'
import { orderLinesByDirection } from './line-order.ts'
import type { Sheet } from './render-pdf.ts'

const readable = new Set<string>(Object.values(fonts).flatMap((cuts) => Object.values(cuts)))

evenLines()
orderLinesByDirection()
pdfmake.setFonts(fonts)
// Nothing that stands in a document names a file or an address that is read.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path: string) => readable.has(path))

const layOut = (sheet: Sheet) => (sheet.kind === 'commercial' ? layOutCommercial(sheet) : layOutLetter(sheet))

async function render(sheet: Sheet): Promise<{ readonly content: Uint8Array } | { readonly fault: string }> {
  try {
    return { content: await pdfmake.createPdf(layOut(sheet)).getBuffer() }
  } catch (error) {
    // A logo that is no picture after all keeps nobody from an invoice.
    if (sheet.logo !== null) return render({ ...sheet, logo: null })
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', ({ id, sheet }: { id: number; sheet: Sheet }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void render(sheet).then((outcome) => parentPort?.postMessage({ id, ...outcome }))
})
