import { expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const moving = movingInto(api, jobs)
const workspace = await api.newWorkspace()
const admin = await workspace.session()
const content = 'Vorname,Nachname,Eigenes\nAda,Byron,"VALUE"\n'

it.each([
  ['TEXT', 'tall', 'tall'],
  ['NUMBER', '38.5', 38.5],
  ['CURRENCY', '12,500.50', '12500.50'],
  ['PERCENTAGE', '12 %', 12],
  ['RATING', '4', 4],
  ['DATE', '2026-03-29', '2026-03-29'],
  ['SELECT', 'Gold', 'Gold'],
  ['MULTI_SELECT', 'Gold; Silver', ['Gold', 'Silver']],
  ['BOOLEAN', 'yes', true],
  ['DATETIME', '2026-03-29 10:00', '2026-03-29T10:00:00.000Z'],
] as const)('a column becomes a new field of the type %s', async (type, text, value) => {
  const key = `own${type.charAt(0)}${type.slice(1).toLowerCase().replace('_', '')}`
  const [file, brought] = await moving
    .bring(workspace, [{ name: 'people.csv', content: content.replace('VALUE', text) }])
    .then((made) => [made.plan.files[0].id, made] as const)
  const plan = {
    customFields: [{ kind: 'CONTACT', key, label: 'Own', type }],
    files: [{ id: file, columns: [{ at: 2, field: `cf_${key}` }] }],
    onDuplicate: 'CREATE',
  }
  expect((await moving.change(workspace, brought.id, plan)).status).toBe(200)
  const tried = await moving.go(workspace, brought.id, 'check')
  expect(tried.result).toMatchObject({ created: 1, failed: 0 })
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result, JSON.stringify(done.result)).toMatchObject({ created: 1, failed: 0 })
  const { body } = await api.call({ path: '/api/contacts?sortBy=createdAt&sortOrder=desc', cookie: admin }, workspace)
  expect(body.items[0].customFields).toEqual({ [key]: value })
})

it('a key that no field may have is refused', async () => {
  const brought = await moving.bring(workspace, [{ name: 'people.csv', content }])
  for (const key of ['own_key', 'validTo', '1st']) {
    const plan = { customFields: [{ kind: 'CONTACT', key, label: 'Own', type: 'TEXT' }] }
    expect((await moving.change(workspace, brought.id, plan)).status).toBe(400)
  }
  const unknown = { customFields: [{ kind: 'CONTACT', key: 'own', label: 'Own', type: 'PICTURE' }] }
  expect((await moving.change(workspace, brought.id, unknown)).status).toBe(400)
})
