import { expect, it } from 'vitest'
import type { CommercialSheet } from './commercial-sheet.ts'
import type { LetterSheet } from './letter-sheet.ts'
import { checkLetterLength, renderPdf } from './render-pdf.ts'

const bare: CommercialSheet = {
  kind: 'commercial',
  language: 'en',
  title: 'Quote',
  stamp: 'DRAFT',
  color: '#1f4e79',
  logo: null,
  seller: { name: 'Acme', lines: ['Acme'] },
  buyer: { label: 'For', lines: [] },
  facts: [],
  columns: { position: '#', name: 'Item', quantity: 'Quantity', unitPrice: 'Unit price', tax: 'Tax', total: 'Amount' },
  lines: [],
  sums: [{ label: 'Total', value: '€0.00' }],
  taxTable: null,
  paragraphs: [],
  footer: 'Acme',
  pageLabel: 'Page {page} of {pages}',
}

it.each([
  ['with nothing to tell yet', {}],
  ['with a logo that is no picture', { logo: 'data:image/png;base64,aGVsbG8=' }],
  ['with a logo that is cut off', { logo: 'data:image/png;base64,iVBORw0KGgo=' }],
])('makes a document %s', async (_what, patch) => {
  const content = await renderPdf({ ...bare, ...patch }, 'acme')
  expect(Buffer.from(content.subarray(0, 5)).toString()).toBe('%PDF-')
})

const letter: LetterSheet = {
  kind: 'letter',
  language: 'en',
  title: 'Letter',
  markdown: 'Hello',
  seller: 'Acme',
  logo: null,
  color: '#1f4e79',
  pageLabel: 'Page {page} of {pages}',
}

it('makes an invoice while a long letter is laid out', async () => {
  const [long, invoice] = [
    renderPdf({ ...letter, markdown: 'word '.repeat(20_000) }, 'acme'),
    renderPdf(bare, 'globex'),
  ]
  const first = await Promise.race([long.then(() => 'letter'), invoice.then(() => 'invoice')])
  await long
  expect(first).toBe('invoice')
})

it('refuses a letter of more pages than may be', async () => {
  await expect(renderPdf({ ...letter, markdown: '# H\n\n'.repeat(2_200) }, 'acme')).rejects.toMatchObject({
    code: 'TEMPLATE_INVALID',
    message: expect.stringContaining('100 pages'),
  })
})

it('refuses more text than is tried', () => {
  expect(() => checkLetterLength('x'.repeat(200_000))).not.toThrow()
  expect(() => checkLetterLength('x'.repeat(200_001))).toThrow(expect.objectContaining({ code: 'TEMPLATE_INVALID' }))
})
