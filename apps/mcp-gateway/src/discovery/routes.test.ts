import { permissionNames } from '@crm/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, workspace, type TestGateway } from '../../test/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const get = (path: string) => fetch(gateway.url + path, { headers: { origin: 'https://chat.example' } })

describe('the discovery documents', () => {
  it.each(['', '/', '?readonly=true', '/api/mcp'])(
    'name the resource and its scopes, at the path ending in “%s”',
    async (suffix) => {
      const response = await get(`/.well-known/oauth-protected-resource${suffix}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toMatchObject({
        resource: `${workspace.baseUrl}/api/mcp`,
        authorization_servers: [workspace.baseUrl],
        scopes_supported: [...permissionNames, 'VIEW_VEHICLE', 'CREATE_VEHICLE'],
      })
    },
  )

  // A strict client compares the name with the address that it called (RFC 9728, 3.3).
  it.each([
    ['/', '/'],
    ['?', ''],
    ['?readonly', '?readonly'],
    ['?readonly=true', '?readonly=true'],
    ['/?mode=core', '/?mode=core'],
    ['?toolsets=leads,deals&mode=core', '?toolsets=leads,deals&mode=core'],
    ['?toolsets=%6Ceads', '?toolsets=%6Ceads'],
    ['?a="b', '?a=%22b'],
  ])('name the resource as it was called: %s', async (called, named) => {
    const { headers } = await fetch(`${gateway.url}/api/mcp${called}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const [, pointed = ''] = /resource_metadata="([^"]*)"$/.exec(headers.get('www-authenticate') ?? '') ?? []
    expect(pointed).toBe(`${workspace.baseUrl}/.well-known/oauth-protected-resource/api/mcp${named}`)
    expect(await (await get(pointed.slice(workspace.baseUrl.length))).json()).toMatchObject({
      resource: `${workspace.baseUrl}/api/mcp${named}`,
      authorization_servers: [workspace.baseUrl],
    })
  })

  it.each(['', '/api/mcp', '/api/mcp/', '/api/mcp?readonly=true'])(
    'name the authorization server, at the path ending in “%s”',
    async (suffix) => {
      expect(await (await get(`/.well-known/oauth-authorization-server${suffix}`)).json()).toMatchObject({
        issuer: workspace.baseUrl,
        authorization_endpoint: `${workspace.baseUrl}/api/oauth-mcp/authorize`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    },
  )

  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource/other',
    '/api/oauth-mcp/nothing',
  ])('are not at %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })
})
