/** Passes bytes on and counts them. */
export async function* countingBytes(
  content: AsyncIterable<Uint8Array>,
  counted: { bytes: number },
): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    counted.bytes += piece.length
    yield piece
  }
}
