/** Bytes that arrive piece by piece. */
export type Bytes = AsyncIterable<Uint8Array>

/** The part of a file from one byte to another, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A storage of bytes by key. */
export interface Storage {
  /** Keeps all bytes under a key, or nothing when they or the storage fail. */
  write(key: string, content: Bytes): Promise<void>
  /**
   * Returns the bytes under a key, or a part of them.
   * @throws {MissingContentError} when there are none
   */
  read(key: string, range?: ByteRange): Promise<Bytes>
  /** Removes a key, even after an unfinished write; a missing key is no failure. */
  remove(key: string): Promise<void>
  /** Returns every key below some folders, `backups/2026` for example; all keys for an empty text. */
  list(folder: string): AsyncIterable<string>
}

/** The error for a key without bytes. */
export class MissingContentError extends Error {
  constructor(options?: ErrorOptions) {
    super('There is no content under this key', options)
    this.name = 'MissingContentError'
  }
}
