import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from './schema/index.ts'
import { constraintOf, postgresError } from './unavailable.ts'

const foreignKeyBroken = '23503'

let fields: ReadonlyMap<string, string> | undefined

/**
 * Returns the column, by its name in the schema, through which a write referred to a missing row; undefined for every other failure,
 * such as the deletion of a row that others still refer to.
 */
export function brokenReference(error: unknown): string | undefined {
  const broken = postgresError(error)
  if (broken?.code !== foreignKeyBroken || !broken.detail?.includes('is not present in table')) return undefined
  fields ??= referringFields()
  return fields.get(constraintOf(broken) ?? '')
}

/** Returns the column of each foreign key: its last one, since the workspace comes first in all of them. */
function referringFields(): ReadonlyMap<string, string> {
  const tables: readonly unknown[] = Object.values(schema)
  const all = tables
    .filter((table) => is(table, PgTable))
    .flatMap((table) => {
      const nameOf = new Map(Object.entries(getTableColumns(table)).map(([key, column]) => [column.name, key]))
      return getTableConfig(table).foreignKeys.map((key): [string, string] => [
        key.getName(),
        nameOf.get(key.reference().columns.at(-1)?.name ?? '') ?? '',
      ])
    })
  return new Map(all.filter(([, field]) => field !== 'workspaceId'))
}
