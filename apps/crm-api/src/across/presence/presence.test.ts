import { presenceKeptMs } from '@crm/contract'
import { newId } from '@crm/db'
import { expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { createLead } from '../../../test/samples.ts'

const api = await ownApi()
const { call, workspace, clock } = api

async function person(view: 'OWN' | 'ALL' = 'ALL') {
  const access = [{ entityType: 'LEAD', VIEW: view, UPDATE: view, DELETE: view }] as const
  const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'], access } })
  const cookie = await workspace.session(id)
  const ask = (method: 'PUT' | 'DELETE', recordId: string) =>
    call({ method, path: `/api/me/presence/LEAD/${recordId}`, cookie })
  const look = async (recordId: string): Promise<readonly string[]> =>
    (await ask('PUT', recordId)).body.data.others.map((other: { id: string }) => other.id)
  return { id, ask, look }
}

it('shows who else looks at a record, until they leave or are silent', async () => {
  const [one, other, third] = [await person(), await person(), await person()]
  const [lead, another] = [await createLead(api), await createLead(api)]
  expect(await one.look(lead)).toEqual([])
  expect(await other.look(lead)).toEqual([one.id])
  expect(await one.look(lead)).toEqual([other.id])
  expect(await third.look(another)).toEqual([])
  expect(await other.ask('DELETE', lead)).toMatchObject({ status: 200, body: { data: { left: true } } })
  expect(await one.look(lead)).toEqual([])
  await other.look(lead)
  clock.advance(presenceKeptMs - 1_000)
  expect(await third.look(lead)).toContain(one.id)
  clock.advance(2_000)
  expect(await one.look(lead)).toEqual([third.id])
})

it('names the others, and nobody who was suspended meanwhile', async () => {
  const [one, other] = [await person(), await person()]
  const lead = await createLead(api)
  await other.look(lead)
  expect((await one.ask('PUT', lead)).body.data.others).toEqual([
    { id: other.id, name: expect.stringMatching(/\S/) as string },
  ])
  const suspended = await call({
    method: 'PATCH',
    path: `/api/settings/users/${other.id}`,
    cookie: await workspace.session(),
    body: { status: 'SUSPENDED' },
  })
  expect(suspended.status, JSON.stringify(suspended.body)).toBe(200)
  expect(await one.look(lead)).toEqual([])
})

it('is refused for records out of sight and without a session', async () => {
  const lead = await createLead(api)
  const stranger = await person('OWN')
  for (const id of [lead, newId()])
    expect(await stranger.ask('PUT', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await call({ method: 'PUT', path: `/api/me/presence/LEAD/${lead}` })).toMatchObject({ status: 401 })
  // Whoever asked in vain is not shown either.
  expect(await (await person()).look(lead)).toEqual([])
})
