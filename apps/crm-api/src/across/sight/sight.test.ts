import { sightMax } from '@crm/contract'
import { newId } from '@crm/db'
import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createLead } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, workspace } = api

async function person(view: 'NONE' | 'OWN' | 'ALL') {
  const access = [{ entityType: 'LEAD', VIEW: view, UPDATE: view, DELETE: view }] as const
  return workspace.employee({ grant: { permissions: ['VIEW_LEAD'], access } })
}

async function asking(employeeId: string) {
  const cookie = await workspace.session(employeeId)
  return (leadId: string, ids: readonly string[], entityType = 'LEAD') =>
    call({ path: `/api/me/sight/${entityType}/${leadId}?employeeIds=${ids.join()}`, cookie })
}

it('tells who does not see a record: by level, by ownership, and who is gone or unknown', async () => {
  const [asker, colleague] = [await person('ALL'), await person('ALL')]
  const [owner, stranger, none] = [await person('OWN'), await person('OWN'), await person('NONE')]
  const ask = await asking(asker.id)
  const lead = await createLead(api, { ownerId: owner.id })
  const unknown = newId()
  const hiddenFrom = async (...ids: readonly string[]) => (await ask(lead, ids)).body.data.hiddenFrom
  expect(await hiddenFrom(asker.id, colleague.id, owner.id)).toEqual([])
  expect(await hiddenFrom(colleague.id, stranger.id, none.id, unknown, stranger.id)).toEqual([
    stranger.id,
    none.id,
    unknown,
  ])
  await call({
    method: 'PATCH',
    path: `/api/settings/users/${colleague.id}`,
    cookie: await workspace.session(),
    body: { status: 'SUSPENDED' },
  })
  expect(await hiddenFrom(colleague.id)).toEqual([colleague.id])
})

it('says nothing about records out of sight, and asks about few people at once', async () => {
  const [asker, colleague] = await Promise.all([person('OWN'), person('ALL')])
  const ask = await asking(asker.id)
  const lead = await createLead(api)
  for (const [id, entityType] of [
    [lead, 'LEAD'],
    [newId(), 'LEAD'],
    [lead, 'DEAL'],
    [lead, 'NO_SUCH_KIND'],
  ] as const)
    expect(await ask(id, [colleague.id], entityType)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  const many = Array.from({ length: sightMax + 1 }, () => newId())
  for (const ids of [many, ['somebody']]) expect((await ask(lead, ids)).status).toBe(400)
  expect(await call({ path: `/api/me/sight/LEAD/${lead}?employeeIds=${colleague.id}` })).toMatchObject({ status: 401 })
})

it('tells who may see no record of a kind, whoever has it', async () => {
  const [asker, own, none] = [await person('ALL'), await person('OWN'), await person('NONE')]
  const cookie = await workspace.session(asker.id)
  const ask = (entityType: string) =>
    call({ path: `/api/me/sight/${entityType}?employeeIds=${[own.id, none.id, newId()].join()}`, cookie })
  expect((await ask('LEAD')).body.data.hiddenFrom).toHaveLength(2)
  expect((await ask('LEAD')).body.data.hiddenFrom).not.toContain(own.id)
  expect((await ask('DEAL')).body.data.hiddenFrom).toHaveLength(3)
  expect((await ask('NO_SUCH_KIND')).body.code).toBe('ACCESS_DENIED')
  const unknown = await call({ path: '/api/me/sight/NO_SUCH_KIND', cookie: await workspace.session() })
  expect(unknown.body.code).toBe('NOT_FOUND')
})

it('tells whose records the caller would not see, by how far they see', async () => {
  const [north, south] = [await workspace.department('North'), await workspace.department('South')]
  const [mate, other] = [
    await workspace.employee({ departmentId: north }),
    await workspace.employee({ departmentId: south }),
  ]
  const seen = async (view: 'OWN' | 'DEPARTMENT' | 'ALL') => {
    const access = [{ entityType: 'LEAD', VIEW: view, UPDATE: view, DELETE: view }] as const
    const { id } = await workspace.employee({ departmentId: north, grant: { permissions: ['VIEW_LEAD'], access } })
    const path = `/api/me/sight/LEAD?employeeIds=${[id, mate.id, other.id].join()}`
    return (await call({ path, cookie: await workspace.session(id) })).body.data.outOfSight
  }
  expect((await seen('OWN')).toSorted()).toEqual([mate.id, other.id].toSorted())
  expect(await seen('DEPARTMENT')).toEqual([other.id])
  expect(await seen('ALL')).toEqual([])
})
