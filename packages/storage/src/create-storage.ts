import { createBucketStorage, type BucketOptions } from './bucket.ts'
import { createDirectoryStorage } from './directory.ts'
import type { Storage } from './storage.ts'

/** The location of a deployable's files: the bucket when one is named, else the folder. */
export interface StorageOptions {
  readonly directory: string
  readonly bucket?: BucketOptions
}

/** Makes the storage that the options name. */
export async function createStorage({ directory, bucket }: StorageOptions): Promise<Storage> {
  return bucket ? createBucketStorage(bucket) : createDirectoryStorage(directory)
}
