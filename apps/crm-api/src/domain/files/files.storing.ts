import type { IncomingFile } from '@crm/contract'
import { inTransaction, type Database } from '@crm/db'
import { storageKey, type Storage } from '@crm/storage'
import { createHash } from 'node:crypto'
import { sampleBytes, sniffContentType } from './files.content-type.ts'
import { endUpload, lockUpload, type FileKey } from './files.repository.ts'

/** The properties of a file that are read from its bytes. */
export interface KeptContent {
  readonly size: number
  readonly sha256: string
  readonly contentType: string
}

/** Stores the bytes of a file as they arrive, and returns their properties. */
export async function keepContent(
  storage: Storage,
  key: FileKey,
  { content, contentType: declared }: IncomingFile,
): Promise<KeptContent> {
  const digest = createHash('sha256')
  const sample: Uint8Array[] = []
  let size = 0
  async function* watched(): AsyncIterable<Uint8Array> {
    for await (const piece of content) {
      if (size < sampleBytes) sample.push(piece.subarray(0, sampleBytes - size))
      digest.update(piece)
      size += piece.length
      yield piece
    }
  }
  await storage.write(storageKey(key), watched())
  return { size, sha256: digest.digest('hex'), contentType: await sniffContentType(Buffer.concat(sample), declared) }
}

/** Removes the bytes of an unfinished upload; a finished upload stays. */
export async function discardUpload(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  key: FileKey,
): Promise<void> {
  await inTransaction(db, undefined, async (tx) => {
    if (!(await lockUpload(tx, key))) return
    await storage.remove(storageKey(key))
    await endUpload(tx, key)
  })
}
