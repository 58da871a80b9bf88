import type { Egress } from '@crm/egress'
import { LRUCache } from 'lru-cache'
import * as oauth from 'oauth4webapi'

/** The part of a provider that its protocol needs. */
export interface ProviderFacts {
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly authMethod: 'client_secret_basic' | 'client_secret_post' | 'none'
  readonly updatedAt: string
}

/** What a person brings back from a provider, checked. */
export interface SignedIn {
  readonly claims: oauth.IDToken
  readonly idToken: string
  /**
   * Returns the claims of the ID token together with those that only the endpoint for facts about the person tells. It is asked at most once, and
   * only where the ID token lacks something: a person who is linked needs none of it. Throws ProviderError.
   */
  readonly facts: () => Promise<Facts>
}

/** Claims about a person. */
export type Facts = Readonly<Record<string, unknown>>

/** The values that bind a way to the provider and back together. */
export interface Binding {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A provider that does not answer as one, or as another one. */
export class ProviderError extends Error {
  readonly reason: 'UNREACHABLE' | 'MISMATCH' | 'REFUSED' | 'TOKEN_INVALID'
  /** How a provider calls itself that is another than expected. */
  readonly issuer: string | null

  constructor(
    reason: ProviderError['reason'],
    { issuer = null, ...options }: ErrorOptions & { readonly issuer?: string | null } = {},
  ) {
    super(`The identity provider failed: ${reason}${saidBy(options.cause)}`, options)
    this.name = 'ProviderError'
    this.reason = reason
    this.issuer = issuer
  }
}

/** What a provider says is wrong, for the log: its code, and its words where it has some. */
function saidBy(cause: unknown): string {
  if (!(cause instanceof oauth.ResponseBodyError || cause instanceof oauth.AuthorizationResponseError)) return ''
  return ` (${[cause.error, cause.error_description].filter(Boolean).join(': ').slice(0, wordsMax)})`
}
const wordsMax = 300

/** Metadata and keys are read again after this time, and at once when a signature does not fit. */
const knownForMs = 10 * 60_000
const issuerCharsMax = 500
/** Facts that are looked up at the provider when the ID token lacks them. */
const lookedUp = ['email', 'email_verified', 'given_name', 'family_name', 'name']

/** Speaks OpenID Connect with the providers of all workspaces, through the guard for addresses that customers choose. */
export class ProviderClient {
  readonly #options: { readonly [oauth.customFetch]: typeof fetch; readonly [oauth.allowInsecureRequests]: true }
  readonly #servers = new LRUCache<string, oauth.AuthorizationServer>({ max: 1_000, ttl: knownForMs })

  constructor(egress: Pick<Egress, 'fetch'>) {
    this.#options = {
      [oauth.customFetch]: ((
        url: string,
        init: { method: string; headers: Record<string, string>; body?: URLSearchParams | null },
      ) => {
        // The guard says who asks; the library would name itself.
        const { 'user-agent': _library, ...headers } = init.headers
        return egress.fetch(url, {
          method: init.method === 'POST' ? 'POST' : 'GET',
          headers,
          body: init.body?.toString() ?? null,
        })
      }) as unknown as typeof fetch,
      // The guard decides about http: it lets it go to the operator's own networks alone.
      [oauth.allowInsecureRequests]: true,
    }
  }

  /** Reads the metadata of an issuer. Throws UNREACHABLE or MISMATCH. */
  async discover(issuer: string): Promise<oauth.AuthorizationServer> {
    const address = new URL(issuer)
    const response = await oauth
      .discoveryRequest(address, { algorithm: 'oidc', ...this.#options })
      .catch((cause: unknown) => {
        throw new ProviderError('UNREACHABLE', { cause })
      })
    try {
      const server = await oauth.processDiscoveryResponse(address, response)
      if (server.authorization_endpoint && server.token_endpoint && server.jwks_uri && leadsToTheWeb(server))
        return server
    } catch (cause) {
      const isOther = cause instanceof oauth.OperationProcessingError && cause.code === oauth.JSON_ATTRIBUTE_COMPARISON
      throw isOther
        ? new ProviderError('MISMATCH', { cause, issuer: issuerIn(cause) })
        : new ProviderError('UNREACHABLE', { cause })
    }
    throw new ProviderError('UNREACHABLE')
  }

  /** Returns the address to which a person goes. */
  async begin(
    provider: ProviderFacts & { readonly scopes: readonly string[] },
    { redirectUri, state, nonce, verifier }: Binding,
    { isAgain }: { readonly isAgain: boolean },
  ): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.#serverOf(provider)
    const url = new URL(endpoint!)
    const params = {
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...provider.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Some providers refuse an age of 0; whether the sign-in is new is judged by its time anyway.
      ...(isAgain ? { prompt: 'login', max_age: '1' } : {}),
    }
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    return url.href
  }

  /** Redeems what a person brings back. Throws REFUSED, UNREACHABLE or TOKEN_INVALID. */
  async finish(
    provider: ProviderFacts,
    { redirectUri, state, nonce, verifier }: Binding,
    answer: URLSearchParams,
    { groupsClaim }: { readonly groupsClaim: string | null },
  ): Promise<SignedIn> {
    const server = await this.#serverOf(provider)
    const client: oauth.Client = { client_id: provider.clientId }
    const params = accepted(() => oauth.validateAuthResponse(server, client, answer, state))
    const response = await oauth
      .authorizationCodeGrantRequest(server, client, clientAuth(provider), params, redirectUri, verifier, this.#options)
      .catch((cause: unknown) => {
        throw new ProviderError('UNREACHABLE', { cause })
      })
    const result = await judging(() =>
      oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true }),
    )
    await judging(() => this.#verifySignature(provider, server, response))
    const claims = oauth.getValidatedIdTokenClaims(result)
    if (!claims || !result.id_token) throw new ProviderError('TOKEN_INVALID')
    const isLacking = lookedUp.some((name) => claims[name] === undefined) || claimOf(claims, groupsClaim) === undefined
    const lookUp = async (): Promise<Facts> => {
      const isAsked = server.userinfo_endpoint !== undefined && isLacking
      const more = isAsked ? await this.#lookUp(server, client, result.access_token, claims.sub) : {}
      return { ...more, ...claims, ...addressIn([claims, more]) }
    }
    let facts: Promise<Facts> | undefined
    return { claims, idToken: result.id_token, facts: () => (facts ??= lookUp()) }
  }

  /** Returns the address that signs a person out of the provider; null when it has none. */
  async endSession(provider: ProviderFacts, idToken: string | null, backTo: string): Promise<string | null> {
    const { end_session_endpoint: endpoint } = await this.#serverOf(provider)
    if (!endpoint) return null
    const url = new URL(endpoint)
    url.searchParams.set('client_id', provider.clientId)
    url.searchParams.set('post_logout_redirect_uri', backTo)
    if (idToken) url.searchParams.set('id_token_hint', idToken)
    return url.href
  }

  /** A key that is not known may be new: metadata and keys are read once more before the signature is refused. */
  async #verifySignature(
    provider: ProviderFacts,
    server: oauth.AuthorizationServer,
    response: Response,
  ): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, this.#options)
    } catch {
      const fresh = await this.discover(provider.issuer)
      await oauth.validateApplicationLevelSignature(fresh, response, this.#options)
      this.#servers.set(keyOf(provider), fresh)
    }
  }

  async #lookUp(
    server: oauth.AuthorizationServer,
    client: oauth.Client,
    accessToken: string,
    subject: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const response = await oauth.userInfoRequest(server, client, accessToken, this.#options).catch((cause: unknown) => {
      throw new ProviderError('UNREACHABLE', { cause })
    })
    if (response.status >= 500) throw new ProviderError('UNREACHABLE')
    return judging(() => oauth.processUserInfoResponse(server, client, subject, response))
  }

  async #serverOf(provider: ProviderFacts): Promise<oauth.AuthorizationServer> {
    const key = keyOf(provider)
    const known = this.#servers.get(key)
    if (known) return known
    const server = await this.discover(provider.issuer)
    this.#servers.set(key, server)
    return server
  }
}

/**
 * Returns the claim with a name: one that is called exactly so, else the one that a path with dots leads to (`realm_access.roles`). Undefined
 * without one; null is none.
 */
export function claimOf(claims: Facts, name: string | null): unknown {
  if (name === null) return null
  if (Object.hasOwn(claims, name)) return claims[name] ?? undefined
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isObject(value) && Object.hasOwn(value, part) ? (value[part] ?? undefined) : undefined),
      claims,
    )
}

function isObject(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the issuer that metadata name, from the library's error about it. */
function issuerIn(error: unknown): string | null {
  const { cause } = error as { readonly cause?: { readonly body?: { readonly issuer?: unknown } } }
  const issuer = cause?.body?.issuer
  return typeof issuer === 'string' ? issuer.slice(0, issuerCharsMax) : null
}

/** Whether every address of the metadata is one of the web; people are sent to some of them, and their browsers know other schemes too. */
function leadsToTheWeb(server: oauth.AuthorizationServer): boolean {
  return Object.entries(server)
    .filter(([name]) => name === 'jwks_uri' || name.endsWith('_endpoint'))
    .every(([, address]) => address === undefined || isOfTheWeb(address, server.issuer))
}

/** The guard lets requests go to http in the operator's own networks alone: an issuer that was reached by it may name more of it. */
function isOfTheWeb(address: unknown, issuer: string): boolean {
  const protocol = typeof address === 'string' ? URL.parse(address)?.protocol : undefined
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))
}

/**
 * Returns the address and what the provider says of it, both of one document: the word about one address proves no other one. A
 * document that denies it is believed in any case.
 */
function addressIn(documents: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
  const known = documents.filter(({ email }) => email !== undefined)
  const { email, email_verified: verified } =
    known.find(({ email_verified: word }) => word !== undefined) ?? known[0] ?? {}
  const isDenied = documents.some(({ email_verified: word }) => word === false)
  return { email, email_verified: verified ?? (isDenied ? false : undefined) }
}

function keyOf({ id, updatedAt }: ProviderFacts): string {
  return `${id} ${updatedAt}`
}

function clientAuth({ authMethod, clientSecret }: ProviderFacts): oauth.ClientAuth {
  if (authMethod === 'none' || clientSecret === null) return oauth.None()
  return authMethod === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : (_server, { client_id: name }, _body, headers) =>
        headers.set('authorization', `Basic ${btoa(basicCredentials(name, clientSecret))}`)
}

/**
 * Returns a name and a secret as forms write them (RFC 6749, 2.3.1). What a form leaves as it is, such as a dash, stays: some providers do not
 * decode, and oauth4webapi encodes that, too.
 */
export function basicCredentials(name: string, secret: string): string {
  return [name, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1)).join(':')
}

function accepted<T>(judge: () => T): T {
  try {
    return judge()
  } catch (cause) {
    throw new ProviderError(cause instanceof oauth.AuthorizationResponseError ? 'REFUSED' : 'TOKEN_INVALID', { cause })
  }
}

async function judging<T>(judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (cause) {
    throw cause instanceof ProviderError ? cause : new ProviderError('TOKEN_INVALID', { cause })
  }
}
