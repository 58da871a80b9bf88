import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** A person at the provider: the claims besides `sub`. */
type Claims = Readonly<Record<string, unknown>>

/** The claims of an ID token. */
export type ForgedClaims = JWTPayload

/** Changes the ID token of the next answers. */
export type Forge = (claims: JWTPayload, tools: ForgeTools) => Promise<string>

interface ForgeTools {
  /** Signs with a key of the provider, so that only the claims are wrong. */
  sign(claims: JWTPayload): Promise<string>
  signWith(key: Uint8Array, claims: JWTPayload): Promise<string>
  unsigned(claims: JWTPayload): string
}

/** A running OpenID provider. */
export interface TestIdentityProvider {
  readonly issuer: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** The people who sign in, by `sub`. */
  readonly people: Map<string, Claims>
  /** The requests for tokens so far. */
  readonly redeemed: URLSearchParams[]
  forge: Forge | null
  /** The paths that answer 503. */
  readonly away: Set<string>
  /** Replaces the signing key, as providers do from time to time. */
  rotateKeys(): Promise<void>
  /** Signs in as a browser does and returns the address to which the provider sends it back. */
  signIn(address: string, subject: string): Promise<URL>
  /** Refuses to sign in, and returns the address to which the provider sends the browser back. */
  refuse(address: string): Promise<URL>
  close(): Promise<void>
}

const client = { clientId: 'crm', clientSecret: 'a secret of the provider that is long enough' }

/** Starts `oidc-provider` on this computer. */
export async function startIdentityProvider(
  redirects: readonly string[],
  backTo: readonly string[],
): Promise<TestIdentityProvider> {
  const people = new Map<string, Claims>()
  const redeemed: URLSearchParams[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running: TestIdentityProvider = {
    issuer,
    client,
    people,
    redeemed,
    forge: null,
    away: new Set(),
    rotateKeys: async () => {
      answer = await serve(running, people, redirects, backTo)
    },
    signIn: (address, subject) => walk(issuer, address, subject),
    refuse: (address) => walk(issuer, address, null),
    close: () => close(server),
  }
  await running.rotateKeys()
  return running
}

let keys = 0

async function serve(
  running: TestIdentityProvider,
  people: ReadonlyMap<string, Claims>,
  redirects: readonly string[],
  backTo: readonly string[],
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const { publicKey: _public, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = `key-${(keys += 1)}`
  const provider = new Provider(running.issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [...redirects],
        post_logout_redirect_uris: [...backTo],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: {
      openid: ['sub', 'amr', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
  })
  const handle = provider.callback()
  return (request, response) => {
    if (request.url === '/token') {
      noteBody(request, running.redeemed)
      if (running.forge) forgeAnswer(response, running.forge, { privateKey, kid })
    }
    if (running.away.has(request.url ?? '')) return void response.writeHead(503).end()
    void handle(request, response)
  }
}

function noteBody(request: IncomingMessage, redeemed: URLSearchParams[]): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => redeemed.push(new URLSearchParams(Buffer.concat(parts).toString())))
}

/** Replaces the ID token in an answer of the provider. */
function forgeAnswer(
  response: ServerResponse,
  forge: Forge,
  { privateKey, kid }: { readonly privateKey: CryptoKey; readonly kid: string },
): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse
  const sign = (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  const tools: ForgeTools = {
    sign,
    signWith: (key, claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key),
    unsigned: (claims) => new UnsecuredJWT(claims).encode(),
  }
  response.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body)) as { id_token: string }
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1]!, 'base64url').toString()) as JWTPayload
    void forge(claims, tools).then((forged) => {
      const text = JSON.stringify({ ...answer, id_token: forged })
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    })
    return response
  }) as typeof response.end
}

/** Walks from page to page with cookies, through the forms for signing in and for consent. */
async function walk(issuer: string, address: string, subject: string | null): Promise<URL> {
  const jar = new Map<string, string>()
  const visit = async (place: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(place, {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      redirect: 'manual',
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
  let place = address
  for (let step = 0; step < 20; step++) {
    if (!place.startsWith(issuer)) return new URL(place)
    const answer = await visit(place)
    const next = answer.headers.get('location')
    if (next) {
      place = new URL(next, issuer).href
      continue
    }
    const page = await answer.text()
    if (!place.includes('/interaction/')) throw new Error(`The provider refused: ${page}`)
    const isLogin = page.includes('name="login"')
    const submitted =
      subject === null
        ? await visit(`${place}/abort`)
        : await visit(place, isLogin ? { prompt: 'login', login: subject, password: 'any' } : { prompt: 'consent' })
    place = new URL(submitted.headers.get('location')!, issuer).href
  }
  throw new Error('The provider sends the browser around in circles')
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
