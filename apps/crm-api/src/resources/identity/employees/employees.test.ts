import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const { employees } = schema

const sales = await workspace.department('Sales')
const field = await workspace.department('Field sales', sales)
const support = await workspace.department('Support')

interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly departmentId?: string
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
}

async function hire({ firstName, lastName, departmentId, status }: Person): Promise<string> {
  const { id } = await workspace.employee({ departmentId, status })
  await api.db.update(employees).set({ firstName, lastName }).where(eq(employees.id, id))
  return id
}

let grace: string
let jose: string
let mary: string
let former: string

beforeAll(async () => {
  grace = await hire({ firstName: 'Grace', lastName: 'Hopper', departmentId: sales })
  jose = await hire({ firstName: 'José', lastName: 'Ortega', departmentId: field })
  mary = await hire({ firstName: 'Mary', lastName: 'Somerville', departmentId: support, status: 'SUSPENDED' })
  former = await hire({ firstName: 'Ada', lastName: 'Former', departmentId: support, status: 'TERMINATED' })
  await api.db.update(employees).set({ managerId: grace }).where(eq(employees.id, jose))
})

const inOrder = (ids: string[]): string[] => ids.toSorted((a, b) => a.localeCompare(b))
const idsOf = ({ body }: { body: { items: { id: string }[] } }): string[] => inOrder(body.items.map(({ id }) => id))

/** Creates a key of a person in Sales whose role has this level for employees. */
async function keyWith(level: 'OWN' | 'DEPARTMENT' | 'DEPARTMENT_TREE' | 'NONE'): Promise<{ id: string; key: string }> {
  const access = [{ entityType: 'EMPLOYEE', VIEW: level, UPDATE: 'NONE', DELETE: 'NONE' } as const]
  const { id } = await workspace.employee({ departmentId: sales, grant: { permissions: ['VIEW_EMPLOYEE'], access } })
  return { id, key: (await workspace.apiKey({ ownerId: id })).key }
}

describe('the list of employees', () => {
  it('shows people without their secrets, newest first, and filters them', async () => {
    const { body } = await call({ path: `/api/employees?search=hopper`, key })
    expect(body).toMatchObject({
      total: 1,
      page: 1,
      pageCount: 1,
      items: [
        {
          id: grace,
          name: 'Grace Hopper',
          departmentId: sales,
          status: 'ACTIVE',
          roleIds: [workspace.roleIds['Member']],
        },
      ],
    })
    expect(Object.keys(body.items[0])).not.toContain('passwordHash')
    expect(idsOf(await call({ path: `/api/employees?departmentId=${field}`, key }))).toEqual([jose])
    expect(idsOf(await call({ path: `/api/employees?managerId=${grace}`, key }))).toEqual([jose])
    expect(idsOf(await call({ path: '/api/employees?status=TERMINATED', key }))).toEqual([former])
    expect((await call({ path: '/api/employees?departmentId=nonsense', key })).body.code).toBe('INVALID_ID')
    const dates = (await call({ path: '/api/employees', key })).body.items.map(
      ({ createdAt }: { createdAt: string }) => createdAt,
    )
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  it('cuts a page size over the maximum without a word', async () => {
    expect((await call({ path: '/api/employees?pageSize=1000', key })).body).toMatchObject({ pageSize: 100 })
  })

  it('reads one, and 404 for somebody who is not there', async () => {
    expect((await call({ path: `/api/employees/${jose}`, key })).body.data).toMatchObject({
      name: 'José Ortega',
      managerId: grace,
    })
    expect((await call({ path: `/api/employees/${unknownId}`, key })).status).toBe(404)
  })
})

describe('a level of access to employees', () => {
  it.each(['OWN', 'DEPARTMENT', 'DEPARTMENT_TREE'] as const)(
    '%s holds for the list, its total, the directory and reading',
    async (level) => {
      const reader = await keyWith(level)
      const inSales = idsOf(await call({ path: `/api/employees?departmentId=${sales}`, key }))
      const seen = inOrder({ OWN: [reader.id], DEPARTMENT: inSales, DEPARTMENT_TREE: [...inSales, jose] }[level])
      const list = await call({ path: '/api/employees', key: reader.key })
      expect({ ids: idsOf(list), total: list.body.total }).toEqual({ ids: seen, total: seen.length })
      const directory = await call({ path: '/api/employees/directory', key: reader.key })
      expect({ ids: idsOf(directory), returned: directory.body.returned }).toEqual({ ids: seen, returned: seen.length })
      expect(idsOf(await call({ path: `/api/employees/directory?ids=${mary},${reader.id}`, key: reader.key }))).toEqual(
        [reader.id],
      )
      for (const id of [grace, jose, mary])
        expect((await call({ path: `/api/employees/${id}`, key: reader.key })).status).toBe(
          seen.includes(id) ? 200 : 404,
        )
    },
  )

  it('NONE is 403 ACCESS_LEVEL_NONE', async () => {
    const reader = await keyWith('NONE')
    for (const path of ['/api/employees', '/api/employees/directory']) {
      expect(await call({ path, key: reader.key })).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'VIEW_EMPLOYEE' },
      })
    }
  })
})

describe('the directory', () => {
  const look = (query: string) => call({ path: `/api/employees/directory?${query}`, key })

  it('finds people by name, accents and case folded, in the order of names', async () => {
    expect((await look('search=jose')).body).toEqual({
      items: [{ id: jose, name: 'José Ortega', departmentId: field, status: 'ACTIVE', pictureUrl: null }],
      returned: 1,
      hasMore: false,
    })
    const names = (await look('')).body.items.map(({ name }: { name: string }) => name)
    expect(names).toContain('Mary Somerville')
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b)))
  })

  it('says when there is more than the limit', async () => {
    expect((await look('limit=2')).body).toMatchObject({ returned: 2, hasMore: true })
    expect((await look('limit=500')).body.hasMore).toBe(false)
    expect((await look('limit=0')).body).toMatchObject({ code: 'INVALID_QUERY_PARAM', details: { param: 'limit' } })
  })

  it('leaves out those who have gone, unless they are asked for by id', async () => {
    expect((await look('search=former')).body.returned).toBe(0)
    expect((await look(`ids=${former},${grace}`)).body.items.map(({ id }: { id: string }) => id)).toEqual([
      former,
      grace,
    ])
    expect((await look('ids=nonsense')).status).toBe(400)
  })

  it('names those who have gone behind the others, where a filter asks for them', async () => {
    expect((await look('search=former&withLeft=true')).body.items).toMatchObject([{ id: former, status: 'TERMINATED' }])
    const { body } = await look('withLeft=true')
    expect(body.items.at(-1)).toMatchObject({ id: former })
    expect((await look('withLeft=perhaps')).body.code).toBe('INVALID_QUERY_PARAM')
  })
})
