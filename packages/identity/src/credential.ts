import { hash, randomBytes } from 'node:crypto'
import type { CredentialClass } from './caller.ts'

/** The credential in a request; only its digest is ever stored, never the secret itself. */
export type ShownCredential =
  | { readonly kind: CredentialClass; readonly hash: Buffer; readonly cacheKey: string }
  | { readonly kind: 'run'; readonly token: string }

export const apiKeyPrefix = 'sk-'
export const scimTokenPrefix = 'scim-'
export const accessTokenPrefix = 'at-'
export const refreshTokenPrefix = 'rt-'
export const runTokenPrefix = 'run.'
export const sessionCookie = 'crm_session'

/** Returns a secret of 256 random bits with a prefix that says its purpose. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Returns the digest under which a secret is stored. */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Returns the part of a key or token that is shown to tell them apart. */
export function keyPrefix(key: string): string {
  return key.slice(0, key.indexOf('-') + 7)
}

/** Returns the name of a cookie as the browser keeps it: at an address with https only the host itself can set it. */
export function cookieNameAt(baseUrl: string | undefined, name: string): string {
  return baseUrl?.startsWith('https:') ? `__Host-${name}` : name
}

/**
 * Reads the credential of a request: a bearer token, or else the session cookie.
 * @param baseUrl the address of the workspace, which decides the name of the cookie
 */
export function readCredential(
  headers: { readonly authorization?: string; readonly cookie?: string },
  baseUrl: string | undefined,
): ShownCredential | null {
  if (headers.authorization !== undefined) return readBearer(headers.authorization)
  const token = readCookie(headers.cookie, cookieNameAt(baseUrl, sessionCookie))
  return token ? hashed('session', token) : null
}

function readBearer(header: string): ShownCredential | null {
  const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
  if (!token) return null
  if (token.startsWith(runTokenPrefix)) return { kind: 'run', token }
  if (token.startsWith(scimTokenPrefix)) return hashed('scim-token', token)
  return hashed(token.startsWith(apiKeyPrefix) ? 'api-key' : 'oauth-token', token)
}

function hashed(kind: CredentialClass, secret: string): ShownCredential {
  const hashedSecret = digest(secret)
  return { kind, hash: hashedSecret, cacheKey: `${kind}:${hashedSecret.toString('base64')}` }
}

/** Reads one cookie of a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
