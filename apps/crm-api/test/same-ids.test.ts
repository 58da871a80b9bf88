import { newId, readRights, schema } from '@crm/db'
import { expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

const api = await apiUnderTest()
const { db } = api

/** Two workspaces in which the same ids name a person and their role: there they are an administrator with a picture, here they are not. */
async function twins() {
  const [here, there] = [await api.newWorkspace(), await api.newWorkspace()]
  const [id, roleId] = [newId(), newId()]
  const everything = await readRights(db, there.workspaceId)
  const complete = everything.roles.find((role) => role.id === there.roleIds['Administrator'])!
  for (const [{ workspaceId, host }, permissions] of [
    [here, ['VIEW_LEAD']],
    [there, complete.permissions],
  ] as const) {
    const access = permissions.length === 1 ? [] : complete.access
    await db
      .insert(schema.roles)
      .values({ workspaceId, id: roleId, name: 'Twin', permissions: [...permissions], access: [...access] })
    await db
      .insert(schema.employees)
      .values({ workspaceId, id, email: `twin@${host}`, firstName: 'Toni', lastName: 'Twin' })
  }
  await db.insert(schema.employeeRoles).values([
    { workspaceId: here.workspaceId, employeeId: id, roleId: here.roleIds['Member']! },
    { workspaceId: there.workspaceId, employeeId: id, roleId },
    { workspaceId: there.workspaceId, employeeId: id, roleId: there.roleIds['Administrator']! },
  ])
  const bytes = Buffer.from('picture')
  await db.insert(schema.employeePictures).values({
    workspaceId: there.workspaceId,
    employeeId: id,
    version: newId(),
    mediaType: 'image/png',
    size: bytes.length,
    bytes,
  })
  return { here, there, id, roleId }
}

it('two workspaces that share the id of a person never mix their roles', async () => {
  const { here, there, id, roleId } = await twins()
  const rolesOf = async (workspaceId: string) =>
    (await readRights(db, workspaceId)).people.find((person) => person.id === id)?.roleIds
  expect(await rolesOf(here.workspaceId)).toEqual([here.roleIds['Member']])
  expect(await rolesOf(there.workspaceId)).toEqual([roleId, there.roleIds['Administrator']!].toSorted())
  const cookie = await here.session()
  const call = async (path: string) => (await api.call({ path: `/api/settings/${path}`, cookie }, here)).body
  expect((await call(`users/${id}`)).data.roleIds).toEqual([here.roleIds['Member']])
  expect((await call(`roles/${roleId}`)).data.userCount).toBe(0)
  const remove = { method: 'DELETE', path: `/api/settings/roles/${roleId}`, cookie } as const
  expect((await api.call(remove, here)).status).toBe(200)
})

it('two workspaces that share the id of a person never mix their pictures', async () => {
  const { here, there, id } = await twins()
  const pictures = async (workspace: typeof here) => {
    const cookie = await workspace.session(id)
    const { items } = (
      await api.call({ path: `/api/employees/directory?ids=${id}`, key: (await workspace.apiKey()).key }, workspace)
    ).body
    const me = (await api.call({ path: '/api/me', cookie }, workspace)).body
    return [items.find((person: { id: string }) => person.id === id).pictureUrl, me.pictureUrl] as (string | null)[]
  }
  expect(await pictures(here)).toEqual([null, null])
  const [one, other] = await pictures(there)
  expect(one).toContain(`/api/employees/${id}/picture/`)
  expect(other).toBe(one)
})

it('the last administrator is not saved by one of another workspace with the same id', async () => {
  const { here, id } = await twins()
  const cookie = await here.session()
  const body = { roleIds: [here.roleIds['Member']] }
  const path = `/api/settings/users/${here.adminUserId}`
  expect(await api.call({ method: 'PATCH', path, cookie, body }, here)).toMatchObject({
    status: 409,
    body: { code: 'LAST_ADMINISTRATOR' },
  })
  expect((await readRights(db, here.workspaceId)).people.map((person) => person.id)).toContain(id)
})
