import { fromBuffer, type ZipFile } from 'yauzl'

/** Opens an archive, whose entries are read one by one. */
export function openArchive(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, archive) => {
      if (error) reject(error)
      else resolve(archive)
    })
  })
}
