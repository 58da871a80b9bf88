import { schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { authorizeUrl, callback, connectClient, newVerifier, obtainCode, postForm, register } from './oauth-client.ts'
import { createPerson } from './person.ts'

const { db, workspace, baseUrl, gateways, apis } = await startInstallation()
const cookie = await workspace.session()
const admin = createPerson(cookie)
const newClient = async (): Promise<string> => String((await register(baseUrl)).body.client_id)
const consentUrl = async (parameters: Readonly<Record<string, string | null>> = {}) =>
  authorizeUrl(baseUrl, { client_id: await newClient(), code_challenge: newVerifier().challenge, ...parameters })

const scopesAt = async (api: string, token: string) =>
  fetch(`${api}/api/me/scopes`, { headers: { authorization: `Bearer ${token}` } })
const listTools = (gateway: string, token: string) =>
  fetch(`${gateway}/api/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
const everywhere = async (token: string) =>
  (
    await Promise.all([
      ...apis.map(({ url }) => scopesAt(url, token)),
      ...gateways.map(({ url }) => listTools(url, token)),
    ])
  ).map(({ status }) => status)

describe('consent', () => {
  it('leads to the sign-in first, and from there back to the very request', async () => {
    const url = await consentUrl({ scope: 'VIEW_LEAD' })
    const response = await createPerson().open(url)
    expect(response.status).toBe(302)
    const location = new URL(response.headers.get('location') ?? '', baseUrl)
    expect(location.pathname).toBe('/sign-in')
    const next = new URL(location.searchParams.get('next') ?? '', baseUrl)
    expect(Object.fromEntries(next.searchParams)).toEqual(Object.fromEntries(new URL(url).searchParams))
    expect(next.pathname).toBe('/api/oauth-mcp/authorize')
  })

  it('leads to the sign-in again once the session is not fresh, when it is shown and when it is allowed', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'] } })
    const session = await workspace.session(id)
    const person = createPerson(session)
    const url = await consentUrl({ scope: 'VIEW_LEAD' })
    const form = await person.readConsent(url)
    await db
      .update(schema.sessions)
      .set({ authenticatedAt: new Date(Date.now() - 60 * 60_000).toISOString() })
      .where(eq(schema.sessions.employeeId, id))
    const placeOf = (response: Response) => new URL(response.headers.get('location') ?? '', baseUrl)
    for (const response of [await person.open(url), await person.decide(url, form, ['VIEW_LEAD'])]) {
      expect([response.status, placeOf(response).pathname]).toEqual([302, '/sign-in'])
      const next = new URL(placeOf(response).searchParams.get('next') ?? '', baseUrl)
      expect(Object.fromEntries(next.searchParams)).toEqual(Object.fromEntries(new URL(url).searchParams))
    }
    expect(await db.select().from(schema.oauthGrants).where(eq(schema.oauthGrants.employeeId, id))).toEqual([])
    const denied = await person.decide(url, form, [], 'deny')
    expect(placeOf(denied).searchParams.get('error')).toBe('access_denied')
    expect((await createPerson(await workspace.session(id)).allow(url)).searchParams.get('code')).toBeTruthy()
  })

  it('offers what the person holds, reading ticked and changing not, and says how many tools each right adds', async () => {
    const { html, rights } = await admin.readConsent(await consentUrl())
    expect(rights.map(({ name }) => name)).toEqual(permissionNames)
    for (const { name, isTicked } of rights) expect(isTicked, name).toBe(name.startsWith('VIEW_'))
    expect(html).toMatch(/See leads<\/span><small>\d+ tools/)
    expect(html).toContain('Not verified')
    expect(html).toContain('a program on this computer')
  })

  it('offers a person no more than they hold, nor more than the client asks for; unknown scopes are ignored', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'VIEW_DEAL'] } })
    const person = createPerson(await workspace.session(id))
    const offered = async (scope: string | null) =>
      (await person.readConsent(await consentUrl({ scope }))).rights.map(({ name }) => name)
    expect(await offered(null)).toEqual(['VIEW_LEAD', 'CREATE_LEAD', 'VIEW_DEAL'])
    expect(await offered('openid offline_access')).toEqual(['VIEW_LEAD', 'VIEW_DEAL'])
    expect(await offered('VIEW_LEAD DELETE_LEAD openid')).toEqual(['VIEW_LEAD'])
    const refused = await person.open(await consentUrl({ scope: 'DELETE_LEAD' }))
    expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope')
  })

  it('remembers the earlier choice of what may be read', async () => {
    const client = await newClient()
    await obtainCode(baseUrl, admin, client, ['VIEW_DEAL', 'CREATE_LEAD'])
    const { rights } = await admin.readConsent(
      authorizeUrl(baseUrl, { client_id: client, code_challenge: newVerifier().challenge }),
    )
    expect(rights.filter(({ isTicked }) => isTicked).map(({ name }) => name)).toEqual(['VIEW_DEAL'])
  })

  it('goes back with code, state and iss, or with access_denied', async () => {
    const url = await consentUrl()
    const back = await admin.allow(url)
    expect(back.href.startsWith(callback)).toBe(true)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'opaque state',
      iss: baseUrl,
    })
    const denied = await admin.decide(url, await admin.readConsent(url), [], 'deny')
    const { searchParams } = new URL(denied.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'opaque state',
      iss: baseUrl,
    })
  })

  it('asks again when nothing is ticked', async () => {
    const url = await consentUrl()
    const again = await admin.decide(url, await admin.readConsent(url), [])
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('Tick at least one right')
  })

  it.each(['many', '-1', '1.5', '9999999999'])('asks again when a limit is %s', async (limit) => {
    const url = await consentUrl()
    const form = await admin.readConsent(url)
    form.fields.set('writesPerDay', limit)
    const again = await admin.decide(url, form, ['VIEW_LEAD'])
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('A limit is a whole number')
  })

  it('cannot be framed, kept, scripted or read from elsewhere', async () => {
    const { headers } = await admin.open(await consentUrl())
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('shows the name of a client as text', async () => {
    const { body } = await register(baseUrl, {
      client_name: '<script>alert(1)</script>"\u202e',
      redirect_uris: [callback],
    })
    const { html } = await admin.readConsent(
      authorizeUrl(baseUrl, { client_id: body.client_id, code_challenge: newVerifier().challenge }),
    )
    expect(html).not.toContain('<script')
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  })
})

it('consent after an earlier grant, even a revoked one, starts with every right that changes data unticked', async () => {
  const { clientId, refreshToken } = await connectClient(baseUrl, cookie, {
    rights: ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD', 'EXPORT_DATA'],
  })
  const ticked = async () => {
    const { html } = await admin.readConsent(
      authorizeUrl(baseUrl, { client_id: clientId, code_challenge: newVerifier().challenge }),
    )
    return [...html.matchAll(/name="right" value="(\w+)" checked/g)].map(([, name]) => name)
  }
  expect(await ticked()).toEqual(['VIEW_LEAD'])
  await postForm(baseUrl, 'revoke', { token: refreshToken, client_id: clientId })
  expect(await ticked()).toEqual(['VIEW_LEAD'])
})

it('a client that asks for nothing but unknown scopes is offered reading alone', async () => {
  const { html } = await admin.readConsent(
    authorizeUrl(baseUrl, {
      client_id: await newClient(),
      code_challenge: newVerifier().challenge,
      scope: 'openid everything',
    }),
  )
  const offered = [...html.matchAll(/name="right" value="(\w+)"/g)].map(([, name]) => name as string)
  expect(offered.length).toBeGreaterThan(5)
  expect(offered.filter((name) => !name.startsWith('VIEW_'))).toEqual([])
})

it('the discovery documents name the permissions of the workspace’s own kinds of record', async () => {
  await db
    .insert(schema.customEntities)
    .values({ workspaceId: workspace.workspaceId, key: 'vehicle', labels: { singular: 'Vehicle', plural: 'Vehicles' } })
  for (const document of ['oauth-protected-resource', 'oauth-authorization-server']) {
    const { scopes_supported: scopes } = (await (await fetch(`${baseUrl}/.well-known/${document}`)).json()) as {
      scopes_supported: string[]
    }
    expect(scopes.slice(-4)).toEqual(['VIEW_VEHICLE', 'CREATE_VEHICLE', 'UPDATE_VEHICLE', 'DELETE_VEHICLE'])
  }
  await db.delete(schema.customEntities)
})

describe('a connection', () => {
  it('acts as the person with only the ticked rights, within what they hold', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'VIEW_DEAL', 'CREATE_LEAD'] } })
    const { accessToken, scope } = await connectClient(baseUrl, await workspace.session(id), {
      rights: ['VIEW_LEAD', 'CREATE_LEAD', 'DELETE_LEAD'],
    })
    expect(scope).toBe('VIEW_LEAD CREATE_LEAD')
    const told = await (await scopesAt(apis[0].url, accessToken)).json()
    expect(told).toMatchObject({
      class: 'oauth-token',
      restricted: true,
      requested: ['VIEW_LEAD', 'CREATE_LEAD'],
      effective: ['VIEW_LEAD', 'CREATE_LEAD'],
      owner: { id },
    })
    await db.execute(
      sql`UPDATE roles SET permissions = array_remove(permissions, 'CREATE_LEAD') WHERE id IN (SELECT role_id FROM employee_roles WHERE employee_id = ${id})`,
    )
    expect(await (await scopesAt(apis[1].url, accessToken)).json()).toMatchObject({
      effective: ['VIEW_LEAD'],
      missing: [{ scope: 'CREATE_LEAD', reason: 'OWNER_LACKS' }],
    })
  })

  it('lasts 30 days with each access token', async () => {
    const { refresh } = await connectClient(baseUrl, cookie)
    const { body, headers } = await refresh()
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 30 * 24 * 60 * 60,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      scope: expect.any(String),
    })
    expect(headers.get('cache-control')).toBe('no-store')
    await db.execute(sql`UPDATE oauth_tokens SET expires_at = now() - interval '1 second' WHERE kind = 'access'`)
    expect(await everywhere(body.access_token)).toEqual([401, 401, 401, 401])
  })

  it('asks for a wider scope where the person holds the right and the connection does not', async () => {
    const { accessToken } = await connectClient(baseUrl, cookie, { rights: ['VIEW_LEAD'] })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'leads_create', arguments: { firstName: 'Ada' } },
    }
    const response = await fetch(`${baseUrl}/api/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    expect(response.status).toBe(403)
    // The scope includes the present one, because the next token replaces this one.
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="CREATE_LEAD VIEW_LEAD", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/api/mcp"`,
    )
  })

  it('is written down for the audit log', async () => {
    const { clientId } = await connectClient(baseUrl, cookie, { rights: ['VIEW_LEAD'] })
    const [line] = await db.select().from(schema.auditLog).where(eq(schema.auditLog.subjectId, clientId))
    expect(line).toMatchObject({
      action: 'connection.created',
      actorId: workspace.adminUserId,
      data: { scopes: ['VIEW_LEAD'] },
    })
  })

  it('that its client gives back is written down too, once', async () => {
    const { clientId, refreshToken } = await connectClient(baseUrl, cookie)
    for (const _ of [1, 2]) await postForm(baseUrl, 'revoke', { token: refreshToken, client_id: clientId })
    const lines = await db.select().from(schema.auditLog).where(eq(schema.auditLog.subjectId, clientId))
    expect(lines.map(({ action, actorName }) => `${action} by ${actorName}`).toSorted()).toEqual([
      'connection.created by Ada Admin',
      'connection.ended by Tool server',
    ])
  })
})

/** Sets back when tokens were exchanged. */
const aMinutePasses = () =>
  db.execute(sql`UPDATE oauth_tokens SET rotated_at = rotated_at - interval '61 seconds' WHERE rotated_at IS NOT NULL`)

describe('a refresh token', () => {
  it('works once and is replaced; a client that lost the answer gets the same one again', async () => {
    const { refresh, accessToken } = await connectClient(baseUrl, cookie)
    const first = await refresh()
    const again = await refresh()
    expect([first.status, again]).toMatchObject([200, { status: 200, body: first.body }])
    expect(await everywhere(accessToken)).toEqual([200, 200, 200, 200])
    expect(await everywhere(first.body.access_token)).toEqual([200, 200, 200, 200])
    expect((await refresh(first.body.refresh_token)).body.access_token).not.toBe(first.body.access_token)
  })

  it('that somebody else has sent is refused to its client, and ends the connection of both after a minute', async () => {
    const { clientId, refreshToken, refresh } = await connectClient(baseUrl, cookie)
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken })
    const stolen = await fetch(`${baseUrl}/api/oauth-mcp/token`, {
      method: 'POST',
      body: form,
      headers: { 'user-agent': 'thief/1' },
    })
    const { access_token: theirs, refresh_token: next } = (await stolen.json()) as Record<string, string>
    expect(await everywhere(theirs as string)).toEqual([200, 200, 200, 200])
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await everywhere(theirs as string)).toEqual([200, 200, 200, 200])
    await aMinutePasses()
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await everywhere(theirs as string)).toEqual([401, 401, 401, 401])
    expect(await refresh(next)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('from another address of the same moment gets nothing, and ends nothing', async () => {
    const { clientId, refreshToken, refresh } = await connectClient(baseUrl, cookie)
    const { body } = await refresh()
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken })
    expect(
      (
        await fetch(`${baseUrl}/api/oauth-mcp/token`, {
          method: 'POST',
          body: form,
          headers: { 'x-forwarded-for': '203.0.113.99' },
        })
      ).status,
    ).toBe(400)
    expect(await everywhere(body.access_token)).toEqual([200, 200, 200, 200])
  })

  it('whose successor is in use was answered, and is refused to its own client', async () => {
    const { refresh } = await connectClient(baseUrl, cookie)
    const { body: second } = await refresh()
    const { body: third } = await refresh(second.refresh_token)
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await everywhere(third.access_token)).toEqual([200, 200, 200, 200])
  })

  it('that comes again after a minute ends the connection everywhere at once', async () => {
    const { refresh } = await connectClient(baseUrl, cookie)
    const { body: second } = await refresh()
    expect(await everywhere(second.access_token)).toEqual([200, 200, 200, 200])
    await aMinutePasses()
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await everywhere(second.access_token)).toEqual([401, 401, 401, 401])
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('sent a hundred times at once to two gateways gives one answer, which works', async () => {
    const { clientId, refreshToken } = await connectClient(baseUrl, cookie)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        postForm(gateways[at % 2]?.url ?? '', 'token', {
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: refreshToken,
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1)
    expect(await everywhere(answers[0]?.body.access_token)).toEqual([200, 200, 200, 200])
  })

  it('of a suspended person waits for them', async () => {
    const { id } = await workspace.employee()
    const { refresh } = await connectClient(baseUrl, await workspace.session(id))
    await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, id))
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await db.update(schema.employees).set({ status: 'ACTIVE' }).where(eq(schema.employees.id, id))
    expect((await refresh()).status).toBe(200)
  })
})

describe('taking back', () => {
  it('a refresh token ends the connection on the very next request, over two gateways and two APIs', async () => {
    const { clientId, accessToken, refreshToken, refresh } = await connectClient(baseUrl, cookie)
    expect(await everywhere(accessToken)).toEqual([200, 200, 200, 200])
    expect((await postForm(gateways[1].url, 'revoke', { token: refreshToken, client_id: clientId })).status).toBe(200)
    expect(await everywhere(accessToken)).toEqual([401, 401, 401, 401])
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('an access token ends that token alone', async () => {
    const { accessToken, refresh } = await connectClient(baseUrl, cookie)
    expect(await everywhere(accessToken)).toEqual([200, 200, 200, 200])
    expect((await postForm(baseUrl, 'revoke', { token: accessToken })).status).toBe(200)
    expect(await everywhere(accessToken)).toEqual([401, 401, 401, 401])
    expect((await refresh()).status).toBe(200)
  })

  it('answers 200 for what is no token, and refuses the token of another client', async () => {
    const { refreshToken, accessToken } = await connectClient(baseUrl, cookie)
    expect((await postForm(baseUrl, 'revoke', { token: 'nothing' })).status).toBe(200)
    expect((await postForm(baseUrl, 'revoke', { token: refreshToken, client_id: await newClient() })).status).toBe(400)
    expect((await scopesAt(apis[0].url, accessToken)).status).toBe(200)
  })

  it('a client altogether makes it unknown', async () => {
    const { clientId, accessToken, refresh } = await connectClient(baseUrl, cookie)
    await db.delete(schema.oauthClients).where(eq(schema.oauthClients.id, clientId))
    expect(await refresh()).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await scopesAt(apis[0].url, accessToken)).status).toBe(401)
  })
})

describe('what nobody uses', () => {
  it('is forgotten a week after it registered, and what is in use is kept', async () => {
    const unused = await newClient()
    const { clientId } = await connectClient(baseUrl, cookie)
    await db.execute(
      sql`UPDATE oauth_clients SET created_at = now() - interval '8 days' WHERE id IN (${unused}, ${clientId})`,
    )
    await newClient()
    const left = (await db.select({ id: schema.oauthClients.id }).from(schema.oauthClients)).map(({ id }) => id)
    expect(left).toContain(clientId)
    expect(left).not.toContain(unused)
  })
})
