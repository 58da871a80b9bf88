import { createDatabase, createPool } from '@crm/db'
import {
  bundleOf,
  createTestWorkspace,
  freePort,
  isFirefox,
  launchBrowser,
  startProcess,
  testDatabase,
  testPassword,
  testRedis,
} from '@crm/testkit'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startFront } from './front.ts'
import { authorizeUrl, newVerifier, postForm, register } from './oauth-client.ts'

const [database, { url: redisUrl }, port] = await Promise.all([testDatabase(), testRedis(), freePort()])
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const baseUrl = `http://127.0.0.1:${port}`
const workspace = await createTestWorkspace(createDatabase(owner), { baseUrl })

const [api, pages] = await Promise.all([
  startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redisUrl }),
  startProcess(bundleOf('console')),
])
const gateway = await startProcess(bundleOf('mcp-gateway'), {
  DATABASE_URL: database.urlFor('crm_gateway'),
  REDIS_URL: redisUrl,
  CRM_API_URL: api.url,
})
const isOfGateway = /^\/(?:api\/mcp|api\/oauth-mcp\/|\.well-known\/)/
await startFront({
  port,
  targetOf: (path) => (isOfGateway.test(path) ? gateway.url : path.startsWith('/api/') ? api.url : pages.url),
})

/** A program on this computer that waits for its code. */
const program = createServer((request, response) => {
  // Clients on the web send the browser on to a page of another origin.
  if (request.url?.startsWith('/callback/on')) {
    const elsewhere = `http://localhost:${(program.address() as AddressInfo).port}/callback`
    return void response.writeHead(302, { location: `${elsewhere}${new URL(request.url, elsewhere).search}` }).end()
  }
  if (request.url?.startsWith('/callback/program')) {
    const { search } = new URL(request.url, callback)
    return void response.writeHead(302, { location: `crm-agent-test://done${search}` }).end()
  }
  response.setHeader('content-type', 'text/html').end('<h1>Connected</h1>')
})
program.listen(0, '127.0.0.1')
await once(program, 'listening')
const callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`

afterAll(async () => {
  program.closeAllConnections()
  program.close()
  await owner.end()
})

const browser = await launchBrowser()
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))

async function asked(name: string, back = callback) {
  const { body } = await register(baseUrl, { client_name: name, redirect_uris: [back.replace(/:\d+\//, '/')] })
  const { verifier, challenge } = newVerifier()
  const url = authorizeUrl(baseUrl, { client_id: body.client_id, redirect_uri: back, code_challenge: challenge })
  const redeem = (back: string) =>
    postForm(baseUrl, 'token', {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      code: new URL(back).searchParams.get('code'),
      code_verifier: verifier,
      redirect_uri: callback,
    })
  return { url, redeem }
}

async function openPage(options: Parameters<typeof browser.newContext>[0] = {}) {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(30_000)
  return page
}

const signedIn = async () => {
  const [name = '', value = ''] = (await workspace.session()).split('=')
  return {
    cookies: [
      {
        name,
        value,
        domain: '127.0.0.1',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax' as const,
      },
    ],
    origins: [],
  }
}

describe('a person', () => {
  it('signs in, decides by keyboard, and is sent back with a code; the connection is shown and ended in the console', async () => {
    const { url, redeem } = await asked('Helper of the test')
    const page = await openPage()
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
    })
    await page.goto(url)
    await page.getByLabel('Email').fill(workspace.adminEmail)
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Connect .Helper of the test. to/ }).waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: /^See leads/ }).isChecked()).toBe(true)
    const create = page.getByRole('checkbox', { name: /^Create leads/ })
    await expect.poll(() => create.isChecked()).toBe(false)
    await create.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    const tokens = await redeem(page.url())
    expect(tokens.status).toBe(200)
    expect(tokens.body.scope.split(' ')).toEqual(expect.arrayContaining(['VIEW_LEAD', 'CREATE_LEAD']))
    expect(tokens.body.scope).not.toContain('DELETE_')
    expect(violations).toEqual([])

    const me = () =>
      fetch(`${baseUrl}/api/me/scopes`, { headers: { authorization: `Bearer ${tokens.body.access_token}` } })
    expect((await me()).status).toBe(200)
    await page.goto(`${baseUrl}/settings/ai-clients`)
    const row = page
      .getByRole('table', { name: 'AI clients' })
      .getByRole('row')
      .filter({ hasText: 'Helper of the test' })
    await row.getByRole('button', { name: /^Disconnect/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No connections').waitFor()
    expect((await me()).status).toBe(401)
  })

  it('is led on by a callback to another origin', async () => {
    const { url } = await asked('Forwarding', `${callback}/on`)
    const page = await openPage({ storageState: await signedIn() })
    await page.goto(url)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await expect.poll(() => page.url()).toMatch(/^http:\/\/localhost:\d+\/callback\?code=/)
  })

  // Only Chromium tells of a request that leaves the browser for a program.
  it.skipIf(isFirefox())('is led on by a callback to an address of a program', async () => {
    const { url } = await asked('Native', `${callback}/program`)
    const page = await openPage({ storageState: await signedIn() })
    const went: string[] = []
    const violations: string[] = []
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    session.on('Network.requestWillBeSent', ({ request }) => went.push(request.url))
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
    })
    await page.goto(url)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => went.filter((to) => to.startsWith('crm-agent-test:'))).toHaveLength(1)
    expect(went.at(-1)).toMatch(/^crm-agent-test:\/\/done\?code=/)
    expect(violations).toEqual([])
  })

  it('says how the client is held: what waits, what it asks, and how much it may do', async () => {
    const { url, redeem } = await asked('Held')
    const page = await openPage({ storageState: await signedIn() })
    await page.goto(url)
    await page.getByLabel('Its changes').selectOption({ label: 'wait where they cannot be taken back' })
    await page.getByLabel('It asks me before each call that cannot be taken back').check()
    await page.getByLabel('Most deletions a day').fill('5')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    expect((await redeem(page.url())).status).toBe(200)
    const { cookies } = await signedIn()
    const response = await fetch(`${baseUrl}/api/settings/connections`, {
      headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    })
    const { items } = (await response.json()) as { items: { name: string }[] }
    expect(items.find(({ name }) => name === 'Held')).toMatchObject({
      writes: 'PROPOSE_DESTRUCTIVE',
      confirm: true,
      limits: { writesPerDay: null, deletesPerDay: 5, recordsPerCall: null },
    })
    // The next time begins with what was chosen.
    await page.goto(url)
    await expect.poll(() => page.getByLabel('Most deletions a day').inputValue()).toBe('5')
    await expect.poll(() => page.getByLabel('Its changes').inputValue()).toBe('PROPOSE_DESTRUCTIVE')
    for (const { width } of [{ width: 1280 }, { width: 375 }]) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
        .toBe(0)
    }
  })

  it('needs no script to decide', async () => {
    const { url, redeem } = await asked('Plain')
    const page = await openPage({ javaScriptEnabled: false, storageState: await signedIn() })
    await page.goto(url)
    await page.getByRole('checkbox', { name: /^See deals/ }).uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    const { body } = await redeem(page.url())
    expect(body.scope).toContain('VIEW_LEAD')
    expect(body.scope).not.toContain('VIEW_DEAL')
  })

  it('can say no', async () => {
    const { url } = await asked('Refused')
    const page = await openPage({ storageState: await signedIn() })
    await page.goto(url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/error=access_denied/)
  })

  it('never sees the page within another one', async () => {
    const { url } = await asked('Framed')
    const page = await openPage({ storageState: await signedIn() })
    await page.route('**/frame', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>` }),
    )
    const refused = page.waitForEvent('requestfailed').catch(() => null)
    await page.goto(`${new URL(callback).origin}/frame`)
    await refused
    for (const frame of page.frames())
      await expect.poll(() => frame.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  })
})
