import type { Content, Definition } from './definition.ts'
import { scriptRuns } from './script-runs.ts'

/** A document written in markdown: headings, lists, bold, italics and paragraphs. */
export interface LetterSheet {
  readonly kind: 'letter'
  readonly title: string
  readonly markdown: string
  readonly seller: string
  /** A data URL of a PNG or JPEG. */
  readonly logo: string | null
  readonly color: string
  readonly pageLabel: string
}

/** Lays a document out from its markdown; what the markdown says otherwise stays text. */
export function layOutLetter({ title, markdown, seller, logo, color, pageLabel }: LetterSheet): Definition {
  return {
    info: { title },
    pageSize: 'A4',
    pageMargins: [60, 72, 60, 64],
    defaultStyle: { font: 'Roboto', fontSize: 10.5, lineHeight: 1.3 },
    header: { text: scriptRuns(seller), margin: [60, 32, 60, 0], color: '#555555', fontSize: 9 },
    footer: (page, pages) => ({ text: pageLabel.replace('{page}', String(page)).replace('{pages}', String(pages)), alignment: 'right', margin: [60, 20, 60, 0], fontSize: 8, color: '#555555' }),
    content: [...(logo ? [{ image: logo, fit: [150, 56], margin: [0, 0, 0, 16] }] : []), ...blocks(markdown, color)],
  }
}

function blocks(markdown: string, color: string): Content[] {
  return markdown.replaceAll('\r\n', '\n').split(/\n{2,}/).flatMap((part) => block(part.replace(/^\n+|\n+$/g, ''), color))
}

function block(part: string, color: string): Content[] {
  const lines = part.split('\n')
  const heading = /^(#{1,4})\s+(.*)$/.exec(lines[0] ?? '')
  if (heading) {
    const size = [20, 16, 13, 11][(heading[1]?.length ?? 1) - 1] ?? 11
    const rest = lines.slice(1).join('\n')
    return [{ text: inline(heading[2] ?? ''), fontSize: size, bold: true, color, margin: [0, 8, 0, 4] }, ...(rest ? block(rest, color) : [])]
  }
  if (lines.every((line) => /^\s*[-*]\s+/.test(line))) return [{ ul: lines.map((line) => ({ text: inline(line.replace(/^\s*[-*]\s+/, '')) })), margin: [0, 0, 0, 8] }]
  if (lines.every((line) => /^\s*\d+[.)]\s+/.test(line))) return [{ ol: lines.map((line) => ({ text: inline(line.replace(/^\s*\d+[.)]\s+/, '')) })), margin: [0, 0, 0, 8] }]
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(part)) return [{ canvas: [{ type: 'line', x1: 0, y1: 0, x2: 475, y2: 0, lineWidth: 0.5, lineColor: '#999999' }], margin: [0, 6, 0, 6] }]
  return part.trim() === '' ? [] : [{ text: inline(part), margin: [0, 0, 0, 8] }]
}

function inline(markdown: string): Content[] {
  return markdown.split(/(\*\*[^*]+\*\*|\*[^*]+\*|_[^_]+_)/).filter(Boolean).flatMap((piece) => {
    const bold = /^\*\*([^*]+)\*\*$/.exec(piece)?.[1]
    const italics = bold === undefined ? /^(?:\*([^*]+)\*|_([^_]+)_)$/.exec(piece) : null
    const style = bold === undefined ? (italics ? { italics: true } : {}) : { bold: true }
    return scriptRuns(bold ?? italics?.[1] ?? italics?.[2] ?? piece).map((run) => ({ ...run, ...style }))
  })
}
