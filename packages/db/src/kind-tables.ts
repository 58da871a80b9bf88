import { kindEntities, kinds, resourceName, type EntityOfKind } from '@crm/model'
import * as schema from './schema/index.ts'

type TableName<Entity extends EntityOfKind> = ReturnType<typeof resourceName<(typeof kinds)[Entity]['stem']>>

const tables: Readonly<Record<string, unknown>> = { ...schema }

/** The table of each kind of record that every workspace has. */
export const kindTables = Object.fromEntries(
  kindEntities.map((entity) => [entity, tables[resourceName(kinds[entity].stem)]]),
) as { readonly [Entity in EntityOfKind]: (typeof schema)[TableName<Entity>] }
