import { createHash, randomBytes } from 'node:crypto'
import { createPerson, type Person } from './person.ts'

/** The answer of an OAuth endpoint. */
export interface OAuthAnswer {
  readonly status: number
  readonly headers: Headers
  // The assertions of the tests describe the contents of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

const at = (path: string) => `/api/oauth-mcp/${path}`

export const callback = 'http://127.0.0.1:33418/callback'

async function toAnswer(response: Response): Promise<OAuthAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

let lastAddress = 0

/** Returns an address that nobody has registered from yet. */
export function freshAddress(): string {
  lastAddress += 1
  return `198.51.${lastAddress >> 8}.${lastAddress & 255}`
}

/** Registers a client, from an address of its own unless one is given. */
export async function register(
  baseUrl: string,
  metadata: unknown = { client_name: 'Test', redirect_uris: [callback] },
  address = freshAddress(),
): Promise<OAuthAnswer> {
  const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  return toAnswer(
    await fetch(baseUrl + at('register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body,
    }),
  )
}

/** Posts a form; null parameters are left out. */
export async function postForm(
  baseUrl: string,
  endpoint: 'token' | 'revoke',
  parameters: Readonly<Record<string, string | null>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<OAuthAnswer> {
  const body = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return toAnswer(await fetch(baseUrl + at(endpoint), { method: 'POST', body, headers }))
}

/** Returns a verifier of PKCE with its challenge. */
export function newVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Returns the address of an authorization request; null parameters are left out. */
export function authorizeUrl(baseUrl: string, parameters: Readonly<Record<string, string | null>>): string {
  const usual = {
    response_type: 'code',
    redirect_uri: callback,
    code_challenge_method: 'S256',
    state: 'opaque state',
    resource: `${baseUrl}/api/mcp`,
  }
  const given = Object.entries({ ...usual, ...parameters }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  return `${baseUrl}${at('authorize')}?${new URLSearchParams(given)}`
}

/** A client that a person connected. */
export interface Connected {
  readonly clientId: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: string
  refresh(token?: string): Promise<OAuthAnswer>
}

/** Registers a client and walks it through the whole flow. */
export async function connectClient(
  baseUrl: string,
  cookie: string,
  { rights, clientId }: { readonly rights?: readonly string[]; readonly clientId?: string } = {},
): Promise<Connected> {
  const id = clientId ?? String((await register(baseUrl)).body.client_id)
  const { code, verifier } = await obtainCode(baseUrl, createPerson(cookie), id, rights)
  const { status, body } = await postForm(baseUrl, 'token', {
    grant_type: 'authorization_code',
    client_id: id,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
  })
  if (status !== 200) throw new Error(`The code was refused: ${JSON.stringify(body)}`)
  const refresh: Connected['refresh'] = (token = body.refresh_token) =>
    postForm(baseUrl, 'token', { grant_type: 'refresh_token', client_id: id, refresh_token: token })
  return { clientId: id, accessToken: body.access_token, refreshToken: body.refresh_token, scope: body.scope, refresh }
}

/** Lets a person allow a client the ticked rights, or the given ones. */
export async function obtainCode(
  baseUrl: string,
  person: Person,
  clientId: string,
  rights?: readonly string[],
): Promise<{ readonly code: string; readonly verifier: string }> {
  const { verifier, challenge } = newVerifier()
  const back = await person.allow(authorizeUrl(baseUrl, { client_id: clientId, code_challenge: challenge }), rights)
  return { code: back.searchParams.get('code') ?? '', verifier }
}
