import { placesOf, type ResourceNames, type ResourceTemplate } from './new-resource.names.ts'

/** Small named things that other records refer to, visible to everybody who may see reference data. */
export const referenceTemplate: ResourceTemplate = {
  files: (names) => {
    const { contract, schema, handlers, test } = placesOf(names)
    return {
      [contract]: contractFile(names),
      [schema]: schemaFile(names),
      [handlers]: handlersFile(names),
      [test]: testFile(names),
    }
  },
  listed: () => ({}),
  holdings: () => "{ name: 'name', description: 'fixed' }",
  sample: '{ name: `Sample ${unique()}` }',
  statements: () => [],
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

const schemaFile = ({
  camel,
  table,
}: ResourceNames): string => `import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { rowId, stamps, workspaceId } from '../columns.ts'
import { folded } from '../folding.ts'
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
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), uniqueIndex('${table}_name').on(t.workspaceId, folded(t.name))],
)
`

const handlersFile = ({
  noun,
  camel,
  pascal,
  table,
}: ResourceNames): string => `import { ${camel} } from '@crm/contract'
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
