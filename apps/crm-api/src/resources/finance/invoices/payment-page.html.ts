import { pageIcon } from '@crm/http'
import { createHash } from 'node:crypto'
import type { CommercialSheet } from '../../../pdf/commercial-sheet.ts'

const style = `
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1b1f24}
main{max-width:46rem;margin:2rem auto;padding:2rem;background:#fff;border-radius:8px}
h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .5rem;border-bottom:1px solid #e2e5e9;vertical-align:top}
.n{text-align:right;white-space:nowrap}tfoot th{font-weight:400}.s *{font-weight:700}
small{color:#57606a}p{white-space:pre-line}.due{font-size:1.3rem;font-weight:700}img{max-height:56px;max-width:200px}
@media(max-width:40rem){main{margin:0;padding:1rem;border-radius:0}.o{display:none}}
`

/** The page runs no script and loads nothing; only its own styles apply, and a logo is embedded in the page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

/** Returns the HTML of the public page of an invoice: the amount due, the lines, and how to pay. */
export function writePaymentPage(
  sheet: CommercialSheet,
  {
    language,
    due,
    pdfPath,
  }: {
    readonly language: string
    readonly due: { readonly label: string; readonly value: string }
    readonly pdfPath: string
  },
): string {
  const { columns } = sheet
  const rows = sheet.lines.map(
    (line) =>
      `<tr><td dir="auto">${escape(line.name)}${line.remarks.map((remark) => `<br><small>${escape(remark)}</small>`).join('')}</td><td class="n">${escape(line.quantity)}</td><td class="n o">${escape(line.unitPrice)}</td><td class="n">${escape(line.total)}</td></tr>`,
  )
  const sums = sheet.sums.map(
    ({ label, value, weight }) =>
      `<tr${weight === 'STRONG' ? ' class="s"' : ''}><th colspan="2" scope="row">${escape(label)}</th><td class="o"></td><td class="n">${escape(value)}</td></tr>`,
  )
  const body = [
    sheet.logo
      ? `<img src="${escape(sheet.logo)}" alt="${escape(sheet.seller.name)}">`
      : `<p>${escape(sheet.seller.name)}</p>`,
    `<h1>${escape(sheet.title)}</h1>`,
    `<p class="due">${escape(due.label)}: ${escape(due.value)}</p>`,
    `<p>${sheet.facts.map(({ label, value }) => `${escape(label)}: ${escape(value)}`).join('\n')}</p>`,
    `<table><thead><tr><th scope="col">${escape(columns.name)}</th><th scope="col" class="n">${escape(columns.quantity)}</th><th scope="col" class="n o">${escape(columns.unitPrice)}</th><th scope="col" class="n">${escape(columns.total)}</th></tr></thead>`,
    `<tbody>${rows.join('')}</tbody><tfoot>${sums.join('')}</tfoot></table>`,
    ...sheet.paragraphs.map(
      ({ heading, text }) => `${heading ? `<h2>${escape(heading)}</h2>` : ''}<p dir="auto">${escape(text)}</p>`,
    ),
    `<p><a href="${escape(pdfPath)}">PDF</a></p>`,
  ]
  return document(language, sheet.title, body.join('\n'))
}

/** Returns the HTML of the page for an address that opens nothing, or nothing any more. */
export function writeClosedPage(): string {
  return document(
    'en',
    'Not found',
    '<h1>This page is not available</h1><p>The address is wrong, or the page was closed.</p>',
  )
}

function document(language: string, title: string, body: string): string {
  return `<!doctype html><html lang="${escape(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>${pageIcon}<style>${style}</style></head><body><main>${body}</main></body></html>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
