import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
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
  const { content } = await renderPdf({ ...bare, ...patch }, 'acme')
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

it('names the letters that no font has, and nothing else', async () => {
  const missing = async (text: string) => (await renderPdf({ ...letter, markdown: text }, 'acme')).missing
  expect(await missing('ཨོཾ for ᏣᎳᎩ\nagain Ꮳ')).toEqual(['ཨོཾ', 'Ꮳ', 'Ꮃ', 'Ꭹ'])
  expect(
    await missing('Zoë, Łódź, Ολυμπία, Ружа, 中文, 日本語, 한국어, ไทย, हिन्दी, עברית, العربية, ქართული\n🎉 \u200b1 €'),
  ).toEqual([])
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

/** Returns what the marks of a PDF say of the text within them. */
function actualTexts(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString('latin1')
  const streams = [...file.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, data = '']) => {
    try {
      return [inflateSync(Buffer.from(data, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
  return streams.flatMap((operators) =>
    [...operators.matchAll(/\/ActualText \(((?:[^\\)]|\\[\s\S])*)\)[\s\S]*?BDC[\s\S]*?EMC/g)].map(([, text = '']) => {
      const bytes = Buffer.from(
        text.replaceAll(
          /\\([\s\S])/g,
          (_, one: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[one] ?? one,
        ),
        'latin1',
      )
      return bytes.subarray(2).swap16().toString('utf16le')
    }),
  )
}

it.each([
  ['น้ำดื่ม เกี๊ยวน้ำ', 'น้ำดื่มเกี๊ยวน้ำ'],
  ['हिन्दी (किर्ति)', 'हिन्दीकिर्ति'],
  ['ที่ปรึกษา 3 ชั่วโมง', 'ที่ปรึกษาชั่วโมง'],
  ['Größe, قهوة, שלום', ''],
  ['বাংলা ক্ষেত্র', 'বাংলাক্ষেত্র'],
  ['தொழில்நுட்பம்', 'தொழில்நுட்பம்'],
  ['කෝපි', 'කෝපි'],
  ['ភ្នំពេញ', 'ភ្នំពេញ'],
  ['ရန်ကုန်မြို့', 'ရန်ကုန်မြို့'],
])('lets readers find %s as it was typed', async (name, typed) => {
  const line = { position: '1', name, remarks: [], quantity: '1', unitPrice: '1', tax: '', total: '1' }
  const marked = actualTexts((await renderPdf({ ...bare, lines: [line] }, 'acme')).content).join('')
  expect(
    marked.replaceAll(
      /[^\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/gu,
      '',
    ),
  ).toBe(typed)
})

/** Returns the words of a PDF as a browser copies and searches them. */
async function wordsIn(pdf: Uint8Array): Promise<readonly string[]> {
  const loading = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const page = await (await loading.promise).getPage(1)
  const { items } = await page.getTextContent()
  await loading.destroy()
  return items.flatMap((item) => ('str' in item ? [item.str.trim()] : []))
}

it.each([
  ['that join in many forms', 'شركة سلام لآلئ الأمام بتثني تقرير قهوة'],
  ['beside numbers and Latin letters', 'فاتورة 2026 عرض سعر ABC للتجارة'],
  ['with signs for vowels', 'مُحَمَّد بن عبد الله'],
  ['of Persian and Urdu', 'شماره گزارش ٹھیک رسید میں ہے'],
  ['of Hebrew', 'שלום עולם'],
])('lets readers find Arabic and Hebrew words %s as they were typed', async (_what, text) => {
  const words = await wordsIn((await renderPdf({ ...letter, markdown: text }, 'acme')).content)
  expect(words).toEqual(expect.arrayContaining(text.split(' ')))
})
