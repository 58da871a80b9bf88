import type { Content, Definition } from './definition.ts'
import { scriptRuns } from './script-runs.ts'

/** A line of a label and what it says. */
export interface LabelledValue {
  readonly label: string
  readonly value: string
}

/** Everything that stands on the PDF of a quote or an invoice, as text that is written as it is. */
export interface CommercialSheet {
  readonly kind: 'commercial'
  readonly title: string
  /** Written across every page, for example for a draft. */
  readonly stamp: string | null
  readonly color: string
  /** A data URL of a PNG or JPEG. */
  readonly logo: string | null
  readonly seller: { readonly name: string; readonly lines: readonly string[] }
  readonly buyer: { readonly label: string; readonly lines: readonly string[] }
  readonly facts: readonly LabelledValue[]
  readonly columns: { readonly position: string; readonly name: string; readonly quantity: string; readonly unitPrice: string; readonly tax: string; readonly total: string }
  readonly lines: readonly { readonly name: string; readonly description: string | null; readonly quantity: string; readonly unitPrice: string; readonly tax: string; readonly total: string }[]
  readonly sums: readonly LabelledValue[]
  readonly taxTable: { readonly columns: readonly [string, string, string, string]; readonly rows: readonly (readonly [string, string, string, string])[] } | null
  readonly paragraphs: readonly { readonly heading: string | null; readonly text: string }[]
  readonly footer: string
  /** `{page}` and `{pages}` stand for the numbers. */
  readonly pageLabel: string
}

const text = (value: string, more: object = {}): Content => ({ text: scriptRuns(value), ...more })

/** Lays a quote or an invoice out: the header of the table and of the page come again on every page. */
export function layOutCommercial(sheet: CommercialSheet): Definition {
  return {
    info: { title: sheet.title },
    pageSize: 'A4',
    pageMargins: [48, 64, 48, 64],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.2 },
    watermark: sheet.stamp ? { text: sheet.stamp, color: '#888888', opacity: 0.15, bold: true } : undefined,
    header: { columns: [text(sheet.seller.name, { bold: true }), text(sheet.title, { alignment: 'right' })], margin: [48, 28, 48, 0], color: '#555555' },
    footer: (page, pages) => ({
      columns: [text(sheet.footer), { text: sheet.pageLabel.replace('{page}', String(page)).replace('{pages}', String(pages)), alignment: 'right', width: 90 }],
      margin: [48, 20, 48, 0], fontSize: 7.5, color: '#555555',
    }),
    content: [head(sheet), parties(sheet), table(sheet), sums(sheet), ...taxes(sheet), ...paragraphs(sheet)],
  }
}

function head({ title, color, logo }: CommercialSheet): Content {
  const heading: Content = text(title, { fontSize: 20, bold: true, color })
  return { columns: logo ? [heading, { image: logo, fit: [150, 56], alignment: 'right', width: 160 }] : [heading], margin: [0, 0, 0, 18] }
}

/** A draft may have nothing to tell yet, and a table needs a row. */
function factsTable(facts: readonly LabelledValue[]): Content {
  if (facts.length === 0) return { text: '', width: 180 }
  return { table: { body: facts.map(({ label, value }) => [text(label, { color: '#555555' }), text(value, { alignment: 'right' })]), widths: ['*', 'auto'] }, layout: 'noBorders', width: 180 }
}

function parties({ seller, buyer, facts }: CommercialSheet): Content {
  return {
    columns: [
      { stack: [text(buyer.label, { color: '#555555', fontSize: 8 }), ...buyer.lines.map((line, at) => text(line, { bold: at === 0 }))], width: '*' },
      { stack: seller.lines.map((line) => text(line)), width: '*' },
      factsTable(facts),
    ],
    columnGap: 16, margin: [0, 0, 0, 20],
  }
}

function table({ columns, lines, color }: CommercialSheet): Content {
  const right = { alignment: 'right' }
  const header = [text(columns.position), text(columns.name), text(columns.quantity, right), text(columns.unitPrice, right), text(columns.tax, right), text(columns.total, right)]
  const rows = lines.map((line, at) => [
    text(String(at + 1)),
    { stack: [text(line.name), ...(line.description ? [text(line.description, { color: '#555555', fontSize: 8 })] : [])] },
    text(line.quantity, right), text(line.unitPrice, right), text(line.tax, right), text(line.total, right),
  ])
  return {
    table: { headerRows: 1, dontBreakRows: true, widths: [20, '*', 'auto', 'auto', 'auto', 'auto'], body: [header.map((one) => ({ ...one, bold: true, color: '#ffffff', fillColor: color })), ...rows] },
    layout: { hLineWidth: (line: number) => (line <= 1 ? 0 : 0.5), vLineWidth: () => 0, hLineColor: () => '#cccccc', paddingTop: () => 4, paddingBottom: () => 4 },
  }
}

function sums({ sums: rows }: CommercialSheet): Content {
  const last = rows.length - 1
  return {
    columns: [
      { text: '', width: '*' },
      {
        table: { widths: ['*', 'auto'], body: rows.map(({ label, value }, at) => [text(label, { bold: at === last }), text(value, { alignment: 'right', bold: at === last, noWrap: true })]) },
        layout: { hLineWidth: (line: number) => (line === rows.length ? 1 : 0), vLineWidth: () => 0 },
        width: 240,
      },
    ],
    margin: [0, 12, 0, 12], unbreakable: true,
  }
}

function taxes({ taxTable }: CommercialSheet): Content[] {
  if (!taxTable) return []
  const aligned = (row: readonly string[], more: object = {}): Content[] => row.map((value, at) => text(value, { alignment: at === 0 ? 'left' : 'right', ...more }))
  return [{
    table: { headerRows: 1, widths: ['*', 60, 90, 90], body: [aligned(taxTable.columns, { bold: true }), ...taxTable.rows.map((row) => aligned(row))] },
    layout: 'lightHorizontalLines', fontSize: 8, margin: [0, 0, 0, 12],
  }]
}

function paragraphs({ paragraphs: parts }: CommercialSheet): Content[] {
  return parts.flatMap(({ heading, text: body }) => [...(heading ? [text(heading, { bold: true, margin: [0, 8, 0, 2] })] : []), text(body)])
}
