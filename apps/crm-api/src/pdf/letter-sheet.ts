import type { Content, Definition } from './definition.ts'
import type { StyledText } from './text-runs.ts'
import { written } from './written.ts'

/** A document written in markdown: headings, lists, bold, italics and paragraphs. */
export interface LetterSheet {
  readonly kind: 'letter'
  /** BCP 47. */
  readonly language: string
  readonly title: string
  readonly markdown: string
  readonly seller: string
  /** A data URL of a PNG or JPEG. */
  readonly logo: string | null
  readonly color: string
  readonly pageLabel: string
}

const muted = '#5b6470'

/** Lays out a document from its markdown; other markdown syntax stays text. */
export function layOutLetter({ language, title, markdown, seller, logo, color, pageLabel }: LetterSheet): Definition {
  const letterhead = logo ? { image: logo, fit: [180, 60] } : written(seller, { bold: true, color, alignment: 'left' })
  return {
    info: { title, author: seller },
    language,
    pageSize: 'A4',
    pageMargins: [60, 64, 60, 64],
    defaultStyle: { font: 'Roboto', fontSize: 10.5, lineHeight: 1.3 },
    header: (page) =>
      page === 1
        ? null
        : {
            columns: [written(seller), written(title, { alignment: 'right' })],
            columnGap: 12,
            margin: [60, 30, 60, 0],
            fontSize: 8,
            color: muted,
          },
    footer: (page, pages) =>
      written(pageLabel.replace('{page}', String(page)).replace('{pages}', String(pages)), {
        alignment: 'right',
        margin: [60, 20, 60, 0],
        fontSize: 8,
        color: muted,
      }),
    content: [
      { ...letterhead, margin: [0, 0, 0, 20] },
      ...withHeadings(blocks(markdown.replaceAll('\r\n', '\n').split('\n')), color),
    ],
  }
}

/** Lines of one block, by their first sign. */
interface Block {
  readonly kind: 'heading' | 'bullets' | 'numbers' | 'rule' | 'paragraph'
  readonly lines: string[]
}

const marks: readonly (readonly [Block['kind'], RegExp])[] = [
  ['heading', /^#{1,4}\s+/],
  ['rule', /^\s*([-*_])(\s*\1){2,}\s*$/],
  ['bullets', /^\s*[-*]\s+/],
  ['numbers', /^\s*\d+[.)]\s+/],
]

function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = []
  let open: Block | undefined
  for (const line of lines) {
    const kind = line.trim() === '' ? undefined : (marks.find(([, mark]) => mark.test(line))?.[0] ?? 'paragraph')
    const isIndented = /^\s{2,}\S/.test(line)
    if (kind === undefined) open = undefined
    else if (open && kind === 'paragraph' && isIndented && (open.kind === 'bullets' || open.kind === 'numbers'))
      open.lines.push(`${open.lines.pop()} ${line.trim()}`)
    else if (open?.kind === kind && kind !== 'heading') open.lines.push(line)
    else found.push((open = { kind, lines: [line] }))
  }
  return found
}

/** Keeps a heading on the page of the block below it, unless that block fills a page by itself. */
function withHeadings(all: readonly Block[], color: string): Content[] {
  const laidOut: Content[] = []
  let headings: Content[] = []
  for (const block of all) {
    const content = layOutBlock(block, color)
    if (block.kind === 'heading') headings.push(content)
    else {
      laidOut.push(
        ...(headings.length > 0 && block.lines.join('').length < 1500 && block.lines.length < 20
          ? [{ stack: [...headings, content], unbreakable: true }]
          : [...headings, content]),
      )
      headings = []
    }
  }
  return [...laidOut, ...headings]
}

function layOutBlock({ kind, lines }: Block, color: string): Content {
  const [first = ''] = lines
  switch (kind) {
    case 'heading': {
      const size = [20, 15, 12.5, 11][first.indexOf(' ') - 1] ?? 11
      return written(inline(first.replace(/^#+\s+/, '')), { fontSize: size, bold: true, color, margin: [0, 8, 0, 4] })
    }
    case 'rule':
      return {
        canvas: [{ type: 'line', x1: 0, y1: 0, x2: 475, y2: 0, lineWidth: 0.5, lineColor: '#b4bac2' }],
        margin: [0, 6, 0, 10],
      }
    case 'bullets':
      return list(lines, /^\s*[-*]\s+/, () => '•')
    case 'numbers':
      return list(lines, /^\s*\d+[.)]\s+/, (line) => `${Number.parseInt(line, 10)}.`)
    case 'paragraph':
      return { stack: lines.map((line) => written(inline(line))), margin: [0, 0, 0, 8] }
  }
}

/** Returns a list; each item has its mark on the side on which it begins. */
function list(lines: readonly string[], mark: RegExp, markOf: (line: string) => string): Content {
  const points = lines.map((line) => {
    const point = written(inline(line.replace(mark, '')), { width: '*' })
    const sign = { text: markOf(line), width: 14, alignment: point.alignment ?? 'left' }
    return { columns: point.alignment === 'right' ? [point, sign] : [sign, point], columnGap: 4, margin: [4, 0, 4, 2] }
  })
  return { stack: points, margin: [0, 0, 0, 8] }
}

/** Returns the styled pieces of bold and italics; marks within words or beside spaces are text. */
function inline(markdown: string): StyledText[] {
  return markdown
    .split(
      /(\*\*(?=\S)[^*]*[^*\s]\*\*|(?<![\p{L}\p{N}*])\*(?=[^\s*])[^*]*[^*\s]\*(?!\*)|(?<![\p{L}\p{N}_])_(?=[^\s_])[^_]*[^_\s]_(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}*])\*[^\s*]\*(?!\*))/u,
    )
    .filter(Boolean)
    .map((piece) => {
      if (/^\*\*\S.*\*\*$/.test(piece) && piece.length > 4) return { text: piece.slice(2, -2), bold: true }
      if (/^(\*[^*]+\*|_[^_]+_)$/.test(piece)) return { text: piece.slice(1, -1), italics: true }
      return { text: piece }
    })
}
