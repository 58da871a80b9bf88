import { megabytes, TableError } from './table.ts'

/** Returns all bytes of a stream; fails when there are more than `bytesMax`, before the rest is read. */
export async function collectBytes(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > bytesMax) throw new TableError('FILE_TOO_LARGE', { max: megabytes(bytesMax) })
    pieces.push(piece)
  }
  return Buffer.concat(pieces, bytes)
}
