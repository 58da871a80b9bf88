import { OAuthError } from './oauth-error.ts'
import { isRedirectUri } from './redirect-uris.ts'

/** The stored data of a client that registers itself. */
export interface NewClient {
  readonly name: string
  readonly redirectUris: readonly string[]
}

const redirectUrisMax = 10
const nameCharactersMax = 100

/**
 * Reads the metadata of a client (RFC 7591). Unknown members are ignored, because real clients send many of them.
 *
 * @throws {OAuthError} invalid_client_metadata, invalid_redirect_uri
 */
export function readRegistration(body: unknown): NewClient {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new OAuthError('invalid_client_metadata', 'The body must be a JSON object')
  const { client_name: name, redirect_uris: uris } = body as Readonly<Record<string, unknown>>
  if (!Array.isArray(uris) || uris.length === 0)
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris must name at least one address')
  if (uris.length > redirectUrisMax)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris may name ${redirectUrisMax} addresses at most`)
  if (!uris.every(isRedirectUri)) {
    throw new OAuthError(
      'invalid_redirect_uri',
      'Each of redirect_uris must be https, http on a loopback address, or a scheme of the app’s own; without fragment, userinfo and wildcard',
    )
  }
  return { name: typeof name === 'string' ? shownName(name) : unnamed, redirectUris: uris }
}

const unnamed = 'Unnamed client'

/** Removes characters that are invisible or that reverse the text around them. */
function shownName(name: string): string {
  return (
    name
      .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, nameCharactersMax) || unnamed
  )
}

interface RegisteredClient extends NewClient {
  readonly id: string
  readonly createdAt: string
}

/** The answer to a registration; every client is a public one. */
export function registrationAnswer({
  id,
  name,
  redirectUris,
  createdAt,
}: RegisteredClient): Readonly<Record<string, unknown>> {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
