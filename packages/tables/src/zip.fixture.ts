import { crc32, deflateRawSync } from 'node:zlib'

/** A file in an archive; `declaredBytes` lets its directory say another size than it has. */
export interface PackedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly declaredBytes?: number
}

const localSignature = 0x04034b50
const entrySignature = 0x02014b50
const endSignature = 0x06054b50
const deflated = 8

/** Returns a zip archive, as no careful program writes it where sizes are declared wrongly. */
export function packed(files: readonly PackedFile[], comment = ''): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, declaredBytes } of files) {
    const bytes = Buffer.from(content)
    const data = deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(deflated, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(declaredBytes ?? bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([word(localSignature), facts, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([word(entrySignature), Buffer.from([20, 0]), facts, rest, Buffer.from(name)]))
    pieces.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...pieces, entries, word(endSignature), end, Buffer.from(comment)])
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** What stands in a workbook, in the words of its format. */
export interface WorkbookParts {
  readonly rows: string
  /** The formats of numbers; a cell names one by its place, from 1, as `s="1"`. */
  readonly formats?: readonly string[]
  readonly strings?: readonly string[]
  readonly properties?: string
  readonly more?: readonly PackedFile[]
}

/** Returns a workbook with one sheet, "Sheet 1", and a hidden one before it. */
export function workbook({ rows, formats = [], strings = [], properties = '', more = [] }: WorkbookParts): Buffer {
  const numFmts = formats
    .map((format, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escaped(format)}"/>`)
    .join('')
  const xfs = formats.map((_, at) => `<xf numFmtId="${200 + at}" applyNumberFormat="1"/>`).join('')
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const sheet = (data: string): string => `${xml}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`
  return packed([
    {
      name: '[Content_Types].xml',
      content: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook xmlns="${main}" xmlns:r="${relationships}"><workbookPr ${properties}/><sheets><sheet name="Lists" sheetId="2" state="hidden" r:id="rId2"/><sheet name="Sheet 1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${relationships}/styles" Target="styles.xml"/><Relationship Id="rId4" Type="${relationships}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${xml}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${numFmts}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length + 1}"><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${xml}<sst xmlns="${main}">${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet(rows) },
    { name: 'xl/worksheets/sheet2.xml', content: sheet('<row r="1"><c r="A1"><v>1</v></c></row>') },
    ...more,
  ])
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
