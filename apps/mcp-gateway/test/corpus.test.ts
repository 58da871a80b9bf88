import { randomBytes } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { hostileRedirects, knownClients } from './client-corpus.ts'
import { startInstallation } from './installation.ts'
import {
  authorizeUrl,
  callback,
  connectClient,
  freshAddress,
  newVerifier,
  obtainCode,
  postForm,
  register,
} from './oauth-client.ts'
import { createPerson } from './person.ts'

const { workspace, baseUrl, gateways, apis } = await startInstallation()
const resource = `${baseUrl}/api/mcp`
const cookie = await workspace.session()
const admin = createPerson(cookie)
const newClient = async (): Promise<string> => String((await register(baseUrl)).body.client_id)
const redeem = (parameters: Readonly<Record<string, string | null>>, headers?: Readonly<Record<string, string>>) =>
  postForm(baseUrl, 'token', { grant_type: 'authorization_code', redirect_uri: callback, ...parameters }, headers)

describe('known clients', () => {
  it.each(knownClients(resource).map((client) => [client.name, client] as const))(
    '%s registers, is allowed, gets tokens and refreshes them',
    async (_, { registration, redirectUri, extra }) => {
      const { status, body, headers } = await register(baseUrl, registration)
      expect(status).toBe(201)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(body).toMatchObject({
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        redirect_uris: registration['redirect_uris'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      })
      expect(body).not.toHaveProperty('client_secret')
      const { verifier, challenge } = newVerifier()
      const state = randomBytes(40).toString('base64url')
      const back = await admin.allow(
        authorizeUrl(baseUrl, {
          client_id: body.client_id,
          redirect_uri: redirectUri,
          code_challenge: challenge,
          state,
          ...extra,
        }),
      )
      expect(back.href.startsWith(redirectUri)).toBe(true)
      expect(back.searchParams.get('state')).toBe(state)
      const tokens = await postForm(baseUrl, 'token', {
        grant_type: 'authorization_code',
        client_id: body.client_id,
        code: back.searchParams.get('code'),
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: extra['resource'] ?? null,
      })
      expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 2_592_000 } })
      expect(
        (
          await fetch(`${apis[0].url}/api/me/scopes`, {
            headers: { authorization: `Bearer ${tokens.body.access_token}` },
          })
        ).status,
      ).toBe(200)
      expect(
        (
          await postForm(baseUrl, 'token', {
            grant_type: 'refresh_token',
            client_id: body.client_id,
            refresh_token: tokens.body.refresh_token,
            resource,
          })
        ).status,
      ).toBe(200)
    },
  )
})

describe('a registration', () => {
  it.each(hostileRedirects.map((uri) => [uri]))('with the address %j is refused', async (uri) => {
    expect(
      await register(baseUrl, { client_name: 'Hostile', redirect_uris: ['https://good.example/cb', uri] }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  })

  it.each([
    [{ client_name: 'None' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.example/cb' }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) }, 'invalid_redirect_uri'],
    [[], 'invalid_client_metadata'],
    ['{"redirect_uris":', 'invalid_client_metadata'],
    ['', 'invalid_client_metadata'],
  ])('%j is refused with %s', async (metadata, error) => {
    expect(await register(baseUrl, metadata)).toMatchObject({
      status: 400,
      body: { error, error_description: expect.any(String) },
    })
  })

  it('is the tenth of an address in an hour at most, over both gateways; refused ones do not count, nor do other addresses', async () => {
    const address = freshAddress()
    const metadata = { redirect_uris: [callback] }
    expect((await register(baseUrl, { redirect_uris: [] }, address)).status).toBe(400)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => register(gateways[at % 2]?.url ?? '', metadata, address)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const [over] = answers.filter(({ status }) => status === 429)
    expect(Number(over?.headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect((await register(baseUrl, metadata)).status).toBe(201)
  })
})

describe('an authorization whose client or address is in doubt', () => {
  it.each([
    ['no client', { client_id: null }],
    ['an unknown client', { client_id: '0197b2f0-0000-7000-8000-000000000001' }],
    ['something else as client', { client_id: "x' OR 1=1" }],
    ['no address', { redirect_uri: null }],
    ['an address of somebody else', { redirect_uri: 'https://evil.example/cb' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['more of a path', { redirect_uri: `${callback}/more` }],
    ['a query more', { redirect_uri: `${callback}?more=1` }],
    ['a fragment', { redirect_uri: `${callback}#x` }],
    ['https instead', { redirect_uri: callback.replace('http:', 'https:') }],
    ['userinfo', { redirect_uri: 'http://x@127.0.0.1:33418/callback' }],
  ])('stays on a page of ours: %s', async (_, parameters) => {
    const url = authorizeUrl(baseUrl, {
      client_id: await newClient(),
      code_challenge: newVerifier().challenge,
      ...parameters,
    })
    for (const person of [admin, createPerson()]) {
      const response = await person.open(url)
      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
      expect(response.headers.get('content-type')).toContain('text/html')
    }
  })

  it('stays on a page of ours when client or address is given twice', async () => {
    const url = authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: newVerifier().challenge })
    for (const twice of ['client_id=x', `redirect_uri=${encodeURIComponent('https://evil.example')}`])
      expect((await admin.open(`${url}&${twice}`)).status).toBe(400)
  })
})

describe('an authorization', () => {
  const challenge = newVerifier().challenge

  it.each([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method of PKCE, which would mean plain', { code_challenge_method: null }, 'invalid_request'],
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a challenge that is no digest', { code_challenge: 'short' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['no flow', { response_type: null }, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example/api/mcp' }, 'invalid_target'],
    ['more than the resource', { resource: `${resource}/more` }, 'invalid_target'],
    ['a narrowing of something else', { resource: `${resource}x?readonly=true` }, 'invalid_target'],
    ['a resource with a fragment', { resource: `${resource}?readonly=true#x` }, 'invalid_target'],
    ['a resource with a name', { resource: resource.replace('//', '//ada@') }, 'invalid_target'],
  ])('with %s goes back with the refusal, state and iss', async (_, parameters, error) => {
    const response = await admin.open(
      authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: challenge, ...parameters }),
    )
    const back = new URL(response.headers.get('location') ?? '')
    expect(back.href.startsWith(callback)).toBe(true)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error,
      error_description: expect.any(String),
      state: 'opaque state',
      iss: baseUrl,
    })
  })

  it('with a repeated parameter goes back with invalid_request, and with two resources with invalid_target', async () => {
    const url = authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: challenge })
    const errorOf = async (more: string) =>
      new URL((await admin.open(url + more)).headers.get('location') ?? '').searchParams.get('error')
    expect(await errorOf('&scope=a&scope=b')).toBe('invalid_request')
    expect(await errorOf(`&resource=${encodeURIComponent(resource)}`)).toBe('invalid_target')
  })

  it.each([null, 'wrong', ''])('is not allowed with the CSRF token %j', async (csrf) => {
    const url = authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: challenge })
    const form = await admin.readConsent(url)
    if (csrf === null) form.fields.delete('csrf')
    else form.fields.set('csrf', csrf)
    const response = await admin.decide(url, form, ['VIEW_LEAD'])
    expect(response.status).toBe(403)
    expect(response.headers.get('location')).toBeNull()
  })

  it('is not allowed with the form of another person or of another request', async () => {
    const other = createPerson(await workspace.session((await workspace.employee()).id))
    const client = await newClient()
    const url = authorizeUrl(baseUrl, { client_id: client, code_challenge: challenge })
    const form = await admin.readConsent(url)
    expect((await other.decide(url, form, ['VIEW_LEAD'])).status).toBe(403)
    form.fields.set('code_challenge', newVerifier().challenge)
    expect((await admin.decide(url, form, ['VIEW_LEAD'])).status).toBe(403)
  })

  it('is not allowed from another site, nor within another page, nor without a session', async () => {
    const url = authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: challenge })
    const form = await admin.readConsent(url)
    const send = (headers: Readonly<Record<string, string>>) =>
      fetch(`${baseUrl}/api/oauth-mcp/authorize`, {
        method: 'POST',
        headers: { cookie, ...headers },
        body: new URLSearchParams([...form.fields, ['right', 'VIEW_LEAD'], ['decision', 'allow']]),
        redirect: 'manual',
      })
    expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ origin: baseUrl, 'sec-fetch-dest': 'iframe' })).status).toBe(403)
    const signedOut = await send({ cookie: '', origin: baseUrl })
    expect(signedOut.headers.get('location')).toMatch(/^\/sign-in\?next=/)
    expect((await fetch(url, { headers: { cookie, 'sec-fetch-dest': 'iframe' } })).status).toBe(403)
    expect((await send({ origin: baseUrl })).status).toBe(302)
  })

  it('gives no right that was not offered', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'CREATE_LEAD'] } })
    const client = await newClient()
    const person = createPerson(await workspace.session(id))
    const { verifier, challenge: asked } = newVerifier()
    const back = await person.allow(
      authorizeUrl(baseUrl, { client_id: client, code_challenge: asked, scope: 'VIEW_LEAD' }),
      ['VIEW_LEAD', 'CREATE_LEAD', 'MANAGE_USERS', '*'],
    )
    expect(
      (await redeem({ client_id: client, code: back.searchParams.get('code'), code_verifier: verifier })).body.scope,
    ).toBe('VIEW_LEAD')
  })

  it('cannot be read by scripts of other sites', async () => {
    const preflight = await fetch(authorizeUrl(baseUrl, {}), {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    for (const endpoint of ['register', 'token', 'revoke']) {
      const allowed = await fetch(`${baseUrl}/api/oauth-mcp/${endpoint}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://chat.example', 'access-control-request-method': 'POST' },
      })
      expect([
        allowed.status,
        allowed.headers.get('access-control-allow-origin'),
        allowed.headers.get('access-control-allow-credentials'),
      ]).toEqual([204, '*', null])
    }
  })
})

describe('a code', () => {
  it('is used once: the second time ends what the first one gave', async () => {
    const client = await newClient()
    const { code, verifier } = await obtainCode(baseUrl, admin, client)
    const first = await redeem({ client_id: client, code, code_verifier: verifier })
    expect(first.status).toBe(200)
    const me = () =>
      fetch(`${apis[1].url}/api/me/scopes`, { headers: { authorization: `Bearer ${first.body.access_token}` } })
    expect((await me()).status).toBe(200)
    expect(await redeem({ client_id: client, code, code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await me()).status).toBe(401)
  })

  it('sent many times at once is used once at most', async () => {
    const client = await newClient()
    const { code, verifier } = await obtainCode(baseUrl, admin, client)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem({ client_id: client, code, code_verifier: verifier })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each([
    ['without a verifier', { code_verifier: null }, 400, 'invalid_request'],
    ['with another verifier', { code_verifier: newVerifier().verifier }, 400, 'invalid_grant'],
    ['with the challenge as verifier', { code_verifier: 'challenge' }, 400, 'invalid_grant'],
    ['with another address', { redirect_uri: 'http://127.0.0.1:1/callback' }, 400, 'invalid_grant'],
    ['without an address', { redirect_uri: null }, 400, 'invalid_request'],
    ['with another resource', { resource: 'https://evil.example/api/mcp' }, 400, 'invalid_target'],
    ['without a client', { client_id: null }, 400, 'invalid_request'],
    ['with an unknown client', { client_id: '0197b2f0-0000-7000-8000-000000000001' }, 401, 'invalid_client'],
    ['with another grant type', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['without a grant type', { grant_type: null }, 400, 'invalid_request'],
    ['without itself', { code: null }, 400, 'invalid_request'],
    ['made up', { code: 'nothing' }, 400, 'invalid_grant'],
  ])('%s is refused, and stays good for its owner', async (_, parameters, status, error) => {
    const client = await newClient()
    const { code, verifier } = await obtainCode(baseUrl, admin, client)
    const refused = await redeem({ client_id: client, code, code_verifier: verifier, ...parameters })
    expect(refused).toMatchObject({ status, body: { error, error_description: expect.any(String) } })
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await redeem({ client_id: client, code, code_verifier: verifier })).status).toBe(200)
  })

  it('is exchanged by a client that names itself by Basic, as Go’s oauth2 does first', async () => {
    const client = await newClient()
    const { code, verifier } = await obtainCode(baseUrl, admin, client)
    const byBasic = (text: string) =>
      redeem({ code, code_verifier: verifier }, { authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    expect(await byBasic(`${client}:secret`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await byBasic(`${client}:`)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  it('of another client is refused', async () => {
    const { code, verifier } = await obtainCode(baseUrl, admin, await newClient())
    expect(await redeem({ client_id: await newClient(), code, code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  it('is read from a form only, with every parameter once', async () => {
    const asJson = await fetch(`${baseUrl}/api/oauth-mcp/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"authorization_code"}',
    })
    expect([asJson.status, ((await asJson.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
    const twice = await fetch(`${baseUrl}/api/oauth-mcp/token`, {
      method: 'POST',
      body: new URLSearchParams('grant_type=refresh_token&grant_type=authorization_code'),
    })
    expect([twice.status, ((await twice.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
    expect((await fetch(`${baseUrl}/api/oauth-mcp/token`)).status).toBe(405)
  })
})

describe('a refresh', () => {
  it('gets no wider scope, no other client and no other resource, and stays good', async () => {
    const { clientId, refreshToken, accessToken, refresh } = await connectClient(baseUrl, cookie, {
      rights: ['VIEW_LEAD'],
    })
    const send = (parameters: Readonly<Record<string, string>>) =>
      postForm(baseUrl, 'token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...parameters,
      })
    expect(await send({ scope: 'VIEW_LEAD CREATE_LEAD' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    expect(await send({ client_id: await newClient() })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect(await send({ resource: 'https://evil.example' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    })
    expect(await send({ refresh_token: accessToken })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await refresh()).body.scope).toBe('VIEW_LEAD')
  })

  it('token opens nothing itself', async () => {
    const { refreshToken } = await connectClient(baseUrl, cookie)
    expect(
      (await fetch(`${apis[0].url}/api/me/scopes`, { headers: { authorization: `Bearer ${refreshToken}` } })).status,
    ).toBe(401)
  })
})

describe('a forged Host', () => {
  it('does not get into the metadata', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/api/mcp']) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      sendRequest(
        baseUrl + path,
        { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('end', () => resolve(text))
        },
      )
        .on('error', reject)
        .end()
      const text = await promise
      expect(text).toContain(baseUrl)
      expect(text).not.toContain('evil.example')
    }
  })
})
