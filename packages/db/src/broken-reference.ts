import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from './schema/index.ts'
import { postgresError } from './unavailable.ts'

const foreignKeyBroken = '23503'

let fields: ReadonlyMap<string, string> | undefined

/**
 * The column, as the schema calls it, through which a write named a row that is not there (any more); undefined for every
 * other failure, a deletion of what others still name among them.
 */
export function brokenReference(error: unknown): string | undefined {
  const broken = postgresError(error)
  if (broken?.code !== foreignKeyBroken || !broken.detail?.includes('is not present in table')) return undefined
  fields ??= referringFields()
  return fields.get(broken.constraint ?? '')
}

/** The column that each foreign key is about: its last one, since the workspace comes first in all of them. */
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
