import { inflateSync } from 'node:zlib'

const headerBytes = 44
const entryBytes = 20
const sfntHeaderBytes = 12
const sfntEntryBytes = 16

/**
 * Unpacks a WOFF 1.0 font into the plain font that it holds; anything else stays unchanged. A reader of a packed font would
 * unpack whole tables for every single letter.
 */
export function unpackWoff(packed: Buffer): Buffer {
  if (packed.toString('latin1', 0, 4) !== 'wOFF') return packed
  const count = packed.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, at) => readTable(packed, headerBytes + at * entryBytes))
  const head = Buffer.alloc(sfntHeaderBytes + count * sfntEntryBytes)
  packed.copy(head, 0, 4, 8)
  const power = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  let offset = head.length
  for (const [at, { tag, checksum, content }] of tables.entries()) {
    const entry = sfntHeaderBytes + at * sfntEntryBytes
    tag.copy(head, entry)
    head.writeUInt32BE(checksum, entry + 4)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(content.length, entry + 12)
    offset += padded(content.length)
  }
  return Buffer.concat([
    head,
    ...tables.flatMap(({ content }) => [content, Buffer.alloc(padded(content.length) - content.length)]),
  ])
}

function readTable(packed: Buffer, entry: number) {
  const offset = packed.readUInt32BE(entry + 4)
  const [packedBytes, bytes] = [packed.readUInt32BE(entry + 8), packed.readUInt32BE(entry + 12)]
  const content = packed.subarray(offset, offset + packedBytes)
  return {
    tag: packed.subarray(entry, entry + 4),
    checksum: packed.readUInt32BE(entry + 16),
    content: packedBytes < bytes ? inflateSync(content) : content,
  }
}

/** Returns a length padded to four bytes, because tables begin at multiples of four. */
function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4
}
