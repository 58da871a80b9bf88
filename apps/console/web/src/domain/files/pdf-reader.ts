import type { PDFDocumentProxy } from 'pdfjs-dist'

/** Opens a PDF of this site; the reader itself is loaded with the first one, in the build for browsers of the last years. */
export async function openPdf(address: string, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url).href
  const loading = getDocument({ url: address, withCredentials: true, useWasm: false })
  signal.addEventListener('abort', () => void loading.destroy())
  return loading.promise
}
