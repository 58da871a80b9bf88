import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

/** The largest file unless told otherwise. */
export const usualFileBytesMax = 25 * 1024 * 1024

/** What may stand beside a file. */
export const besidesBytesMax = 1024 * 1024

const formFieldBytesMax = 64 * 1024

/** The largest body with a file in base64, which takes four bytes for three, and more where slashes are escaped. */
export function uploadBodyBytesMax(fileBytesMax = usualFileBytesMax): number {
  return Math.ceil(fileBytesMax * 1.4) + besidesBytesMax
}

/** Makes a scope leave forms unread for the handler, and keep any other body as the bytes it came in. */
export async function acceptUploads(scope: FastifyInstance, fileBytesMax = usualFileBytesMax): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    // One byte over the limit comes through, by which the handler sees that the file is too large.
    limits: {
      fileSize: fileBytesMax + 1,
      files: 2,
      fields: 10,
      parts: 12,
      fieldSize: formFieldBytesMax,
      fieldNameSize: 100,
    },
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
