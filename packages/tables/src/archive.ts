import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { megabytes, TableError, type Limits } from './table.ts'

/** A file in an archive: its path, and its bytes once it is unpacked, as the directory of the archive declares them. */
export interface PackedFile {
  readonly path: string
  readonly bytes: number
}

/** Whether bytes begin as an archive does. */
export function isArchive(bytes: Uint8Array): boolean {
  return Buffer.from('PK\u0003\u0004', 'latin1').equals(bytes.subarray(0, 4))
}

/** Opens an archive, whose entries are read one by one. */
export function openArchive(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, archive) => {
      if (error) reject(error)
      else resolve(archive)
    })
  })
}

/** Opens an entry of an archive; its bytes end with an error where they are not as many as declared. */
export function openEntry(archive: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
}

const entriesMax = 10_000
/** The least that packed bytes of an entry can become is more than nothing. */
const emptyPackedBytes = 2

/**
 * Returns the files of an archive.
 *
 * Fails for one that holds more than it may, by the sizes that its directory declares: readers of workbooks stop unpacking at those, and know no
 * limit where none is declared.
 */
export async function filesIn(
  bytes: Uint8Array,
  { unpackedBytesMax }: Pick<Limits, 'unpackedBytesMax'>,
): Promise<readonly PackedFile[]> {
  const files: PackedFile[] = []
  let unpacked = 0
  try {
    const archive = await openArchive(bytes)
    // With a comment, two readers could find two directories.
    if (archive.comment !== '' || archive.entryCount > entriesMax) throw new TableError('BROKEN_FILE')
    for await (const { fileName, uncompressedSize, compressedSize } of archive.eachEntry()) {
      if (uncompressedSize === 0 && compressedSize > emptyPackedBytes) throw new TableError('BROKEN_FILE')
      unpacked += uncompressedSize
      if (unpacked > unpackedBytesMax) throw new TableError('UNPACKED_TOO_LARGE', { max: megabytes(unpackedBytesMax) })
      if (!fileName.endsWith('/')) files.push({ path: fileName, bytes: uncompressedSize })
    }
  } catch (error) {
    throw error instanceof TableError ? error : new TableError('BROKEN_FILE')
  }
  return files
}

/** Reads one file of an archive. */
export async function* readPacked(bytes: Uint8Array, path: string): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(bytes)
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== path) continue
    yield* await openEntry(archive, entry)
    return
  }
}

const tableEndings = /\.(?:csv|tsv|txt|tab|xlsx|xlsm|xlsb|xls|ods|vcf)$/i
/** What systems put beside the files of people. */
const hiddenFiles = /(?:^|\/)(?:\.|__MACOSX\/)/

/** Returns which files of an archive are tables, and the paths of all others that people see. */
export function tablesAmong(files: readonly PackedFile[]): {
  readonly tables: readonly PackedFile[]
  readonly others: readonly string[]
} {
  const shown = files.filter(({ path }) => !hiddenFiles.test(path))
  const isTable = ({ path }: PackedFile): boolean => tableEndings.test(path)
  return { tables: shown.filter(isTable), others: shown.filter((file) => !isTable(file)).map(({ path }) => path) }
}

/** Returns what an archive is, by the names of its files: a workbook, or a folder of files. */
export function formOfArchive(files: readonly PackedFile[]): 'xlsx' | 'other workbook' | 'folder' {
  const paths = new Set(files.map(({ path }) => path))
  if (paths.has('[Content_Types].xml')) return paths.has('xl/workbook.bin') ? 'other workbook' : 'xlsx'
  return paths.has('content.xml') && paths.has('META-INF/manifest.xml') ? 'other workbook' : 'folder'
}
