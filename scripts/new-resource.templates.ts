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
    [`${folder}.handlers.ts`]: handlersFile(names),
    [`${folder}.test.ts`]: testFile(names),
  }
}

const contractFile = ({ plural, noun, camel, title }: ResourceNames): string => `import { z } from 'zod'
import { text } from '../fields.ts'
import { resource } from '../resource.ts'
import { referenceData } from './reference-data.ts'

const operations = referenceData({
  path: '/api/${plural}',
  noun: '${noun}',
  plural: '${title}',
  shown: { description: z.string().nullable() },
  fields: { description: text(2000).optional() },
})

export const ${camel} = resource('${camel}', null, operations)
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

const handlersFile = ({ noun, camel, pascal, table }: ResourceNames): string => `import { ${camel} } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../platform/context.ts'
import { referenceHandlers } from '../../records/reference-data.ts'
import { shownColumns } from '../../records/shown-columns.ts'

export const implemented${pascal} = implement(
  ${camel},
  referenceHandlers({
    table: schema.${camel},
    rows: rowReader(shownColumns(schema.${camel}, '${camel}')),
    noun: '${noun}',
    uniqueFields: { ${table}_name: 'name' },
    usedBy: [],
  }),
)
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
