import { pipeline, type Transform } from 'node:stream'

/** The bytes of a body as they come. */
export type BodyBytes = AsyncIterable<Uint8Array>

/** A coding of bodies that can be taken off. */
export type BodyCoding = 'gzip' | 'x-gzip' | 'deflate' | 'br'

/** The error for a coding that is not among the ones that are taken. */
export class UnknownCoding extends Error {
  constructor() {
    super('The body has a coding that is not taken')
    this.name = 'UnknownCoding'
  }
}

/**
 * Returns the codings of a body in the order in which they were put on, by the value of its `Content-Encoding` (RFC 9110, section 8.4);
 * `identity` is none. Throws UnknownCoding for one that is not among the taken ones.
 */
export function codingsOf(header: string | undefined, taken: readonly BodyCoding[]): readonly BodyCoding[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => {
      const coding = taken.find((each) => each === name)
      if (coding === undefined) throw new UnknownCoding()
      return coding
    })
}

/** Takes the codings off a body while it is read. Whoever stops reading ends it; the reading throws what is wrong with it. */
export function unpacked(body: BodyBytes, codings: readonly BodyCoding[]): BodyBytes {
  return codings.reduceRight(without, body)
}

/** The beginning of a body: all of it when `isWhole`. `fault` is what ended the reading before its end. */
export interface ReadBody {
  readonly bytes: Buffer
  readonly isWhole: boolean
  readonly fault: unknown
}

/** Reads a body up to a number of bytes, and whether more would follow; it does not throw. */
export async function readUpTo(body: BodyBytes, bytesMax: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let fault: unknown
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) break
    }
  } catch (error) {
    fault = error ?? new Error('The body broke off')
  }
  const isWhole = bytes <= bytesMax && fault === undefined
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole, fault }
}

/** Whether a fault says that a packed body is damaged, not that it broke off on its way. */
export function isDamage(fault: unknown): boolean {
  const { code } = (fault ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^(?:Z_|ERR__)/.test(code)
}

/** Returns the decoder of the charset that a content type names: UTF-8 without one, and for one that nobody knows. */
export function decoderFor(contentType: string | undefined): TextDecoder {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '') ?? []
  try {
    return new TextDecoder(quoted ?? bare ?? 'utf-8')
  } catch {
    return new TextDecoder()
  }
}

/** A body of nothing is one in every coding. */
async function* without(body: BodyBytes, coding: BodyCoding): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let first = await chunks.next()
  while (first.done !== true && first.value.length === 0) first = await chunks.next()
  if (first.done === true) return
  const head = first.value
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const unpacker = unpackerOf(coding, head[0]!)
  // The reader of the unpacker gets every fault.
  pipeline(all(), unpacker, () => {})
  yield* unpacker
}

function unpackerOf(coding: BodyCoding, firstByte: number): Transform {
  // Loaded with the first body that needs it: most processes never see one.
  const zlib = process.getBuiltinModule('node:zlib')
  if (coding === 'br') return zlib.createBrotliDecompress()
  if (coding !== 'deflate') return zlib.createGunzip()
  // Some senders leave out the head that belongs to `deflate` (RFC 9110, section 8.4.1.2).
  return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
}
