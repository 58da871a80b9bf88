import { createPool, newId, schema } from '@crm/db'
import { asDeployable, lockWaiters } from '@crm/testkit'
import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, it } from 'vitest'
import { ownApi, type Call, type CallAnswer } from './harness.ts'
import { createLead, createProduct } from './samples.ts'

const api = await ownApi()
const { call, db, key, workspace } = api
const cookie = await workspace.session()
const { workspaceId } = workspace
const other = createPool({
  ...asDeployable,
  databaseUrl: api.databaseUrl,
  max: 1,
  applicationName: 'test-deleter',
})
afterAll(() => other.end())

/** A row to which a record refers, and the request with the reference. */
interface Case {
  readonly table: PgTable
  /** The columns besides workspace and id. */
  readonly columns: () => Promise<Record<string, unknown>> | Record<string, unknown>
  readonly write: (id: string) => Promise<Call> | Call
  readonly answer: object
}

const post = (path: string, body: object): Call => ({ method: 'POST', path, key, body })
const named = () => ({ name: `Doomed ${newId()}` })
const leadPipeline = async () =>
  (await call({ path: '/api/pipelines?entityType=LEAD', key })).body.items[0].id as string
const refusedFor = (field: string) => ({ status: 400, body: { code: 'INVALID_REFERENCE', details: { field } } })
const user = () => ({ email: `${newId()}@example.com`, firstName: 'Pat', password: 'correct horse battery' })

const cases: Readonly<Record<string, Case>> = {
  'the source of a new lead': {
    table: schema.leadSources,
    columns: named,
    write: (id) => post('/api/leads', { lastName: 'Late', sourceId: id }),
    answer: refusedFor('sourceId'),
  },
  'the source of a lead that changes': {
    table: schema.leadSources,
    columns: named,
    answer: refusedFor('sourceId'),
    write: async (id) => ({
      method: 'PATCH',
      path: `/api/leads/${await createLead(api)}`,
      key,
      body: { sourceId: id },
    }),
  },
  'the source of leads that change together': {
    table: schema.leadSources,
    columns: named,
    answer: refusedFor('sourceId'),
    write: async (id) => ({
      method: 'PATCH',
      path: '/api/leads',
      key,
      body: { ids: [await createLead(api), await createLead(api)], set: { sourceId: id } },
    }),
  },
  'the source of a lead that is sent with an idempotency key': {
    table: schema.leadSources,
    columns: named,
    answer: refusedFor('sourceId'),
    write: (id) => ({
      ...post('/api/leads', { lastName: 'Once', sourceId: id }),
      headers: { 'idempotency-key': newId() },
    }),
  },
  'the stage of a lead': {
    table: schema.stages,
    columns: async () => ({ ...named(), pipelineId: await leadPipeline(), position: 9 }),
    write: (id) => post('/api/leads', { lastName: 'Late', stageId: id }),
    answer: { status: 400, body: { code: 'STAGE_NOT_FOUND' } },
  },
  'the industry of a company': {
    table: schema.industries,
    columns: named,
    write: (id) => post('/api/companies', { name: 'Late', industryId: id }),
    answer: refusedFor('industryId'),
  },
  'the unit of a product': {
    table: schema.units,
    columns: () => ({ ...named(), code: newId().slice(-8) }),
    write: (id) => post('/api/products', { name: 'Late', unitId: id }),
    answer: refusedFor('unitId'),
  },
  'the category of a product that changes': {
    table: schema.productCategories,
    columns: named,
    answer: refusedFor('categoryId'),
    write: async (id) => ({
      method: 'PATCH',
      path: `/api/products/${await createProduct(api)}`,
      key,
      body: { categoryId: id },
    }),
  },
  'the department above another': {
    table: schema.departments,
    columns: named,
    write: (id) => post('/api/departments', { ...named(), parentId: id }),
    answer: refusedFor('parentId'),
  },
  'the department of a person': {
    table: schema.departments,
    columns: named,
    answer: refusedFor('departmentId'),
    write: (id) => ({
      method: 'POST',
      path: '/api/settings/users',
      cookie,
      body: { ...user(), roleIds: [workspace.roleIds['Member']], departmentId: id },
    }),
  },
  'a role of a person': {
    table: schema.roles,
    columns: () => ({ ...named(), permissions: ['VIEW_LEAD'], access: [] }),
    answer: refusedFor('roleIds'),
    write: (id) => ({ method: 'POST', path: '/api/settings/users', cookie, body: { ...user(), roleIds: [id] } }),
  },
}

/** Deletes a row during the request: the deletion begins before the request and ends while the request waits. */
async function deletedMeanwhile({ table, columns, write }: Case): Promise<CallAnswer> {
  const id = newId()
  await db.insert(table).values({ workspaceId, id, ...(await columns()) })
  await api.epochs.bump(workspaceId)
  const request = await write(id)
  const deleter = await other.connect()
  try {
    await deleter.query('BEGIN')
    await deleter.query(`DELETE FROM ${getTableName(table)} WHERE workspace_id = $1 AND id = $2`, [workspaceId, id])
    const answer = call(request)
    await expect.poll(() => lockWaiters(db), { timeout: 30_000, interval: 20 }).toHaveLength(1)
    await deleter.query('COMMIT')
    return await answer
  } finally {
    deleter.release()
  }
}

describe('what a record names is deleted after the check and before the write', () => {
  it.each(Object.entries(cases))('%s', async (_what, one) => {
    expect(await deletedMeanwhile(one)).toMatchObject(one.answer)
  })
})

it('the deletion of what others name still says so by its own code', async () => {
  const { id } = (await call(post('/api/lead-sources', named()))).body.data
  await createLead(api, { sourceId: id })
  expect(await call({ method: 'DELETE', path: `/api/lead-sources/${id}`, key })).toMatchObject({
    status: 409,
    body: { code: 'IN_USE' },
  })
})
