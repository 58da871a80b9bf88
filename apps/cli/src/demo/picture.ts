import { crc32, deflateSync } from 'node:zlib'

/** Red, green, blue, each from 0 to 255. */
export type Color = readonly [number, number, number]

/** A filled box of a picture, in pixels from the upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: Color
}

/** Draws boxes, the later ones over the earlier ones, as a PNG. */
export function drawPicture(width: number, height: number, ground: Color, boxes: readonly Box[]): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 3))
  const fill = (box: Box): void => {
    for (let y = box.y; y < box.y + box.height; y++)
      for (let x = box.x; x < box.x + box.width; x++) rows.set(box.color, y * (1 + width * 3) + 1 + x * 3)
  }
  for (const box of [{ x: 0, y: 0, width, height, color: ground }, ...boxes]) fill(box)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
