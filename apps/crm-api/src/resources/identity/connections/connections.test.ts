import { newId, schema } from '@crm/db'
import { accessTokenPrefix, digest, newSecret } from '@crm/identity'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const { call, workspace, db } = await apiUnderTest()
const path = '/api/settings/connections'
const { workspaceId } = workspace

async function person(permissions: string[] = ['VIEW_LEAD', 'CREATE_LEAD']) {
  const { id } = await workspace.employee({ grant: { permissions } })
  return { id, cookie: await workspace.session(id) }
}

async function client(name: string): Promise<string> {
  const id = newId()
  await db.insert(schema.oauthClients).values({ workspaceId, id, name, redirectUris: ['https://client.example/cb'] })
  return id
}

/** Creates a consent with an access token, as the tool server stores it. */
async function connect(
  clientId: string,
  employeeId: string,
  scopes = ['VIEW_LEAD'],
  createdAt = '2026-06-01T08:00:00Z',
): Promise<string> {
  const grantId = newId()
  const token = newSecret(accessTokenPrefix)
  await db.insert(schema.oauthGrants).values({ workspaceId, id: grantId, clientId, employeeId, scopes, createdAt })
  await db.insert(schema.oauthTokens).values({
    workspaceId,
    id: newId(),
    grantId,
    kind: 'access',
    tokenHash: digest(token),
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  })
  return token
}

const scopesOf = (token: string) => call({ path: '/api/me/scopes', key: token })

describe('the list', () => {
  it('shows one’s own, newest first, with what several consents to one client give together', async () => {
    const me = await person()
    const other = await person()
    const [chat, editor] = [await client('Chat'), await client('Editor')]
    await connect(chat, me.id, ['VIEW_LEAD'], '2026-06-01T08:00:00Z')
    await connect(chat, me.id, ['CREATE_LEAD'], '2026-06-03T08:00:00Z')
    await connect(editor, me.id, ['VIEW_LEAD'], '2026-06-02T08:00:00Z')
    await connect(chat, other.id)
    const { body } = await call({ path, cookie: me.cookie })
    expect(body).toMatchObject({ total: 2, page: 1, pageCount: 1 })
    expect(body.items).toMatchObject([
      {
        clientId: editor,
        name: 'Editor',
        scopes: ['VIEW_LEAD'],
        employeeId: me.id,
        employeeName: expect.any(String),
        connectedAt: '2026-06-02T08:00:00.000Z',
        lastUsedAt: null,
      },
      {
        clientId: chat,
        name: 'Chat',
        scopes: ['CREATE_LEAD', 'VIEW_LEAD'],
        employeeId: me.id,
        employeeName: expect.any(String),
        connectedAt: '2026-06-01T08:00:00.000Z',
        lastUsedAt: null,
      },
    ])
    expect((await call({ path: `${path}?page=9`, cookie: me.cookie })).body).toMatchObject({ total: 2, items: [] })
  })

  it('shows everybody’s to who manages keys, and one person’s when asked', async () => {
    const me = await person()
    const manager = await person(['MANAGE_API_KEYS', 'VIEW_LEAD', 'CREATE_LEAD'])
    const chat = await client('Chat')
    await connect(chat, me.id)
    expect(
      (await call({ path, cookie: manager.cookie })).body.items.map((item: { employeeId: string }) => item.employeeId),
    ).toContain(me.id)
    expect((await call({ path: `${path}?employeeId=${me.id}`, cookie: manager.cookie })).body).toMatchObject({
      total: 1,
      items: [{ clientId: chat }],
    })
    expect(await call({ path: `${path}?employeeId=${manager.id}`, cookie: me.cookie })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission: 'MANAGE_API_KEYS' },
    })
  })

  it('leaves out a consent that nobody ever used, and takes a session only', async () => {
    const me = await person()
    await db
      .insert(schema.oauthGrants)
      .values({ workspaceId, clientId: await client('Chat'), employeeId: me.id, scopes: ['VIEW_LEAD'] })
    expect((await call({ path, cookie: me.cookie })).body.total).toBe(0)
    expect((await call({ path, key: await connect(await client('Chat'), me.id) })).status).toBe(403)
  })
})

describe('ending', () => {
  it('ends one’s own with every token, at once, and writes it down', async () => {
    const me = await person()
    const other = await person()
    const chat = await client('Chat')
    const [mine, also, theirs] = [await connect(chat, me.id), await connect(chat, me.id), await connect(chat, other.id)]
    expect((await scopesOf(mine)).body).toMatchObject({ class: 'oauth-token', effective: ['VIEW_LEAD'] })
    expect(await call({ method: 'DELETE', path: `${path}/${chat}`, cookie: me.cookie })).toMatchObject({
      status: 200,
      body: { success: true, data: { id: chat } },
    })
    expect([(await scopesOf(mine)).status, (await scopesOf(also)).status, (await scopesOf(theirs)).status]).toEqual([
      401, 401, 200,
    ])
    const [line] = await db.select().from(schema.auditLog).where(eq(schema.auditLog.subjectId, chat))
    expect(line).toMatchObject({ action: 'connection.ended', actorId: me.id })
    expect((await call({ method: 'DELETE', path: `${path}/${chat}`, cookie: me.cookie })).status).toBe(404)
  })

  it('of another person’s takes MANAGE_API_KEYS, and to reach what that person reaches', async () => {
    const me = await person()
    const manager = await person(['MANAGE_API_KEYS', 'VIEW_LEAD', 'CREATE_LEAD'])
    const chat = await client('Chat')
    const token = await connect(chat, me.id)
    const address = `${path}/${chat}?employeeId=${me.id}`
    expect((await call({ method: 'DELETE', path: address, cookie: (await person()).cookie })).status).toBe(403)
    expect((await call({ method: 'DELETE', path: `${path}/${chat}`, cookie: manager.cookie })).status).toBe(404)
    expect((await scopesOf(token)).status).toBe(200)
    expect((await call({ method: 'DELETE', path: address, cookie: manager.cookie })).status).toBe(200)
    expect((await scopesOf(token)).status).toBe(401)
  })
})
