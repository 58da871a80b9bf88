import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { permissionNames, type AccessLevel } from '@crm/permissions'
import { plainSamples } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { recordKinds } from '../src/kinds/kinds.ts'
import { apiUnderTest, type Call } from './harness.ts'
import { pathOf, requiredQueries, unknownId } from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

const api = await apiUnderTest()
const { call, workspace } = api
const department = await workspace.department('Aside')

/** The records of the administrator, who is in no department, are beyond each of these levels. */
const levels = ['OWN', 'DEPARTMENT', 'DEPARTMENT_TREE'] as const satisfies readonly AccessLevel[]

/** The parts of records, and the records themselves, by the resource of their operations. */
const ofRecords = [
  'leads',
  'contacts',
  'companies',
  'deals',
  'activities',
  'tasks',
  'tasks.checklist',
  'tasks.comments',
  'projects',
  ...plainSamples.map(({ resource }) => resource),
  'products',
  'products.images',
  'priceLists',
  'priceListEntries',
  'priceListEntryTiers',
  'quotes',
  'orders',
  'invoices',
  'documents',
  'documentRecords',
  'files',
  'crm.comments',
  'search',
]
const operations = declaredOperations(publicContract).filter(
  ({ resource, operation }) => ofRecords.includes(resource.name) && operation.path.includes('{'),
)
const named = operations.map((one): [string, DeclaredOperation] => [`${one.title} (${one.id})`, one])

const everyKind = [...Object.keys(recordKinds), 'FILE']
const callers = await Promise.all(
  levels.flatMap((level) =>
    ['key', 'session'].map(async (credential) => {
      const access = everyKind.map((entityType) => ({ entityType, VIEW: level, UPDATE: level, DELETE: level }))
      const { id } = await workspace.employee({
        departmentId: department,
        grant: { permissions: [...permissionNames], access },
      })
      const as: Partial<Call> =
        credential === 'key'
          ? { key: (await workspace.apiKey({ ownerId: id })).key }
          : { cookie: await workspace.session(id) }
      return { name: `${level} by ${credential}`, as }
    }),
  ),
)

describe.each(named)('%s', (_title, one) => {
  it('answers for what is out of sight as for what was never there, whatever the level and the credential', async () => {
    const target = await targetOf(api, one)
    const nothing = Object.fromEntries(
      Object.entries(target).map(([name, value]) => [
        name,
        value.startsWith('lead:') ? `lead:${unknownId}` : unknownId,
      ]),
    )
    const body = one.operation.body ? await bodyOf(api, one.id) : undefined
    const query = requiredQueries[one.id] ? `?${requiredQueries[one.id]}` : ''
    const request = (path: string): Call => ({ method: one.operation.method, path: `${path}${query}`, body })
    const answers: Record<string, unknown> = {}
    for (const { name, as } of callers) {
      const unseen = await call({ ...request(pathOf(one, target)), ...as })
      const absent = await call({ ...request(pathOf(one, nothing)), ...as })
      answers[name] = {
        status: unseen.status,
        code: unseen.body?.code,
        isSame: JSON.stringify(unseen.body) === JSON.stringify(absent.body),
      }
    }
    expect(answers).toEqual(
      Object.fromEntries(callers.map(({ name }) => [name, { status: 404, code: 'NOT_FOUND', isSame: true }])),
    )
  })
})

const changing = operations
  .filter(({ key }) => key === 'update' || key === 'delete')
  .filter(
    ({ resource: { name } }) =>
      ![
        'crm.comments',
        'tasks.checklist',
        'products.images',
        'documentRecords',
        'priceListEntries',
        'priceListEntryTiers',
      ].includes(name),
  )

describe.each(changing.map((one): [string, DeclaredOperation] => [`${one.title} (${one.id})`, one]))(
  '%s',
  (_title, one) => {
    const seer = async (level: AccessLevel): Promise<Partial<Call>> => {
      const access = everyKind.map((entityType) => ({ entityType, VIEW: 'ALL' as const, UPDATE: level, DELETE: level }))
      const { id } = await workspace.employee({
        departmentId: department,
        grant: { permissions: [...permissionNames], access },
      })
      return { key: (await workspace.apiKey({ ownerId: id })).key }
    }

    it('leaves alone what its caller sees but may not change', async () => {
      const target = await targetOf(api, one)
      const request: Call = {
        method: one.operation.method,
        path: pathOf(one, target),
        body: one.operation.body ? await bodyOf(api, one.id) : undefined,
      }
      const before = await call({ path: request.path, key: api.key })
      expect(await call({ ...request, ...(await seer('OWN')) })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
      expect(await call({ ...request, ...(await seer('NONE')) })).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: expect.stringMatching(/^(UPDATE|DELETE)_/) },
      })
      expect((await call({ path: request.path, key: api.key })).body).toEqual(before.body)
    })
  },
)
