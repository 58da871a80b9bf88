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
