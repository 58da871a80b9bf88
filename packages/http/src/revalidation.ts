import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Names an answer by an `ETag` for the one who asks; true when they have this very answer already. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, body: string): boolean {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  // Answers differ from person to person, so only their own browser keeps them, and asks each time.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'Cookie, Authorization' })
  const known = request.headers['if-none-match'] ?? ''
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
