export { createStorage, type StorageOptions } from './create-storage.ts'
export { MissingContentError, type ByteRange, type Bytes, type Storage } from './storage.ts'
export { bucketConfig, bucketOf } from './bucket-config.ts'
export type { BucketOptions } from './bucket.ts'
