export { createStorage, MissingContentError, type ByteRange, type Bytes, type Storage, type StorageOptions } from './storage.ts'
export type { BucketOptions } from './bucket.ts'
