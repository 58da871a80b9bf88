import { noise } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { readPictureKind } from './picture-kind.ts'

const from = (base64: string): Buffer => Buffer.from(base64, 'base64')
const png = from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==')
const lossyWebp = from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const losslessWebp = from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')

/** Returns a segment of a JPEG: its marker, its length and its content. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
function frame(marker: number, width: number, height: number): Buffer {
  const content = Buffer.alloc(15, 1)
  content.writeUInt16BE(height, 1)
  content.writeUInt16BE(width, 3)
  return segment(marker, content)
}
const start = Buffer.from([0xff, 0xd8])
const jpeg = (...parts: Buffer[]): Buffer => Buffer.concat([start, ...parts])
const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), frame(0xc0, 9, 9)]))
const extendedWebp = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X'),
  Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 0xff, 3, 0, 0x1f, 1, 0]),
])

describe('readPictureKind', () => {
  it.each([
    ['a PNG', png, 'image/png', 1, 1],
    ['a lossy WebP', lossyWebp, 'image/webp', 1, 1],
    ['a lossless WebP', losslessWebp, 'image/webp', 1, 1],
    ['a WebP with more than a picture', extendedWebp, 'image/webp', 1024, 288],
    ['a JPEG', jpeg(segment(0xe0, Buffer.alloc(14)), frame(0xc0, 640, 480)), 'image/jpeg', 640, 480],
    ['a progressive JPEG', jpeg(segment(0xc4, Buffer.alloc(20)), frame(0xc2, 3, 7)), 'image/jpeg', 3, 7],
    ['a JPEG with a small picture in its notes', jpeg(exif, frame(0xc0, 2000, 10)), 'image/jpeg', 2000, 10],
    ['a JPEG with filling', jpeg(Buffer.from([0xff, 0xff, 0xff]), frame(0xc0, 5, 6)), 'image/jpeg', 5, 6],
  ])('knows %s', (_name, bytes, mediaType, width, height) => {
    expect(readPictureKind(bytes)).toEqual({ mediaType, width, height })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')],
    ['a GIF', from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')],
    ['a page', Buffer.from('<!doctype html><p>hello</p>'.repeat(4))],
    ['a PNG that is cut off', png.subarray(0, 30)],
    ['a PNG without a width', Buffer.concat([png.subarray(0, 16), Buffer.alloc(4), png.subarray(20)])],
    [
      'a JPEG without a frame',
      jpeg(segment(0xe0, Buffer.alloc(14)), segment(0xda, Buffer.alloc(8)), frame(0xc0, 5, 5)),
    ],
    ['a JPEG that is cut off in its frame', jpeg(frame(0xc0, 5, 5).subarray(0, 6))],
    ['a JPEG with a segment of no length', jpeg(Buffer.from([0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0]))],
    ['a sound in the same container', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(30)])],
    ['a WebP with a wrong frame', Buffer.concat([lossyWebp.subarray(0, 23), Buffer.alloc(8)])],
  ])('takes %s for no picture', (_name, bytes) => expect(readPictureKind(bytes)).toBeUndefined())

  it('reads beginnings and noise of any length without a fault', () => {
    for (const whole of [png, lossyWebp, losslessWebp, extendedWebp, jpeg(exif, frame(0xc0, 9, 9))])
      for (let length = 0; length <= whole.length; length++) {
        readPictureKind(whole.subarray(0, length))
        readPictureKind(Buffer.concat([whole.subarray(0, length), noise(40, length)]))
      }
    expect(readPictureKind(jpeg(exif, frame(0xc0, 9, 8)))).toEqual({ mediaType: 'image/jpeg', width: 9, height: 8 })
  })
})
