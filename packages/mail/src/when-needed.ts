/** Makes a value on first use, because most processes never send a message and need no transport. */
export function whenNeeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
