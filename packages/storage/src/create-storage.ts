import { createBucketStorage, type BucketOptions } from './bucket.ts'
import { createDirectoryStorage } from './directory.ts'
import type { Storage } from './storage.ts'

/** Where a deployable keeps files: in a bucket when one is named, else in the folder. */
export interface StorageOptions {
  readonly directory: string
  readonly bucket?: BucketOptions
}

/** Makes the storage that the options name. */
export async function createStorage({ directory, bucket }: StorageOptions): Promise<Storage> {
  return bucket ? createBucketStorage(bucket) : createDirectoryStorage(directory)
}
