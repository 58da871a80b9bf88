import { expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

const { call, newWorkspace } = await apiUnderTest()

/** Every resource with bulk operations, and the function that creates one of its records. */
const resources = [
  ['leads', { companyName: 'ACME' }],
  ['contacts', { lastName: 'Doe' }],
  ['companies', { name: 'ACME' }],
  ['deals', { name: 'Deal' }],
  ['tasks', { title: 'Task' }],
  ['products', { name: 'Box' }],
] as const

const emptySelectors = [
  {},
  { filter: {} },
  { filter: { search: '' } },
  { filter: { search: ' ' } },
  { filter: { search: '\u200b\u00a0' } },
  { filter: { sortBy: 'createdAt' } },
  { filter: { search: '', page: '1' } },
  { filter: { search: '' }, expectedCount: 2 },
  { all: true },
  { all: false, expectedCount: 2 },
  { all: true, filter: { search: 'x' }, expectedCount: 2 },
]

it.each(resources)(
  '%s: an empty selector means nothing, and all of them only by name and number',
  async (name, body) => {
    const own = await newWorkspace()
    const { key: ownKey } = await own.apiKey()
    const path = `/api/${name}`
    for (const _ of [1, 2]) expect((await call({ method: 'POST', path, key: ownKey, body }, own)).status).toBe(201)
    for (const selector of emptySelectors) {
      for (const change of [
        { method: 'PATCH', body: { ...selector, addTags: ['x'] } },
        { method: 'DELETE', body: selector },
      ] as const) {
        const answer = await call({ ...change, path, key: ownKey }, own)
        expect(
          [answer.status, answer.body.code],
          `${change.method} ${JSON.stringify(selector)}: ${JSON.stringify(answer.body)}`,
        ).toEqual([400, 'VALIDATION_ERROR'])
      }
    }
    expect(
      await call({ method: 'PATCH', path, key: ownKey, body: { all: true, expectedCount: 3, addTags: ['x'] } }, own),
    ).toMatchObject({ status: 409, body: { code: 'COUNT_MISMATCH', details: { expected: 3, matched: 2 } } })
    expect(
      await call({ method: 'PATCH', path, key: ownKey, body: { all: true, expectedCount: 2, addTags: ['x'] } }, own),
    ).toMatchObject({ status: 200, body: { data: { matched: 2, updated: 2 } } })
    expect(
      await call({ method: 'DELETE', path, key: ownKey, body: { all: true, expectedCount: 2 } }, own),
    ).toMatchObject({ status: 200, body: { data: { deleted: 2 } } })
  },
)

it.each([
  ['PATCH', { addTags: ['x'] }, 'updated'],
  ['DELETE', {}, 'deleted'],
] as const)('%s takes the number of the list, and changes those within reach', async (method, change, done) => {
  const own = await newWorkspace()
  const { key: adminKey } = await own.apiKey()
  const { id } = await own.employee({
    grant: {
      permissions: ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'],
      access: [{ entityType: 'LEAD', VIEW: 'ALL', UPDATE: 'OWN', DELETE: 'OWN' }],
    },
  })
  const { key } = await own.apiKey({ ownerId: id })
  for (const ownerId of [id, id, own.adminUserId]) {
    const body = { companyName: 'ACME', ownerId }
    expect((await call({ method: 'POST', path: '/api/leads', key: adminKey, body }, own)).status).toBe(201)
  }
  const send = (expectedCount: number, dryRun: boolean) =>
    call({ method, path: '/api/leads', key, body: { all: true, expectedCount, dryRun, ...change } }, own)
  for (const shown of [1, 4]) expect((await send(shown, true)).body.code).toBe('COUNT_MISMATCH')
  for (const shown of [2, 3])
    expect(await send(shown, true)).toMatchObject({ status: 200, body: { data: { matched: 2, [done]: 2 } } })
  expect(await send(3, false)).toMatchObject({ status: 200, body: { data: { matched: 2, [done]: 2 } } })
})
