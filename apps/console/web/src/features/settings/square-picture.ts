/** The width and height of a picture as it is sent, in pixels: enough for every place, also on sharp screens. */
const side = 256

/** The error for a file that the browser cannot read as a picture. */
export class UnreadablePictureError extends Error {}

/**
 * Cuts the largest square out of the middle of a picture, and makes it small. What a camera notes in a photo, such as its place, is lost.
 * @throws {UnreadablePictureError}
 */
export async function squarePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch((cause: unknown) => {
    throw new UnreadablePictureError('The file is no picture', { cause })
  })
  const canvas = new OffscreenCanvas(side, side)
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new UnreadablePictureError('The browser draws no pictures')
  const cut = Math.min(picture.width, picture.height)
  // A JPEG has nothing behind what can be seen through.
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, side, side)
  drawing.imageSmoothingQuality = 'high'
  drawing.drawImage(picture, (picture.width - cut) / 2, (picture.height - cut) / 2, cut, cut, 0, 0, side, side)
  picture.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
}
