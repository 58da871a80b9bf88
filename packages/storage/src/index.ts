export { createStorage } from './create-storage.ts'
export { MissingContentError, type ByteRange, type Bytes, type Storage } from './storage.ts'
export { exportKey, migrationFileKey, storageKey } from './storage-key.ts'
export { bucketConfig, bucketOf } from './bucket-config.ts'
