import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codingsOf, decoderFor, isDamage, readUpTo, unpacked, UnknownCoding, type BodyCoding } from './body-coding.ts'

const all: readonly BodyCoding[] = ['gzip', 'x-gzip', 'deflate', 'br']

async function* inPieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const text = 'Grüße, '.repeat(1_000)

it.each<[string, Uint8Array]>([
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['identity', Buffer.from(text)],
  ['', Buffer.from(text)],
  // RFC 9110, section 8.4: the codings stand in the order in which they were applied.
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('takes %j off', async (header, bytes) => {
  const read = await readUpTo(unpacked(inPieces(bytes), codingsOf(header, all)), 100_000)
  expect(read).toEqual({ bytes: Buffer.from(text), isWhole: true, fault: undefined })
})

it('takes deflate off without its head, as .NET sends it', async () => {
  const read = await readUpTo(unpacked(inPieces(deflateRawSync(text)), ['deflate']), 100_000)
  expect([read.bytes.toString(), read.isWhole]).toEqual([text, true])
})

it.each(['zstd', 'gzip, zstd', 'utf-8', 'constructor', 'br'])('knows only what is taken, and not %j', (header) => {
  expect(() => codingsOf(header, ['gzip'])).toThrow(UnknownCoding)
})

it.each([0, 3, 8])('takes an empty body for one, whatever its coding: %j pieces of nothing', async (pieces) => {
  async function* nothing(): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < pieces; n++) yield new Uint8Array(0)
  }
  for (const coding of all)
    expect(await readUpTo(unpacked(nothing(), [coding]), 10)).toMatchObject({ bytes: Buffer.alloc(0), isWhole: true })
})

describe('a bound', () => {
  it('holds for what a body becomes, and ends one without an end', async () => {
    const member = gzipSync(Buffer.alloc(1024 * 1024))
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1
        yield member
      }
    }
    const read = await readUpTo(unpacked(endless(), ['gzip']), 1_000)
    expect([read.bytes.length, read.isWhole, read.fault]).toEqual([1_000, false, undefined])
    expect(given).toBeLessThan(1_000)
  })

  it.each([
    [9, false],
    [10, true],
  ])('of %i bytes tells of a body of ten whether it is whole: %s', async (bytesMax, isWhole) => {
    expect(await readUpTo(inPieces(Buffer.from('0123456789')), bytesMax)).toMatchObject({ isWhole })
  })
})

it.each<[string, BodyCoding, Uint8Array]>([
  ['is cut', 'gzip', gzipSync(text).subarray(0, 30)],
  ['is cut', 'br', brotliCompressSync(text).subarray(0, 12)],
  ['is something else', 'gzip', Buffer.from('{"a":1}')],
  ['is something else', 'br', Buffer.from('{"a":1}')],
  ['is something else', 'deflate', Buffer.from('{"a":1}')],
])('tells that a body %s: %s', async (_what, coding, bytes) => {
  const { isWhole, fault } = await readUpTo(unpacked(inPieces(bytes), [coding]), 1_000)
  expect([isWhole, isDamage(fault)]).toEqual([false, true])
})

it('tells a body that breaks off from a damaged one', async () => {
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield gzipSync(text).subarray(0, 20)
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  const { isWhole, fault } = await readUpTo(unpacked(breaking(), ['gzip']), 1_000)
  expect([isWhole, isDamage(fault)]).toEqual([false, false])
})

it.each([
  [undefined, Buffer.from('ä'), 'ä'],
  ['text/plain; charset=ISO-8859-1', Buffer.from('ä', 'latin1'), 'ä'],
  ['text/calendar; Charset="windows-1252"; method=PUBLISH', Buffer.from([0x80]), '€'],
  ['application/json; charset=utf-16le', Buffer.from('ä', 'utf16le'), 'ä'],
  ['text/plain; charset=x-unknown', Buffer.from('ä'), 'ä'],
])('reads text in the charset of %j', (contentType, bytes, expected) => {
  expect(decoderFor(contentType).decode(bytes)).toBe(expected)
})
