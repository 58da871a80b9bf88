import { createHash } from 'node:crypto'

/** A request as far as its digest goes. */
export interface DigestedRequest {
  readonly method: string
  /** The path, with its query where that counts. */
  readonly path: string
  readonly body: unknown
}

/** Returns the digest of a request; bodies with another order of keys are equal. */
export function requestDigest({ method, path, body }: DigestedRequest): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body ?? {})}`)
    .digest()
}

/** Names the confirmation by which a call passes that a person confirms; it holds for one call. */
export const confirmationHeader = 'x-confirmation'

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
