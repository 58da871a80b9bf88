import type { CommercialSheet } from './commercial-sheet.ts'
import type { LetterSheet } from './letter-sheet.ts'
import { createSideProcess } from './side-process.ts'

/** What can be made a PDF of. */
export type Sheet = CommercialSheet | LetterSheet

const renderer = createSideProcess<Sheet, Uint8Array>({
  main: new URL('../main-pdf.ts', import.meta.url),
  workMsMax: 30_000,
  waitMsMax: 60_000,
  // Room for hundreds of lines that each fill half a page.
  heapMbMax: 256,
  restingMbMax: 150,
  idleMsMax: 20_000,
})

/** Makes a PDF in a process beside this one. */
export async function renderPdf(sheet: Sheet): Promise<Uint8Array> {
  return renderer.do(sheet)
}

/** Starts that process before anybody waits for it; the first PDF then comes as fast as the next ones. */
export function prepareToRender(): void {
  renderer.prepare()
}
