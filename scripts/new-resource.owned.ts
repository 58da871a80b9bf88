import { placesOf, type ResourceNames, type ResourceTemplate } from './new-resource.names.ts'

/** Owned records: owner and department decide who sees and changes them. */
export const ownedTemplate: ResourceTemplate = {
  files: (names) => {
    const { model, contract, schema, kind, commands, handlers, test } = placesOf(names)
    return {
      [model]: modelFile(names),
      [contract]: contractFile(names),
      [schema]: schemaFile(names),
      [kind]: kindFile(names),
      [commands]: commandsFile(names),
      [handlers]: handlersFile(names),
      [test]: testFile(names),
    }
  },
  listed: ({ plural, camel, singular, singularPlace, entity }) => ({
    'packages/model/src/kinds.ts': [
      [/^import type \{ Kind/m, `import { ${singular} } from './kinds/${singularPlace}.ts'\nimport type { Kind`],
      [/(\n {2}DOCUMENT: )/, `\n  ${entity}: ${singular},$1`],
    ],
    'packages/model/src/index.ts': [[/$/, `export * from './kinds/${singularPlace}.ts'\n`]],
    'packages/db/src/schema/holdings.ts': [[/^ {2}type Field,$/m, `  ${singular},\n$&`]],
    'apps/crm-api/src/kinds/kinds.ts': [
      [/^import \{ customKind/m, `import { ${singular}Kind } from './${plural}.ts'\nimport { customKind`],
      [/(export const recordKinds = \{[^}]*)\}/, `$1  ${entity}: ${singular}Kind,\n}`],
    ],
    'apps/crm-api/src/across/undo/undoable-kinds.ts': [
      [/^import \{([^}]*?),?\s*\} from '@crm\/contract'/m, `import {$1, ${camel} } from '@crm/contract'`],
      [
        /^import \{ taskWriter[^\n]*\n/m,
        `$&import { ${singular}Writer } from '../../resources/${plural}/${plural}.commands.ts'\n`,
      ],
      [
        /(const undos: [^\n]*\[)\n/,
        `$1\n  ofKind({ writer: ${singular}Writer, patch: ${camel}.operations.update.body }),\n`,
      ],
    ],
    'apps/crm-api/test/visibility.test.ts': [
      [/( {2}DOCUMENT: \(word\))/, `  ${entity}: (word) => ({ name: word }),\n$1`],
    ],
    'apps/crm-api/test/out-of-sight.test.ts': [[/'documents',\s*'documentRecords'/, `'${camel}', $&`]],
    'apps/crm-api/test/samples.ts': [
      [
        /(\n {4}\['DOCUMENT', [^\n]*)/,
        `$1\n    ['${entity}', '/api/${plural}', () => createRecord(api, '/api/${plural}', { name: 'Sample' })],`,
      ],
    ],
  }),
  holdings: ({ singular }) => `holdingsOf(${singular})`,
  sample: "{ name: 'Sample' }",
  // Existing workspaces get the same defaults as new ones.
  statements: ({ entity, table }) => [
    `CALL crm_keep_counts('${table}', '''${entity}''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');`,
    `UPDATE roles SET permissions = permissions || ARRAY['VIEW_${entity}', 'CREATE_${entity}', 'UPDATE_${entity}', 'DELETE_${entity}'] WHERE is_system AND name IN ('Administrator', 'Manager');`,
    `UPDATE roles SET permissions = permissions || ARRAY['VIEW_${entity}', 'CREATE_${entity}', 'UPDATE_${entity}'], access = access || '[{"entityType":"${entity}","VIEW":"DEPARTMENT_TREE","UPDATE":"OWN","DELETE":"OWN"}]' WHERE is_system AND name = 'Member';`,
    `UPDATE roles SET permissions = permissions || ARRAY['VIEW_${entity}'] WHERE is_system AND name = 'Read only';`,
  ],
}

const modelFile = ({
  plural,
  noun,
  singular,
  entity,
  title,
}: ResourceNames): string => `import { text } from '../field.ts'
import { defineKind } from '../kind.ts'

export const ${singular} = defineKind({
  entity: '${entity}',
  noun: '${noun}',
  plural: '${title}',
  stem: '${plural}',
  module: null,
  icon: 'documents',
  title: ['name'],
  list: { columns: ['name', 'ownerId', 'createdAt'] },
  main: ['name', 'ownerId', 'tags'],
  fields: {
    name: text({ max: 200, presence: 'required', holds: 'name', sort: true }),
    description: text({ max: 10_000, holds: 'prose' }),
  },
})
`

const contractFile = ({ camel, singular }: ResourceNames): string => `import { ${singular} } from '@crm/model'
import { ownedRecords } from '../owned-records.ts'
import { resource } from '../resource.ts'

export const ${camel} = resource('${camel}', null, ownedRecords(${singular}))
`

const schemaFile = ({ camel, singular, table }: ResourceNames): string => `import { ${singular} } from '@crm/model'
import { sql } from 'drizzle-orm'
import { foreignKey, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { rowId, searchText, workspaceId } from '../columns.ts'
import { columnsOf } from '../of-kind.ts'
import { employees } from './core.ts'
import { owned, ownedIndexes } from './crm.ts'

export const ${camel} = pgTable(
  '${table}',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(${singular}),
    ...owned(),
    searchText: searchText(sql\`name\`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('${table}', t),
    foreignKey({ columns: [t.workspaceId, t.ownerId], foreignColumns: [employees.workspaceId, employees.id], name: '${table}_owner' }),
  ],
)
`

const kindFile = ({
  camel,
  singular,
  singularPascal,
}: ResourceNames): string => `import { rowReader, schema } from '@crm/db'
import { ${singular} } from '@crm/model'
import type { RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { ${camel} } = schema

/** One row as it is read. */
export type ${singularPascal}Row = Omit<typeof ${camel}.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'>

export const ${singular}Kind: RecordKind<${singularPascal}Row> = {
  entityType: ${singular}.entity,
  noun: ${singular}.noun,
  table: ${camel},
  rows: rowReader(shownColumns(${camel}, '${camel}')),
  title: ({ name }) => name,
  filters: filtersOf(${singular}, ${camel}),
  sortable: sortableOf(${singular}, ${camel}),
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: false,
}
`

const commandsFile = ({ plural, camel, singular }: ResourceNames): string => `import { ${camel} } from '@crm/contract'
import { ${singular}Kind } from '../../kinds/${plural}.ts'
import { plainWriter } from '../../kinds/plain.ts'

export const ${singular}Writer = plainWriter(${singular}Kind, ${camel}.operations.list.query)
`

const handlersFile = ({
  plural,
  camel,
  pascal,
  singular,
}: ResourceNames): string => `import { ${camel} } from '@crm/contract'
import { summaryHandler } from '../../domain/summaries/summary.handlers.ts'
import { ${singular}Kind } from '../../kinds/${plural}.ts'
import { implement } from '../../platform/context.ts'
import { plainHandlers } from '../../kinds/plain.ts'
import { ${singular}Writer } from './${plural}.commands.ts'

export const implemented${pascal} = implement(${camel}, { ...plainHandlers(${singular}Writer), ...summaryHandler(${singular}Kind) })
`

const testFile = ({ plural, noun, entity }: ResourceNames): string => `import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const { call, key, workspace } = await apiUnderTest()
const create = (body: unknown, credential = key) => call({ method: 'POST', path: '/api/${plural}', key: credential, body })
const idsFor = async (credential: string) => (await call({ path: '/api/${plural}?sortBy=name&sortOrder=asc', key: credential })).body.items.map(({ id }: { id: string }) => id)

describe('${noun}', () => {
  it('is created, found, changed and deleted', async () => {
    const { status, body } = await create({ name: 'First', description: 'One of a kind', tags: ['a', 'a'] })
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: { name: 'First', description: 'One of a kind', tags: ['a'], ownerId: workspace.adminUserId, version: 1 } })
    const path = \`/api/${plural}/\${body.data.id}\`
    expect((await call({ path: '/api/${plural}?search=First', key })).body).toMatchObject({ total: 1, items: [{ id: body.data.id }] })
    expect((await call({ path: '/api/${plural}/summary?groupBy=ownerId&search=First', key })).body).toMatchObject({ totals: { count: 1 }, groups: [{ by: [{ value: workspace.adminUserId }], count: 1 }] })
    expect((await call({ path: \`\${path}?fields=name&expand=owner&compact=true\`, key })).body.data).toEqual({ id: body.data.id, name: 'First', owner: 'Ada Admin' })
    expect((await call({ method: 'PATCH', path, key, body: { name: 'Second', description: null } })).body.data).toMatchObject({ name: 'Second', description: null, version: 2 })
    expect(await call({ method: 'PATCH', path, key, body: { name: 'Third', version: 1 } })).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } })
    const { undoId, ...rest } = (await call({ method: 'DELETE', path, key })).body
    expect(rest).toEqual({ success: true, data: { id: body.data.id } })
    expect((await call({ path, key })).status).toBe(404)
    expect(await call({ method: 'POST', path: \`/api/undo/\${undoId}\`, key })).toMatchObject({ status: 200, body: { data: { matched: 1, failed: 0 } } })
    expect((await call({ path, key })).body.data).toMatchObject({ name: 'Second' })
  })

  it('is seen by those of its department, and changed by its owner', async () => {
    const departmentId = await workspace.department('Ours')
    const access = [{ entityType: '${entity}', VIEW: 'DEPARTMENT', UPDATE: 'OWN', DELETE: 'NONE' }] as const
    const grant = { permissions: ['VIEW_${entity}', 'CREATE_${entity}', 'UPDATE_${entity}', 'DELETE_${entity}'], access }
    const [owner, colleague, other] = await Promise.all([departmentId, departmentId, undefined].map((place) => workspace.employee({ grant, departmentId: place })))
    const keyOf = async (person: { id: string } | undefined) => (await workspace.apiKey({ ownerId: person?.id })).key
    const { id } = (await create({ name: 'Ours' }, await keyOf(owner))).body.data
    expect([await idsFor(await keyOf(owner)), await idsFor(await keyOf(colleague)), await idsFor(await keyOf(other))]).toEqual([[id], [id], []])
    const path = \`/api/${plural}/\${id}\`
    expect((await call({ method: 'PATCH', path, key: await keyOf(colleague), body: { name: 'Mine' } })).status).toBe(404)
    expect((await call({ method: 'PATCH', path, key: await keyOf(owner), body: { name: 'Still ours' } })).status).toBe(200)
    expect(await call({ method: 'DELETE', path, key: await keyOf(owner) })).toMatchObject({ status: 403, body: { code: 'ACCESS_LEVEL_NONE' } })
  })

  it('has filters, summary, views, feed and description as all records have them', async () => {
    const { id } = (await create({ name: 'Everywhere' })).body.data
    const filters = 'ownerId=me,none&createdFrom=today&createdTo=today&search=Everywhere'
    expect((await call({ path: \`/api/${plural}?\${filters}\`, key })).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await call({ path: '/api/${plural}?createdFrom=1d&search=Everywhere', key })).body).toMatchObject({ total: 0, items: [] })
    expect((await call({ path: '/api/${plural}/summary?groupBy=createdAt:month', key })).body.groups).toHaveLength(1)
    const view = { name: 'Mine', entityType: '${entity}', query: { ownerId: 'me' }, columns: ['name', 'owner'] }
    expect(await call({ method: 'POST', path: '/api/saved-filters', cookie: await workspace.session(), body: view })).toMatchObject({ status: 201 })
    for (const query of ['entityType=${entity}&entityId=' + id, 'types=${entity}&limit=1'])
      expect((await call({ path: \`/api/feed?\${query}\`, key })).body.items[0]).toMatchObject({ text: 'Ada Admin created the ${noun} Everywhere.', record: { id } })
    expect((await call({ path: '/api/me/workspace?sections=kinds', key })).body.kinds.${entity}).toMatchObject({ rights: ['VIEW', 'CREATE', 'UPDATE', 'DELETE'], level: 'ALL' })
  })

  it('400 for an owner who is not there', async () => {
    expect(await create({ name: 'Nobody', ownerId: '01890000-0000-7000-8000-000000000000' })).toMatchObject({ status: 400, body: { code: 'INVALID_REFERENCE', details: { field: 'ownerId' } } })
  })
})
`
