import { BytesReply } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { MissingContentError, type ByteRange, type Bytes, type Storage } from '@crm/storage'
import type { CrmContext } from '../../../platform/context.ts'
import { contentTypeHeader, opensInline } from '../../../domain/files/files.content-type.ts'
import { disposition } from '../../../domain/files/files.naming.ts'
import { decidePart, matchesTag } from './files.ranges.ts'
import type { FileRow } from '../../../domain/files/files.repository.ts'

/** Answers the bytes of a file, or the requested part of them, with headers that keep a browser from running the content. */
export async function download(
  storage: Storage,
  key: string,
  file: FileRow,
  context: Pick<CrmContext, 'requestHeaders' | 'setHeader'>,
): Promise<BytesReply> {
  const { size } = file
  const tag = `"${file.sha256}"`
  const header = (name: string): string | undefined => [context.requestHeaders[name]].flat()[0]
  const validators = { etag: tag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' }
  if (matchesTag(header('if-none-match'), tag)) return new BytesReply(304, validators, nothing())
  const part = applies(header('if-range'), tag) ? decidePart(header('range'), size) : 'WHOLE'
  if (part === 'OUTSIDE') {
    context.setHeader('content-range', `bytes */${size}`)
    throw new ApiError('RANGE_NOT_SATISFIABLE')
  }
  const headers = { ...validators, ...describing(file) }
  if (part === 'WHOLE')
    return new BytesReply(200, { ...headers, 'content-length': String(size) }, await contentOf(storage, key, size))
  const range = {
    'content-range': `bytes ${part.start}-${part.end}/${size}`,
    'content-length': String(part.end - part.start + 1),
  }
  return new BytesReply(206, { ...headers, ...range }, await contentOf(storage, key, size, part))
}

/** Whether a range applies: it counts only for the version of the file that the sender already has in part. */
function applies(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || ifRange.trim() === tag
}

function describing({ name, contentType }: FileRow): Record<string, string> {
  return {
    'content-type': contentTypeHeader(contentType),
    'content-disposition': disposition(opensInline(contentType) ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
}

async function contentOf(storage: Storage, key: string, size: number, range?: ByteRange): Promise<Bytes> {
  if (size === 0) return nothing()
  try {
    return await storage.read(key, range)
  } catch (error) {
    throw error instanceof MissingContentError
      ? new ApiError('NOT_FOUND', { message: 'The content of this file is gone' })
      : error
  }
}

async function* nothing(): Bytes {}
