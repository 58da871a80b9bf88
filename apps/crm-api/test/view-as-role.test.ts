import { newId } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

const api = await apiUnderTest()
const { call } = api

describe('a page that is viewed as a role', () => {
  const own = api.newWorkspace()
  const ask = async (path: string, headers: Record<string, string>, credential: { key?: string; cookie?: string }) =>
    call({ path, headers, ...credential }, await own)

  it('has no more rights than that role, and none that its viewer lacks', async () => {
    const there = await own
    const admin = await there.session()
    const grant = {
      permissions: ['VIEW_LEAD', 'UPDATE_LEAD', 'EXPORT_DATA'],
      access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
    } as const
    const role = { name: 'Scout', permissions: [...grant.permissions], access: [...grant.access] }
    const made = await call({ method: 'POST', path: '/api/settings/roles', cookie: admin, body: role }, there)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const headers = { 'x-view-as-role': made.body.data.id as string }
    const { key: adminKey } = await there.apiKey()
    const other = await there.employee({ roles: ['Member'] })
    for (const ownerId of [there.adminUserId, other.id])
      await call({ method: 'POST', path: '/api/leads', key: adminKey, body: { lastName: 'Seen', ownerId } }, there)
    expect((await ask('/api/me/scopes', headers, { cookie: admin })).body.effective).toEqual(grant.permissions)
    expect((await ask('/api/leads', headers, { cookie: admin })).body.total).toBe(1)
    expect((await ask('/api/leads', {}, { cookie: admin })).body.total).toBe(2)
    expect(await ask('/api/deals', headers, { cookie: admin })).toMatchObject({ status: 403 })
    expect(await ask('/api/settings/roles', headers, { cookie: admin })).toMatchObject({ status: 403 })

    const narrow = await there.employee({
      grant: {
        permissions: ['MANAGE_ROLES', 'VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'NONE', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const theirs = await there.session(narrow.id)
    expect((await ask('/api/me/scopes', headers, { cookie: theirs })).body.effective).toEqual(['VIEW_LEAD'])
    expect(await ask('/api/leads', headers, { cookie: theirs })).toMatchObject({ body: { code: 'ACCESS_LEVEL_NONE' } })
  })

  it('is refused to keys, to who manages no roles, and for a role that is not there', async () => {
    const there = await own
    const [{ id: roleId }] = (await call({ path: '/api/settings/roles', cookie: await there.session() }, there)).body
      .items
    const member = await there.employee({ roles: ['Member'] })
    const refused = { status: 403, body: { code: 'ACCESS_DENIED' } }
    const headers = { 'x-view-as-role': roleId as string }
    expect(await ask('/api/leads', headers, { key: (await there.apiKey()).key })).toMatchObject(refused)
    expect(await ask('/api/leads', headers, { cookie: await there.session(member.id) })).toMatchObject(refused)
    for (const unknown of [newId(), 'Manager', ''])
      expect(await ask('/api/leads', { 'x-view-as-role': unknown }, { cookie: await there.session() })).toMatchObject(
        refused,
      )
  })
})
