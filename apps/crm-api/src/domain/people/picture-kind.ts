/** What the first bytes of a picture say. */
export interface PictureKind {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Reads type and size of a PNG, a JPEG or a WebP from its header; undefined for anything else, whatever its name. Nothing is decoded, so
 * a small file that would become a huge picture costs nothing.
 */
export function readPictureKind(content: Uint8Array): PictureKind | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function readPng(bytes: Buffer): PictureKind | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature) || textAt(bytes, 12) !== 'IHDR') return undefined
  return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function readWebp(bytes: Buffer): PictureKind | undefined {
  if (bytes.length < 30 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return undefined
  const chunk = textAt(bytes, 12)
  if (chunk === 'VP8X') return sized('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const sizes = bytes.readUInt32LE(21)
    return sized('image/webp', (sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1)
  }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return sized('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  return undefined
}

/** Frames of these markers hold the size: all from SOF0 to SOF15 besides those of tables (DHT, JPG, DAC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function readJpeg(bytes: Buffer): PictureKind | undefined {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // Any number of 0xFF may fill the space before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (isFrame(marker))
      return length >= 8 && at + 9 <= bytes.length
        ? sized('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
        : undefined
    // The picture itself begins: its size would have come before.
    if (marker === 0xda || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

function sized(mediaType: PictureKind['mediaType'], width: number, height: number): PictureKind | undefined {
  return width > 0 && height > 0 ? { mediaType, width, height } : undefined
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4)
}
