/** Bytes that come piece by piece. */
export type Bytes = AsyncIterable<Uint8Array>

/** The part of a file from one byte to another, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where bytes are kept under keys. */
export interface Storage {
  /** Keeps all bytes under a key, or nothing when they or the storage fail. */
  write(key: string, content: Bytes): Promise<void>
  /**
   * The bytes under a key, or a part of them.
   * @throws {MissingContentError} when there are none
   */
  read(key: string, range?: ByteRange): Promise<Bytes>
  /** Forgets a key, whether its write had ended or not; one that is not there is no failure. */
  remove(key: string): Promise<void>
  /** Every key that begins with some folders, `backups/2026` for example; all of them for an empty text. */
  list(folder: string): AsyncIterable<string>
}

/** There are no bytes under a key. */
export class MissingContentError extends Error {
  constructor(options?: ErrorOptions) {
    super('There is no content under this key', options)
    this.name = 'MissingContentError'
  }
}
