import type { S3mini } from 's3mini'
import { requireKey } from './keys.ts'
import { steadyFetch } from './steady-fetch.ts'
import { MissingContentError, type Bytes, type Storage } from './storage.ts'

/** A bucket of an S3-compatible service and the credentials for it. */
export interface BucketOptions {
  /** Address of the service, for example `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly name: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** More than the 5 MB that services require of every part but the last. */
const partBytes = 8 * 1024 * 1024
const listedAtOnce = 1_000

/** Keeps bytes as the objects of a bucket. */
export async function createBucketStorage({ endpoint, name, ...credentials }: BucketOptions): Promise<Storage> {
  const { S3mini } = await import('s3mini')
  const bucket = new S3mini({
    ...credentials,
    endpoint: `${endpoint.replace(/(?<!\/)\/+$/, '')}/${name}`,
    fetch: steadyFetch,
  })
  return {
    write: async (key, content) => {
      requireKey(key)
      const parts = inParts(content)
      const first = await parts.next()
      const second = first.done ? first : await parts.next()
      if (second.done) return void (await bucket.putObject(key, first.value ?? new Uint8Array()))
      await writeParts(bucket, key, joined([first.value as Uint8Array, second.value], parts))
    },

    read: async (key, range) => {
      requireKey(key)
      return bodyOf(await readObject(bucket, key, range))
    },

    remove: async (key) => {
      requireKey(key)
      await bucket.deleteObject(key)
    },

    list: async function* (folder) {
      let next: string | undefined
      do {
        const page = await bucket.listObjectsPaged('/', folder === '' ? '' : `${folder}/`, listedAtOnce, next)
        for (const { Key: key } of page?.objects ?? []) yield key
        next = page?.nextContinuationToken
      } while (next !== undefined)
    },
  }
}

/** Writes an object of several parts, or removes the parts after a failure. */
async function writeParts(bucket: S3mini, key: string, parts: Bytes): Promise<void> {
  const uploadId = await bucket.getMultipartUploadId(key)
  try {
    const written = []
    for await (const part of parts) written.push(await bucket.uploadPart(key, uploadId, part, written.length + 1))
    await bucket.completeMultipartUpload(key, uploadId, written)
  } catch (error) {
    await bucket.abortMultipartUpload(key, uploadId).catch(() => undefined)
    throw error
  }
}

async function readObject(
  bucket: S3mini,
  key: string,
  range: { readonly start: number; readonly end: number } | undefined,
): Promise<Response> {
  try {
    return await (range ? bucket.getObjectRaw(key, false, range.start, range.end + 1) : bucket.getObjectRaw(key))
  } catch (cause) {
    throw statusOf(cause) === 404 ? new MissingContentError({ cause }) : cause
  }
}

function statusOf(error: unknown): unknown {
  return error instanceof Error && 'status' in error ? error.status : undefined
}

/** Returns the same bytes in pieces of one size; only the last one is smaller. */
async function* inParts(content: Bytes): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    waiting.push(piece)
    bytes += piece.length
    while (bytes >= partBytes) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, partBytes)
      waiting = [all.subarray(partBytes)]
      bytes -= partBytes
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

async function* joined(first: readonly Uint8Array[], rest: Bytes): Bytes {
  yield* first
  yield* rest
}

/** Keeps the response as long as its body is read: fetch cancels the unread body of a response that nobody holds. */
async function* bodyOf(response: Response): Bytes {
  if (response.body) yield* response.body
}
