import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sets the `ETag` of an answer for the caller; true when the caller has this very answer already. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, body: string): boolean {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  // Answers differ from person to person, so only the caller's own browser caches them, and it revalidates each time.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'Cookie, Authorization' })
  const known = request.headers['if-none-match'] ?? ''
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
