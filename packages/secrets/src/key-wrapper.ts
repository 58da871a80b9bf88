import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The error for a secret that cannot be sealed or opened: its key is lost, wrong or not given, or somebody has changed or moved the row. */
export class SecretUnreadableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SecretUnreadableError'
  }
}

/** Wraps the data keys of workspaces: by a key of the environment, or by a key management service. */
export interface KeyWrapper {
  /** The name of the wrapping key that is in use. It is stored beside each wrapped key and tells nothing about the key. */
  readonly id: string
  /** @param context is bound to the result: a wrapped key opens for the same context alone */
  wrap(dataKey: Buffer, context: string): Promise<Buffer>
  /**
   * Fails with SecretUnreadableError when the wrapping key is not known or does not fit.
   * @param id the name of the wrapping key that was in use
   */
  unwrap(wrapped: Buffer, id: string, context: string): Promise<Buffer>
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
export const keyBytes = 32

/** Encrypts by AES-256-GCM, bound to a context. Returns initialisation vector, ciphertext and tag in one. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(context))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the result of `encrypt`. Throws SecretUnreadableError when key, context or content differ. */
export function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()])
  } catch (cause) {
    throw new SecretUnreadableError('A stored secret does not open with its key: the row was changed or moved', {
      cause,
    })
  }
}

/**
 * Returns the wrapper of the keys of the environment.
 *
 * @param current wraps and unwraps; without it nothing is sealed or opened
 * @param others unwrap only: the key of before, or during a rolling change the key to come
 */
export function environmentKeys(current: Buffer | undefined, others: readonly Buffer[] = []): KeyWrapper {
  const known = new Map([...others, ...(current ? [current] : [])].map((key) => [idOf(key), key]))
  return {
    id: current ? idOf(current) : '',
    wrap: async (dataKey, context) => {
      if (!current) throw new SecretUnreadableError('SECRETS_KEY is not set, so no secret can be stored')
      return encrypt(current, dataKey, context)
    },
    unwrap: async (wrapped, id, context) => {
      const key = known.get(id)
      if (!key)
        throw new SecretUnreadableError(
          current
            ? 'A stored secret belongs to another SECRETS_KEY; give that one as SECRETS_KEY_PREVIOUS'
            : 'SECRETS_KEY is not set, so stored secrets cannot be opened',
        )
      return decrypt(key, wrapped, context)
    },
  }
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('crm wrapping key\n').update(key).digest('hex').slice(0, 16)
}
