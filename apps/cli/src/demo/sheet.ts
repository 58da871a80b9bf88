/** Writes a PDF of one page: a title, and lines below it; characters outside Latin-1 become question marks. */
export function writeSheet(title: string, lines: readonly string[]): Uint8Array {
  const text = [
    `BT /F2 20 Tf 64 770 Td (${shown(title)}) Tj`,
    '/F1 11 Tf 0 -20 Td 16 TL',
    ...lines.flatMap(broken).map((line) => `T* (${shown(line)}) Tj`),
    'ET',
  ].join('\n')
  const font = (name: string): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`)
  return Buffer.from(withTable('%PDF-1.4\n', objects), 'latin1')
}

/** Ends a PDF with the offsets of its objects. */
function withTable(head: string, objects: readonly string[]): string {
  const starts = objects.map((_, at) => head.length + objects.slice(0, at).join('').length)
  const body = head + objects.join('')
  const entries = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

function shown(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?').replaceAll(/[\\()]/g, (character) => `\\${character}`)
}

/** Breaks a line between words at the edge of the page. */
function broken(line: string): string[] {
  return line === '' ? [''] : (line.match(/.{1,84}(?:\s|$)/g) ?? [line])
}
