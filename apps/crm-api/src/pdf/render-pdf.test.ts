import { expect, it } from 'vitest'
import type { CommercialSheet } from './commercial-sheet.ts'
import { renderPdf } from './render-pdf.ts'

const bare: CommercialSheet = {
  kind: 'commercial', language: 'en', title: 'Quote', stamp: 'DRAFT', color: '#1f4e79', logo: null, seller: { name: 'Acme', lines: ['Acme'] }, buyer: { label: 'For', lines: [] }, facts: [],
  columns: { position: '#', name: 'Item', quantity: 'Quantity', unitPrice: 'Unit price', tax: 'Tax', total: 'Amount' }, lines: [],
  sums: [{ label: 'Total', value: '€0.00' }], taxTable: null, paragraphs: [], footer: 'Acme', pageLabel: 'Page {page} of {pages}',
}

it.each([
  ['with nothing to tell yet', {}],
  ['with a logo that is no picture', { logo: 'data:image/png;base64,aGVsbG8=' }],
  ['with a logo that is cut off', { logo: 'data:image/png;base64,iVBORw0KGgo=' }],
])('makes a document %s', async (_what, patch) => {
  const content = await renderPdf({ ...bare, ...patch })
  expect(Buffer.from(content.subarray(0, 5)).toString()).toBe('%PDF-')
})
