import type { Content, Definition } from './definition.ts'
import { written, writtenLines } from './written.ts'

/** A label with its value. */
export interface LabelledValue {
  readonly label: string
  readonly value: string
}

/** One of the sums below the lines. */
export interface Sum extends LabelledValue {
  /** The total is strong, its components are light. */
  readonly weight?: 'STRONG' | 'LIGHT'
}

/** A line of the table. */
export interface SheetLine {
  readonly name: string
  /** The lines in small print below the name. */
  readonly remarks: readonly string[]
  readonly quantity: string
  readonly unitPrice: string
  readonly tax: string
  readonly total: string
}

/** The whole content of the PDF of a quote or an invoice, as text that is written unchanged. */
export interface CommercialSheet {
  readonly kind: 'commercial'
  /** BCP 47. */
  readonly language: string
  readonly title: string
  /** Written across every page, for example for a draft. */
  readonly stamp: string | null
  readonly color: string
  /** A data URL of a PNG or JPEG. */
  readonly logo: string | null
  readonly seller: { readonly name: string; readonly lines: readonly string[] }
  readonly buyer: { readonly label: string; readonly lines: readonly string[] }
  readonly facts: readonly LabelledValue[]
  readonly columns: {
    readonly position: string
    readonly name: string
    readonly quantity: string
    readonly unitPrice: string
    readonly tax: string
    readonly total: string
  }
  readonly lines: readonly SheetLine[]
  readonly sums: readonly Sum[]
  readonly taxTable: {
    readonly columns: readonly [string, string, string, string]
    readonly rows: readonly (readonly [string, string, string, string])[]
  } | null
  readonly paragraphs: readonly { readonly heading: string | null; readonly text: string }[]
  readonly footer: string
  /** `{page}` and `{pages}` stand for the numbers. */
  readonly pageLabel: string
}

const muted = '#5b6470'
const hairline = '#d5d9de'
const right = { alignment: 'right' } as const

/** Lays out a quote or an invoice: the head of the table is repeated on every page, and the sender on every page but the first. */
export function layOutCommercial(sheet: CommercialSheet): Definition {
  return {
    info: { title: sheet.title, author: sheet.seller.name },
    language: sheet.language,
    pageSize: 'A4',
    pageMargins: [48, 60, 48, 64],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.2 },
    ...(sheet.stamp ? { watermark: { text: sheet.stamp, color: '#888888', opacity: 0.12, bold: true } } : {}),
    header: (page) =>
      page === 1
        ? null
        : {
            columns: [written(sheet.seller.name), written(sheet.title, { ...right, width: 'auto' })],
            columnGap: 12,
            margin: [48, 28, 48, 0],
            fontSize: 8,
            color: muted,
          },
    footer: (page, pages) => ({
      columns: [
        written(sheet.footer),
        written(sheet.pageLabel.replace('{page}', String(page)).replace('{pages}', String(pages)), {
          ...right,
          width: 100,
        }),
      ],
      columnGap: 12,
      margin: [48, 20, 48, 0],
      fontSize: 7.5,
      color: muted,
    }),
    content: [
      letterhead(sheet),
      written(sheet.title, { fontSize: 20, bold: true, color: sheet.color, margin: [0, 0, 0, 12] }),
      parties(sheet),
      table(sheet),
      sums(sheet),
      ...taxes(sheet),
      ...paragraphs(sheet),
    ],
  }
}

/** Returns the logo, or the name where there is none, and the sender. */
function letterhead({ seller, color, logo }: CommercialSheet): Content {
  const sign: Content = logo
    ? { image: logo, fit: [180, 60], width: '*' }
    : written(seller.name, { fontSize: 13, bold: true, color, width: '*', alignment: 'left' })
  const lines = seller.lines.map((line, at) =>
    written(line, { ...right, bold: at === 0, color: at === 0 ? '#000000' : muted }),
  )
  return { columns: [sign, { stack: lines, width: 230, fontSize: 8 }], columnGap: 24, margin: [0, 0, 0, 22] }
}

function parties({ buyer, facts }: CommercialSheet): Content {
  const lines = buyer.lines.map((line, at) => written(line, { bold: at === 0, alignment: 'left' }))
  return {
    columns: [
      {
        stack:
          buyer.lines.length > 0
            ? [written(buyer.label, { color: muted, fontSize: 8, margin: [0, 0, 0, 2] }), ...lines]
            : [],
        width: '*',
      },
      factsTable(facts),
    ],
    columnGap: 24,
    margin: [0, 0, 0, 20],
  }
}

/** Returns the table of facts. A draft may have no facts, and a table needs a row. */
function factsTable(facts: readonly LabelledValue[]): Content {
  if (facts.length === 0) return { text: '', width: 190 }
  return {
    table: {
      body: facts.map(({ label, value }) => [written(label, { color: muted }), written(value, right)]),
      widths: ['auto', '*'],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      paddingLeft: () => 0,
      paddingRight: () => 0,
      paddingTop: () => 1.5,
      paddingBottom: () => 1.5,
    },
    width: 190,
  }
}

function table({ columns, lines, color }: CommercialSheet): Content {
  const number = { ...right, noWrap: true } as const
  const header = [
    written(columns.position),
    written(columns.name),
    written(columns.quantity, right),
    written(columns.unitPrice, right),
    written(columns.tax, right),
    written(columns.total, right),
  ]
  const rows = lines.map((line, at) => [
    written(String(at + 1), { color: muted }),
    {
      stack: [written(line.name), ...line.remarks.map((remark) => writtenLines(remark, { color: muted, fontSize: 8 }))],
    },
    written(line.quantity, line.quantity.length <= 16 ? number : right),
    written(line.unitPrice, number),
    written(line.tax, number),
    written(line.total, number),
  ])
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: [18, '*', 'auto', 'auto', 'auto', 'auto'],
      body: [header.map((one) => ({ ...one, bold: true, color: '#ffffff', fillColor: color })), ...rows],
    },
    layout: {
      hLineWidth: (line: number) => (line <= 1 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => hairline,
      paddingTop: () => 5,
      paddingBottom: () => 4,
      paddingLeft: () => 6,
      paddingRight: () => 6,
    },
  }
}

function sums({ sums: rows, color }: CommercialSheet): Content {
  const strong = rows.flatMap(({ weight }, at) => (weight === 'STRONG' ? [at, at + 1] : []))
  const look = (weight: Sum['weight']): Content =>
    weight === 'STRONG' ? { bold: true, fontSize: 11, color } : weight === 'LIGHT' ? { color: muted } : {}
  return {
    columns: [
      { text: '', width: '*' },
      {
        table: {
          widths: ['*', 'auto'],
          body: rows.map(({ label, value, weight }) => [
            written(label, { ...look(weight), alignment: 'left' }),
            written(value, { ...right, noWrap: true, ...look(weight) }),
          ]),
        },
        layout: {
          hLineWidth: (line: number) => (strong.includes(line) ? 0.75 : 0),
          vLineWidth: () => 0,
          hLineColor: () => color,
          paddingTop: () => 3,
          paddingBottom: () => 2,
          paddingLeft: () => 6,
          paddingRight: () => 6,
        },
        width: 250,
      },
    ],
    margin: [0, 10, 0, 14],
    unbreakable: true,
  }
}

function taxes({ taxTable }: CommercialSheet): Content[] {
  if (!taxTable) return []
  const aligned = (row: readonly string[], more: Content = {}): Content[] =>
    row.map((value, at) => written(value, { alignment: at === 0 ? 'left' : 'right', ...more }))
  return [
    {
      table: {
        headerRows: 1,
        dontBreakRows: true,
        widths: ['*', 'auto', 'auto', 'auto'],
        body: [aligned(taxTable.columns, { color: muted }), ...taxTable.rows.map((row) => aligned(row))],
      },
      layout: {
        hLineWidth: (line: number, { table: { body } }: { table: { body: unknown[] } }) =>
          line === 0 || line === body.length ? 0 : 0.5,
        vLineWidth: () => 0,
        hLineColor: () => hairline,
        paddingLeft: () => 6,
        paddingRight: () => 6,
      },
      fontSize: 8,
      margin: [0, 0, 0, 12],
      unbreakable: taxTable.rows.length <= 12,
    },
  ]
}

function paragraphs({ paragraphs: parts }: CommercialSheet): Content[] {
  return parts.flatMap(({ heading, text }) => {
    const heads = heading ? [written(heading, { bold: true, margin: [0, 8, 0, 2] })] : []
    const [first = '', ...more] = text.trim().split(/\n/)
    // A heading stays on the page of the text below it.
    return [
      { stack: [...heads, writtenLines(first)], unbreakable: true },
      ...(more.length > 0 ? [writtenLines(more.join('\n'))] : []),
    ]
  })
}
