import { kindOf, resourceName, type Field, type PlainKind } from '@crm/model'
import { sql } from 'drizzle-orm'
import { foreignKey, index, pgTable, primaryKey, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { rowId, searchText, workspaceId } from './columns.ts'
import { columnsOf, snakeCase } from './of-kind.ts'
import * as catalogue from './schema/catalogue.ts'
import { employees } from './schema/core.ts'
import * as crm from './schema/crm.ts'
import * as finance from './schema/finance.ts'
import * as work from './schema/work.ts'

/**
 * A table to whose rows records refer.
 * @public What `npm run model` writes uses it.
 */
export type Referred = PgTable & { readonly workspaceId: PgColumn; readonly id: PgColumn }
type Columns = Readonly<Record<string, PgColumn>>

const tables: Readonly<Record<string, unknown>> = { ...crm, ...work, ...catalogue, ...finance }

/**
 * Returns the table of a kind of which nothing is special: the columns of its fields, and for each reference a foreign key and an index.
 * `others` returns the tables of all such kinds by entity type.
 * @public What `npm run model` writes uses it.
 */
export function plainTable(kind: PlainKind, others: () => Readonly<Record<string, Referred>>) {
  const name = kind.stem.replaceAll('-', '_')
  const searched = kind.title.map((field) => `coalesce(${snakeCase(field)}, '')`).join(" || ' ' || ")
  return pgTable(
    name,
    {
      workspaceId: workspaceId(),
      id: rowId(),
      ...(columnsOf(kind) as object),
      ...crm.owned(),
      searchText: searchText(sql.raw(searched)),
    },
    (t) => [
      primaryKey({ columns: [t.workspaceId, t.id] }),
      ...crm.ownedIndexes(name, t),
      keyTo(`${name}_owner`, employees, [t.workspaceId, t.ownerId]),
      ...Object.entries<Field>(kind.fields).flatMap(([field, { type, rules }]) => {
        const column = (t as unknown as Columns)[field]
        if (column === undefined || rules.to === undefined) return []
        const named = `${name}_${snakeCase(field)}`
        if (type === 'references') return [index(named).using('gin', t.workspaceId, column)]
        return [
          index(`${named}_set`)
            .on(t.workspaceId, column)
            .where(sql`${column} is not null`),
          keyTo(named, tableOf(kind, rules.to, others()), [t.workspaceId, column]),
        ]
      }),
    ],
  )
}

function keyTo(name: string, { workspaceId, id }: Referred, columns: [PgColumn, PgColumn]) {
  return foreignKey({ columns, foreignColumns: [workspaceId, id], name } as never)
}

/** Returns the table of what a plain kind refers to. Lists of the settings and trees of records need rules of their own. */
function tableOf(kind: PlainKind, to: string, others: Readonly<Record<string, Referred>>): Referred {
  const { stem } = kindOf(to) ?? {}
  const table = to === 'EMPLOYEE' ? employees : (others[to] ?? (stem && tables[resourceName(stem)]))
  if (table === undefined || to === kind.entity)
    throw new Error(`${kind.entity} is no plain kind: it refers to ${to}, which needs rules of its own`)
  return table as Referred
}
