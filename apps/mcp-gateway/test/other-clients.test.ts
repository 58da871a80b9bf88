import {
  Client as ClientOfTwo,
  StreamableHTTPClientTransport as TransportOfTwo,
  UnauthorizedError as UnauthorizedOfTwo,
  type OAuthClientProvider as ProviderOfTwo,
} from '@modelcontextprotocol/client'
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { bareEnv, freePort } from '@crm/testkit'
import * as oauth from 'oauth4webapi'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startFront } from './front.ts'
import { startInstallation } from './installation.ts'
import { memoryProvider } from './memory-provider.ts'
import { callback, freshAddress, register } from './oauth-client.ts'
import { createPerson } from './person.ts'

const { workspace, baseUrl, apis } = await startInstallation()
const person = createPerson(await workspace.session())
const { key } = await workspace.apiKey()
const server = new URL(`${baseUrl}/api/mcp`)
const metadata = {
  client_name: 'SDK',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

describe('the client of the SDK, first generation', () => {
  it('connects by OAuth, lists and calls, and refreshes by itself', async () => {
    const { provider, kept } = memoryProvider<OAuthClientProvider>(callback, metadata)
    const newTransport = () => new StreamableHTTPClientTransport(server, { authProvider: provider })
    const first = newTransport()
    await expect(new Client({ name: 'one', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)
    const back = await person.allow(kept.asked ?? '', ['VIEW_LEAD', 'CREATE_LEAD'])
    await first.finishAuth(back.searchParams.get('code') ?? '')
    const client = new Client({ name: 'one', version: '1' })
    await client.connect(newTransport())
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search', 'fetch', 'leads_create']),
    )
    expect(
      (await client.callTool({ name: 'leads_create', arguments: { firstName: 'Ada' } })).structuredContent,
    ).toMatchObject({ success: true, data: { firstName: 'Ada' } })
    const { access_token: before, ...rest } = kept.tokens as { access_token: string }
    kept.tokens = { ...rest, access_token: 'at-dead' }
    expect((await client.callTool({ name: 'leads_list', arguments: {} })).isError).toBeUndefined()
    expect((kept.tokens as { access_token: string }).access_token).not.toBe(before)
    await client.close()
  })
})

describe('the client of the SDK, second generation', () => {
  it('connects by OAuth, lists and calls', async () => {
    const { provider, kept } = memoryProvider<ProviderOfTwo>(callback, metadata)
    const newTransport = () => new TransportOfTwo(server, { authProvider: provider })
    const first = newTransport()
    await expect(new ClientOfTwo({ name: 'two', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedOfTwo)
    await first.finishAuth((await person.allow(kept.asked ?? '')).searchParams)
    const client = new ClientOfTwo({ name: 'two', version: '1' })
    await client.connect(newTransport())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('leads_list')
    expect((await client.callTool({ name: 'leads_list', arguments: { pageSize: 1 } })).structuredContent).toMatchObject(
      { page: 1, pageSize: 1 },
    )
    expect((await client.readResource({ uri: 'crm://openapi' })).contents).toHaveLength(1)
    await client.close()
  })
})

describe('a client that needs more than it was given', () => {
  it('asks the person again by itself, and then can do both', async () => {
    const { provider, kept } = memoryProvider<ProviderOfTwo>(callback, metadata)
    const newTransport = () => new TransportOfTwo(new URL(`${server}/`), { authProvider: provider })
    const first = newTransport()
    await expect(new ClientOfTwo({ name: 'more', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedOfTwo)
    await first.finishAuth((await person.allow(kept.asked ?? '', ['VIEW_LEAD'])).searchParams)
    const second = newTransport()
    const client = new ClientOfTwo({ name: 'more', version: '1' })
    await client.connect(second)
    kept.asked = undefined
    const create = () => client.callTool({ name: 'leads_create', arguments: { firstName: 'Grace' } })
    await expect(create()).rejects.toThrow(UnauthorizedOfTwo)
    const asked = new URL(String(kept.asked)).searchParams.get('scope')?.split(' ') ?? []
    expect(asked).toEqual(expect.arrayContaining(['CREATE_LEAD', 'VIEW_LEAD']))
    await second.finishAuth((await person.allow(kept.asked ?? '', ['VIEW_LEAD', 'CREATE_LEAD'])).searchParams)
    expect((await create()).structuredContent).toMatchObject({ data: { firstName: 'Grace' } })
    expect((await client.callTool({ name: 'leads_list', arguments: {} })).isError).toBeUndefined()
    await client.close()
  })
})

describe('oauth4webapi', () => {
  const plainHttp = { [oauth.allowInsecureRequests]: true }
  const client = async () => {
    const as = await oauth.processDiscoveryResponse(
      new URL(baseUrl),
      await oauth.discoveryRequest(new URL(baseUrl), { algorithm: 'oauth2', ...plainHttp }),
    )
    const headers = new Headers({ 'x-forwarded-for': freshAddress() })
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        { ...metadata, redirect_uris: [callback] },
        { headers, ...plainHttp },
      ),
    )
    return { as, registered }
  }

  it.each(['', '/', '?readonly=true', '?toolsets=leads', '/?mode=core'])(
    'signs in to the address ending in “%s”, which it finds by what a call without a credential answers',
    async (end) => {
      const called = new URL(server.href + end)
      const refused = await fetch(called, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      const pointed = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
      const resource = await oauth.processResourceDiscoveryResponse(called, await fetch(pointed))
      expect(resource).toMatchObject({ resource: called.href, authorization_servers: [baseUrl] })
      const found = await oauth.processResourceDiscoveryResponse(
        called,
        await oauth.resourceDiscoveryRequest(called, plainHttp),
      )
      expect(found).toEqual(resource)
      const { tokens } = await signIn(called.href)
      const listed = await fetch(called, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.access_token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      expect(JSON.stringify(await listed.json())).toContain('"leads_list"')
    },
  )

  /** Signs in with PKCE, and names the resource to both endpoints. */
  const signIn = async (resource: string) => {
    const { as, registered } = await client()
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const asked = new URL(as.authorization_endpoint ?? '')
    const parameters = {
      client_id: registered.client_id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'VIEW_LEAD',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource,
    }
    for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value)
    const answered = oauth.validateAuthResponse(as, registered, await person.allow(asked), state)
    const redeem = () =>
      oauth.authorizationCodeGrantRequest(as, registered, oauth.None(), answered, callback, verifier, {
        additionalParameters: { resource },
        ...plainHttp,
      })
    const tokens = await oauth.processAuthorizationCodeResponse(as, registered, await redeem())
    return { as, registered, redeem, tokens }
  }

  it('walks the whole flow: registration, PKCE, resource, rotation, reuse and revocation', async () => {
    const { as, registered, redeem, tokens } = await signIn(server.href)
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'VIEW_LEAD', expires_in: 2_592_000 })
    const me = (token: string) =>
      fetch(`${apis[1].url}/api/me/scopes`, { headers: { authorization: `Bearer ${token}` } })
    expect(await (await me(tokens.access_token)).json()).toMatchObject({
      class: 'oauth-token',
      effective: ['VIEW_LEAD'],
    })

    const refresh = (token = '') => oauth.refreshTokenGrantRequest(as, registered, oauth.None(), token, plainHttp)
    const rotated = await oauth.processRefreshTokenResponse(as, registered, await refresh(tokens.refresh_token))
    expect(rotated.refresh_token).not.toBe(tokens.refresh_token)
    const repeated = await oauth.processRefreshTokenResponse(as, registered, await refresh(tokens.refresh_token))
    expect(repeated).toEqual(rotated)
    expect((await me(rotated.access_token)).status).toBe(200)

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, registered, oauth.None(), rotated.refresh_token ?? '', plainHttp),
    )
    expect((await me(rotated.access_token)).status).toBe(401)
    await expect(
      redeem().then((response) => oauth.processAuthorizationCodeResponse(as, registered, response)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

describe('programs', () => {
  const manifestOf = (name: string) => createRequire(import.meta.url).resolve(`${name}/package.json`)
  const programOf = (name: string, file: string) => manifestOf(name).replace('package.json', file)
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], { env: bareEnv(), timeout: 60_000 })

  it('the inspector lists the tools and finds nothing wrong with their schemas', async () => {
    const inspector = programOf('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js')
    const args = ['--cli', server.href, '--transport', 'http', '--header', `Authorization: Bearer ${key}`]
    const { stdout, stderr } = await run(inspector, [...args, '--method', 'tools/list', '--strict'])
    expect((JSON.parse(stdout) as { tools: unknown[] }).tools.length).toBeGreaterThan(20)
    expect(stderr.trim()).toBe('')
    const called = await run(inspector, [
      ...args,
      '--method',
      'tools/call',
      '--tool-name',
      'leads_list',
      '--tool-arg',
      'pageSize=1',
    ])
    expect(JSON.parse(called.stdout)).toMatchObject({ structuredContent: { pageSize: 1 } })
  }, 90_000)

  it.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])(
    'the conformance suite is content with %s',
    async (scenario) => {
      const { stdout } = await run(programOf('@modelcontextprotocol/conformance', 'dist/index.js'), [
        'server',
        '--url',
        `${await withBearer()}/api/mcp`,
        '--scenario',
        scenario,
      ])
      expect(stdout).not.toContain('FAILURE')
      expect(stdout).toMatch(/SUCCESS|passed/i)
    },
  )

  it('the conformance suite is content with the authorization server: its metadata and its code grant', async () => {
    const { body: client } = await register(baseUrl)
    const args = [
      'authorization',
      '--url',
      baseUrl,
      '--client-id',
      String(client.client_id),
      '--resource',
      server.href,
      '--port',
      String(await freePort()),
    ]
    const running = run(programOf('@modelcontextprotocol/conformance', 'dist/index.js'), args)
    const { promise: asked, resolve } = Promise.withResolvers<string>()
    let said = ''
    running.child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const [address] = /^http\S+authorize\?\S+(?=\s)/m.exec(said) ?? []
      // The program writes the address before it listens for the answer.
      if (address !== undefined && said.includes('Callback server started')) resolve(address)
    })
    // The program waits until a person opens the address that it writes.
    const outcome = await Promise.race([asked, running])
    if (typeof outcome === 'string') await fetch(await person.allow(outcome))
    const { stdout } = await running
    for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant'])
      expect(stdout).toMatch(new RegExp(`${scenario}: [1-9] passed, 0 failed`))
  })
})

let front: Promise<string> | undefined

/** A small proxy that adds a credential, for programs that have no way to show one. */
function withBearer(): Promise<string> {
  front ??= startFront({
    targetOf: () => baseUrl,
    headersOf: ({ headers }) => ({ ...headers, authorization: `Bearer ${key}` }),
  })
  return front
}
