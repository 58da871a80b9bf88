/** The forms of a resource's name. */
export interface ResourceNames {
  /** `price-lists`: folder, file prefix, path. */
  readonly plural: string
  /** `price list`: for sentences. */
  readonly noun: string
  /** `priceLists`: contract key. */
  readonly camel: string
  /** `PriceLists` */
  readonly pascal: string
  /** `price_lists`: table. */
  readonly table: string
  /** `price lists` */
  readonly title: string
}

/** The files of a new resource, by path from the root. */
export function resourceFiles(names: ResourceNames): Record<string, string> {
  const { plural } = names
  const folder = `apps/crm-api/src/resources/${plural}/${plural}`
  return {
    [`packages/contract/src/resources/${plural}.ts`]: contractFile(names),
    [`packages/db/src/schema/${plural}.ts`]: schemaFile(names),
    [`${folder}.repository.ts`]: repositoryFile(names),
    [`${folder}.handlers.ts`]: handlersFile(names),
    [`${folder}.test.ts`]: testFile(names),
  }
}

const contractFile = ({ plural, noun, camel, pascal, title }: ResourceNames): string => `import { z } from 'zod'
import { recordFields, requiredText, text } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../operation.ts'
import { referenceAccess, standard } from '../standard.ts'

const record = z.object({ ...recordFields, name: z.string(), description: z.string().nullable() })

const input = z.strictObject({ name: requiredText(200), description: text(2000).optional() })
export type ${pascal}Input = z.output<typeof input>

const patch = z.strictObject({ name: requiredText(200).optional(), description: text(2000).optional() })
export type ${pascal}Patch = z.output<typeof patch>

const operations = standard({
  path: '/api/${plural}',
  noun: '${noun}',
  plural: '${title}',
  record,
  create: input,
  update: patch,
  list: pagedList(record, usualPages, { search: z.string().max(200).optional() }),
  access: referenceAccess,
})

export const ${camel} = resource('${camel}', null, {
  ...operations,
  create: { ...operations.create, errors: ['NAME_TAKEN'] },
  update: { ...operations.update, errors: ['NAME_TAKEN'] },
})
`

const schemaFile = ({ camel, table }: ResourceNames): string => `import { sql } from 'drizzle-orm'
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { rowId, stamps, workspaceId } from '../columns.ts'
import { workspaces } from './core.ts'

export const ${camel} = pgTable(
  '${table}',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    description: text('description'),
    ...stamps(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), uniqueIndex('${table}_name').on(t.workspaceId, sql\`lower(\${t.name})\`)],
)
`

const repositoryFile = ({ noun, camel, pascal, table, title }: ResourceNames): string => `import type { ${pascal}Input, ${pascal}Patch } from '@crm/contract'
import { newId, schema, type Executor, type Page, type Transaction } from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../../records/search-terms.ts'
import { shownColumns } from '../../records/shown-columns.ts'
import { withUniqueFields } from '../../records/unique.ts'

const { ${camel} } = schema
const columns = shownColumns(${camel}, '${camel}')
const uniqueFields = { ${table}_name: 'name' }

export type ${pascal}Row = Omit<typeof ${camel}.$inferSelect, 'workspaceId'>

/** A page of ${title} by name, and how many match. */
export async function list${pascal}(
  db: Executor,
  workspaceId: string,
  query: { readonly search?: string; readonly limit: number; readonly offset: number },
): Promise<Page<${pascal}Row>> {
  const where = and(eq(${camel}.workspaceId, workspaceId), searchCondition(query.search, sql\`crm_searchable(\${${camel}.name})\`))
  const [total] = await db.select({ n: count() }).from(${camel}).where(where)
  const items = await db.select(columns).from(${camel}).where(where).orderBy(asc(${camel}.name), asc(${camel}.id)).limit(query.limit).offset(query.offset)
  return { items, total: total?.n ?? 0 }
}

/** One ${noun}. */
export async function find(db: Executor, workspaceId: string, id: string): Promise<${pascal}Row | undefined> {
  const [row] = await db.select(columns).from(${camel}).where(isOne(workspaceId, id))
  return row
}

/** Writes a new ${noun}. */
export async function insert(tx: Transaction, workspaceId: string, createdById: string, input: ${pascal}Input, at: string): Promise<${pascal}Row> {
  const values = { ...input, workspaceId, id: newId(), createdById, createdAt: at, updatedAt: at }
  const [row] = await withUniqueFields(uniqueFields, () => tx.insert(${camel}).values(values).returning(columns))
  return row as ${pascal}Row
}

/** Changes a ${noun}; undefined when there is none. */
export async function update(tx: Transaction, workspaceId: string, id: string, patch: ${pascal}Patch, at: string): Promise<${pascal}Row | undefined> {
  const [row] = await withUniqueFields(uniqueFields, () => tx.update(${camel}).set({ ...patch, updatedAt: at }).where(isOne(workspaceId, id)).returning(columns))
  return row
}

/** Deletes a ${noun}; false when there is none. */
export async function remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.delete(${camel}).where(isOne(workspaceId, id))
  return rowCount === 1
}

function isOne(workspaceId: string, id: string): SQL {
  return and(eq(${camel}.workspaceId, workspaceId), eq(${camel}.id, id)) as SQL
}
`

const handlersFile = ({ plural, noun, camel, pascal }: ResourceNames): string => `import { ${camel}, success } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { implement } from '../../platform/context.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { find, insert, list${pascal}, remove, update, type ${pascal}Row } from './${plural}.repository.ts'

export const implemented${pascal} = implement(${camel}, {
  list: async ({ query }, { db, workspace }) =>
    pageOf(await list${pascal}(db, workspace.id, { search: query.search, limit: query.pageSize, offset: offsetOf(query) }), query),

  get: async ({ params }, { db, workspace }) => success(required(await find(db, workspace.id, params.id))),

  create: async ({ body }, { transact, workspace, caller, at }) =>
    success(await transact((tx) => insert(tx, workspace.id, caller.employee.id, body, at))),

  update: async ({ params, body }, { transact, workspace, at }) =>
    success(required(await transact((tx) => update(tx, workspace.id, params.id, body, at)))),

  delete: async ({ params }, { transact, workspace, refuse }) => {
    const wasThere = await transact((tx) => remove(tx, workspace.id, params.id))
    if (!wasThere) throw refuse('NOT_FOUND')
    return success({ id: params.id })
  },
})

function required(row: ${pascal}Row | undefined): ${pascal}Row {
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such ${noun}' })
  return row
}
`

const testFile = ({ plural, noun }: ResourceNames): string => `import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const { call, key } = await apiUnderTest()
const create = (body: unknown) => call({ method: 'POST', path: '/api/${plural}', key, body })

describe('${noun}', () => {
  it('is created, found, changed and deleted', async () => {
    const { status, body } = await create({ name: 'First', description: 'One of a kind' })
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: { name: 'First', description: 'One of a kind' } })
    const path = \`/api/${plural}/\${body.data.id}\`
    expect((await call({ path: '/api/${plural}?search=First', key })).body).toMatchObject({ total: 1, items: [{ id: body.data.id }] })
    expect((await call({ method: 'PATCH', path, key, body: { name: 'Second', description: null } })).body.data).toMatchObject({ name: 'Second', description: null })
    expect((await call({ method: 'DELETE', path, key })).body).toEqual({ success: true, data: { id: body.data.id } })
    expect((await call({ path, key })).status).toBe(404)
  })

  it('409 NAME_TAKEN for a name that another one has', async () => {
    await create({ name: 'Taken' })
    expect(await create({ name: 'TAKEN' })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN', details: { field: 'name' } } })
  })
})
`
