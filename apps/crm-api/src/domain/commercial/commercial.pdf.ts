import { BytesReply } from '@crm/contract'
import type { CrmContext } from '../../platform/context.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import { disposition } from '../files/files.naming.ts'
import type { InvoiceRow, QuoteRow } from '../../kinds/commercial.ts'
import { makeSheet, sheetTitle, type SheetSource } from './commercial.sheet.ts'

/** Answers the PDF of a quote or an invoice in its present state. */
export function downloadPdf(context: CrmContext, entityType: 'INVOICE', row: InvoiceRow): Promise<BytesReply>
export function downloadPdf(context: CrmContext, entityType: 'QUOTE', row: QuoteRow): Promise<BytesReply>
export async function downloadPdf(
  context: CrmContext,
  entityType: 'INVOICE' | 'QUOTE',
  row: InvoiceRow | QuoteRow,
): Promise<BytesReply> {
  const source = { entityType, row } as SheetSource
  const { content, missing } = await renderPdf(await makeSheet(context.db, context, source), context.workspace.id)
  const headers = pdfHeaders(fileNameOf(context, source), content.length)
  return new BytesReply(200, { ...headers, ...namingMissing(missing) }, once(content))
}

const missingNamedMax = 50

/** Names the letters that no font has, so that they are known before the document is issued. */
function namingMissing(missing: readonly string[]): Record<string, string> {
  const named = missing.slice(0, missingNamedMax).map(encodeURIComponent)
  return named.length === 0 ? {} : { 'x-missing-letters': named.join(', ') }
}

/** Returns the file name of a quote or an invoice. */
export function fileNameOf(context: Pick<CrmContext, 'workspace'>, source: SheetSource): string {
  return `${sheetTitle(context, source).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`
}

/** Returns the headers of a PDF that a browser shows and no cache stores. */
export function pdfHeaders(name: string, size: number): Record<string, string> {
  return {
    'content-type': 'application/pdf',
    'content-length': String(size),
    'content-disposition': disposition('inline', name),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none'; sandbox",
  }
}

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content
}
