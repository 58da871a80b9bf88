/** Gives a content in one piece, as a storage takes it. */
export async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content
}
