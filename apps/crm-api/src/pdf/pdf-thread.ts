// Runs in a thread of its own: laying pages out takes a while and would keep requests waiting.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import { layOutCommercial } from './commercial-sheet.ts'
import { layOutLetter } from './letter-sheet.ts'
import type { Sheet } from './render-pdf.ts'
import type { ScriptFont } from './script-runs.ts'

const { resolve } = createRequire(import.meta.url)
const roboto = join(dirname(resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const noto = (name: string, subset: string): string => join(dirname(resolve(`@fontsource/noto-sans-${name}/package.json`)), 'files', `noto-sans-${name}-${subset}`)

/** The usual letters in four cuts, any other script in two. */
const scripts: Readonly<Record<ScriptFont, string>> = {
  Arabic: noto('arabic', 'arabic'), Hebrew: noto('hebrew', 'hebrew'), Thai: noto('thai', 'thai'), Devanagari: noto('devanagari', 'devanagari'),
  Korean: noto('kr', 'korean'), Japanese: noto('jp', 'japanese'), Chinese: noto('sc', 'chinese-simplified'),
}

const fonts = {
  Roboto: { normal: join(roboto, 'Roboto-Regular.ttf'), bold: join(roboto, 'Roboto-Medium.ttf'), italics: join(roboto, 'Roboto-Italic.ttf'), bolditalics: join(roboto, 'Roboto-MediumItalic.ttf') },
  ...Object.fromEntries(Object.entries(scripts).map(([name, path]) => {
    const [normal, bold] = [`${path}-400-normal.woff`, `${path}-700-normal.woff`]
    return [name, { normal, bold, italics: normal, bolditalics: bold }]
  })),
}
const readable = new Set(Object.values(fonts).flatMap((cuts) => Object.values(cuts)))

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
