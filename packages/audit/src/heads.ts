import { createHmac, timingSafeEqual } from 'node:crypto'

/** The newest entry of a chain at one moment, signed by the installation. */
export interface SignedHead {
  readonly seq: number
  readonly hash: string
  /** When it was signed, ISO 8601. */
  readonly at: string
  readonly signature: string
}

/** A signed head with its workspace and the first entry that the signature covers, as the file of heads keeps it. */
export interface KeptHead extends SignedHead {
  readonly workspaceId: string
  readonly firstSeq: number
}

/** The stretch of a chain that a signature covers. */
export interface Stretch {
  readonly workspaceId: string
  readonly firstSeq: number
  readonly seq: number
  readonly hash: string
  readonly at: string
}

/** Signs a stretch of a chain by a key; the name of the signed text keeps it apart from other uses of the key. */
export function signStretch(key: Buffer, { workspaceId, firstSeq, seq, hash, at }: Stretch): string {
  const text = ['crm audit head', workspaceId, firstSeq, seq, hash, at].join('\n')
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Whether a document that was read has the members of a signed head. */
export function isHead(value: unknown): value is SignedHead {
  const { seq, hash, at, signature } = (value ?? {}) as Partial<SignedHead>
  return typeof seq === 'number' && [hash, at, signature].every((text) => typeof text === 'string')
}

/** Whether one of the keys signed a stretch. */
export function isSigned(keys: readonly Buffer[], stretch: Stretch, signature: string): boolean {
  const given = Buffer.from(signature)
  return keys.some((key) => {
    const expected = Buffer.from(signStretch(key, stretch))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}
