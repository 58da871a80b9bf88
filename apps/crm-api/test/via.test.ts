import { newId, schema } from '@crm/db'
import { accessTokenPrefix, digest, newSecret } from '@crm/identity'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createLead } from './samples.ts'

const api = await apiUnderTest()
const { call, workspace, db } = api
const cookie = await workspace.session()

const made = async (name: string) => {
  const body = { name, scopes: ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD'] }
  return (await call({ method: 'POST', path: '/api/settings/api-keys', cookie, body })).body.data as {
    id: string
    key: string
  }
}

/** A connection of the administrator with a client, as the tool server stores it. */
async function connected(name: string): Promise<{ readonly clientId: string; readonly key: string }> {
  const { workspaceId, adminUserId: employeeId } = workspace
  const [clientId, grantId, key] = [newId(), newId(), newSecret(accessTokenPrefix)]
  await db.insert(schema.oauthClients).values({ workspaceId, id: clientId, name, redirectUris: [] })
  const scopes = ['VIEW_LEAD', 'UPDATE_LEAD']
  await db.insert(schema.oauthGrants).values({ workspaceId, id: grantId, clientId, employeeId, scopes })
  const expiresAt = new Date(api.clock.now().getTime() + 3_600_000).toISOString()
  const token = { workspaceId, id: newId(), grantId, kind: 'access' as const, tokenHash: digest(key), expiresAt }
  await db.insert(schema.oauthTokens).values(token)
  return { clientId, key }
}

describe('the way by which somebody did something', () => {
  it('tells two keys, a client and a session of one person apart, and still does when the key is gone', async () => {
    const [website, sync, chat] = [await made('Website'), await made('Sync'), await connected('Chat')]
    const id = await createLead(api, { lastName: 'First' })
    const colleague = await workspace.employee({ roles: ['Administrator'] })
    const theirs = await workspace.session(colleague.id)
    await call({ method: 'PUT', path: `/api/me/follows/LEAD/${id}`, cookie: theirs })
    for (const [n, { key }] of [website, sync, chat].entries())
      expect(
        (await call({ method: 'PATCH', path: `/api/leads/${id}`, key, body: { lastName: `By ${n}` } })).status,
      ).toBe(200)
    await call({ method: 'PATCH', path: `/api/leads/${id}`, cookie, body: { lastName: 'By hand' } })
    await call({ method: 'DELETE', path: `/api/settings/api-keys/${website.id}`, cookie })

    const read = async (path: string, as = cookie) =>
      ((await call({ path, cookie: as })).body.items as { via: unknown; actor?: { id: string } }[]).map(
        ({ via }) => via,
      )
    const place = `/api/crm/timeline?entityType=LEAD&entityId=${id}`
    const ways = [
      { type: 'SESSION', id: null, name: null },
      { type: 'OAUTH_CLIENT', id: chat.clientId, name: 'Chat' },
      { type: 'API_KEY', id: sync.id, name: 'Sync' },
      { type: 'API_KEY', id: website.id, name: 'Website' },
    ]
    expect((await read(place)).slice(0, 4)).toEqual(ways)
    expect((await read(`/api/feed?leadId=${id}`)).slice(0, 4)).toEqual(ways)
    for (const [n, { id: viaId }] of ways.entries())
      if (viaId !== null) {
        expect(await read(`${place}&viaId=${viaId}`)).toEqual([ways[n]])
        expect(await read(`/api/feed?viaId=${viaId}`)).toEqual([ways[n]])
      }
    const told = (await call({ path: '/api/settings/notifications', cookie: theirs })).body.items
    expect(told).toEqual([expect.objectContaining({ kind: 'followed', via: ways[3] })])
    expect(await read(`/api/settings/notifications?viaId=${website.id}`, theirs)).toEqual([ways[3]])
    expect(await read(`/api/settings/notifications?viaId=${sync.id}`, theirs)).toEqual([])
  })

  it('stands in the audit log, sealed with the entry', async () => {
    const { id, key } = await made('Auditor')
    const admin = await workspace.apiKey()
    const department = await call({ method: 'POST', path: '/api/departments', key: admin.key, body: { name: 'North' } })
    expect(department.status).toBe(201)
    expect((await call({ path: '/api/leads', key })).status).toBe(200)
    const { items } = (await call({ path: `/api/settings/audit-log?subjectId=${id}`, cookie })).body
    expect(items).toEqual([
      expect.objectContaining({ action: 'api-key.created', via: { type: 'SESSION', id: null, name: null } }),
    ])
    const byKey = (await call({ path: `/api/settings/audit-log?viaId=${admin.id}`, cookie })).body.items
    expect(byKey).toEqual([
      expect.objectContaining({ via: { type: 'API_KEY', id: admin.id, name: expect.any(String) } }),
    ])
  })
})
