import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'

/** The default size of the largest file. */
export const usualFileBytesMax = 25 * 1024 * 1024

/** The most bytes beside a file. */
export const besidesBytesMax = 1024 * 1024

/** The most bytes of the JSON in a form. */
export const formFieldBytesMax = 64 * 1024

/** Returns the size of the largest body with a file in base64, which takes four bytes for three, and more with escaped slashes. */
export function uploadBodyBytesMax(fileBytesMax = usualFileBytesMax, filesMax = 1): number {
  return Math.ceil(fileBytesMax * filesMax * 1.4) + besidesBytesMax
}

/** Makes a scope leave forms unread for the handler, and keep any other body as raw bytes. */
export async function acceptUploads(
  scope: FastifyInstance,
  fileBytesMax = usualFileBytesMax,
  filesMax = 1,
): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    // One byte over the limit passes, by which the handler sees that the file is too large.
    limits: {
      fileSize: fileBytesMax + 1,
      files: filesMax + 1,
      fields: 10,
      parts: filesMax + 11,
      fieldSize: formFieldBytesMax,
      fieldNameSize: 100,
    },
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
