import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { OAuthError } from './oauth-error.ts'
import { checkResource, requireParameter, type Parameters } from './parameters.ts'

/** A request for a code that may be shown to the person. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly state: string | undefined
  /** The scopes that the client asks for, in its own words; undefined stands for everything. */
  readonly scope: string | undefined
  readonly resource: string | undefined
}

/**
 * Checks the remaining parameters once the client and its address are known; a refusal goes to that address.
 *
 * @throws {OAuthError}
 */
export function readAuthorization(
  parameters: Parameters,
  { redirectUri, baseUrl }: { readonly redirectUri: string; readonly baseUrl: string },
): AuthorizationRequest {
  if (requireParameter(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  const challenge = requireParameter(parameters, 'code_challenge')
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 digest in base64url')
  checkResource(parameters, { baseUrl })
  return {
    clientId: requireParameter(parameters, 'client_id'),
    redirectUri,
    challenge,
    state: parameters.get('state'),
    scope: parameters.get('scope'),
    resource: parameters.get('resource'),
  }
}

/** Returns the parameters of the request, as a client would send it. */
export function parametersOf({
  clientId,
  redirectUri,
  challenge,
  state,
  scope,
  resource,
}: AuthorizationRequest): readonly (readonly [name: string, value: string])[] {
  const all: readonly (readonly [name: string, value: string | undefined])[] = [
    ['response_type', 'code'],
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
    ['state', state],
    ['scope', scope],
    ['resource', resource],
  ]
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
}

/** Returns a token that only our own page can know: it is bound to the person's session and to this very request. */
export function csrfTokenOf(request: AuthorizationRequest, sessionToken: string): string {
  return createHmac('sha256', sessionToken)
    .update(JSON.stringify(parametersOf(request)))
    .digest('base64url')
}

/** Whether a form came from the page that was shown to this person for this request. */
export function isCsrfToken(given: string | undefined, request: AuthorizationRequest, sessionToken: string): boolean {
  const expected = Buffer.from(csrfTokenOf(request, sessionToken))
  const actual = Buffer.from(given ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Whether a challenge was made from this verifier (RFC 7636). */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  return (
    /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === challenge
  )
}
