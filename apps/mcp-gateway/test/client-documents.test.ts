import { loopbackCertificate, loopbackCertificateKey, testScratchDir } from '@crm/testkit'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { authorizeUrl, callback, newVerifier, postForm } from './oauth-client.ts'
import { createPerson } from './person.ts'

const authority = join(await testScratchDir(), 'authority.pem')
await writeFile(authority, loopbackCertificate)
const { db, workspace, baseUrl } = await startInstallation({
  NODE_EXTRA_CA_CERTS: authority,
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
})

/** What the website of a client answers, by path. */
type Answer = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> } | 'never'
const answers = new Map<string, Answer>()
const asked: string[] = []
const site = createServer({ cert: loopbackCertificate, key: loopbackCertificateKey }, (request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  const answer = answers.get(path) ?? { status: 404 }
  if (answer === 'never') return
  const { status = 200, body = '', headers = {} } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
})
site.listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
afterAll(() => site.close().closeAllConnections())
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
beforeEach(async () => {
  asked.length = 0
})

const documentOf = (path: string, more: object = {}) => ({
  client_id: `https://${host}${path}`,
  client_name: 'Agent of the site',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
  ...more,
})

const person = createPerson(await workspace.session())
const { verifier, challenge } = newVerifier()

const addressOf = (clientId: string): string =>
  authorizeUrl(baseUrl, { client_id: clientId, code_challenge: challenge })

/** Makes the document of a client count no longer. */
const outdate = (clientId: string) =>
  db
    .update(schema.oauthClients)
    .set({ freshUntil: '2000-01-01T00:00:00.000Z' })
    .where(eq(schema.oauthClients.documentUrl, clientId))

async function connect(clientId: string) {
  const back = await person.allow(addressOf(clientId), ['VIEW_LEAD'])
  return postForm(baseUrl, 'token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code'),
    redirect_uri: callback,
    code_verifier: verifier,
    client_id: clientId,
  })
}

describe('a client that is described by a document', () => {
  it('connects without a registration, and the person sees whose document it is', async () => {
    answers.set('/agent', { body: documentOf('/agent') })
    const clientId = `https://${host}/agent`
    const { html } = await person.readConsent(addressOf(clientId))
    expect(html).toContain('Agent of the site')
    expect(html).toContain(`<strong>${host}</strong>`)
    const { status, body } = await connect(clientId)
    expect({ status, body }).toMatchObject({ status: 200, body: { scope: 'VIEW_LEAD' } })
    const list = await fetch(`${baseUrl}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(list.status).toBe(200)
    expect(asked).toEqual(['/agent'])
  })

  it('keeps its connection when the document is gone, and makes no new one', async () => {
    const clientId = `https://${host}/gone`
    answers.set('/gone', { body: documentOf('/gone') })
    const { body } = await connect(clientId)
    answers.set('/gone', { status: 500 })
    await outdate(clientId)
    const refreshed = await postForm(baseUrl, 'token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: clientId,
    })
    expect(refreshed.status).toBe(200)
    const page = await person.open(addressOf(clientId))
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('it answered 500')])
  })

  it('is read anew when its time is over, at most a day after it was read', async () => {
    const clientId = `https://${host}/changing`
    answers.set('/changing', { body: documentOf('/changing'), headers: { 'cache-control': 'max-age=99999999' } })
    await person.readConsent(addressOf(clientId))
    const [kept] = await db.select().from(schema.oauthClients).where(eq(schema.oauthClients.documentUrl, clientId))
    const hours = (Date.parse(kept!.freshUntil!) - Date.parse(kept!.createdAt)) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    answers.set('/changing', { body: documentOf('/changing', { client_name: 'Renamed' }) })
    expect((await person.readConsent(addressOf(clientId))).html).not.toContain('Renamed')
    await outdate(clientId)
    expect((await person.readConsent(addressOf(clientId))).html).toContain('Renamed')
  })

  it('is not read for people who are not signed in', async () => {
    answers.set('/unread', { body: documentOf('/unread') })
    const response = await createPerson().open(addressOf(`https://${host}/unread`))
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?next=%2Fapi%2Foauth-mcp%2Fauthorize/)
    expect(asked).toEqual([])
  })

  it.each<[string, string, Answer, string]>([
    ['names another host', '/other', { body: documentOf('/elsewhere') }, 'it names another client'],
    ['leads on', '/moved', { status: 302, headers: { location: '/agent' } }, 'it answered 302'],
    ['is no JSON', '/text', { body: 'hello' }, 'it is not JSON'],
    [
      'is larger than 64 KB',
      '/large',
      { body: documentOf('/large', { pad: 'x'.repeat(70_000) }) },
      'cannot be reached',
    ],
    ['never comes', '/never', 'never', 'it cannot be reached'],
    [
      'sends codes over http',
      '/http',
      { body: documentOf('/http', { redirect_uris: ['http://evil.example/'] }) },
      'redirect_uris must be https',
    ],
    ['names no address', '/none', { body: documentOf('/none', { redirect_uris: [] }) }, 'at least one address'],
  ])('is refused when it %s', async (_, path, answer, reason) => {
    answers.set(path, answer)
    const page = await person.open(addressOf(`https://${host}${path}`))
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(reason)])
  })

  it.each(['http://127.0.0.1/agent', 'https://site.example', 'https://site.example/#a', 'https://site.example/a/../b'])(
    'has no address such as %s',
    async (clientId) => {
      const page = await person.open(addressOf(clientId))
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('not registered here')])
      expect(asked).toEqual([])
    },
  )

  it('sends its codes only to addresses of its document', async () => {
    answers.set('/agent', { body: documentOf('/agent') })
    const url = addressOf(`https://${host}/agent`).replace(encodeURIComponent(callback), 'https%3A%2F%2Fevil.example')
    const page = await person.open(url)
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining('not one that the client registered'),
    ])
  })

  it('is announced to clients', async () => {
    const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)
    expect(await response.json()).toMatchObject({ client_id_metadata_document_supported: true })
  })
})
