import { kindEntities, kinds, type EntityOfKind } from '@crm/model'
import * as schema from './schema/index.ts'

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text
type TableName<Entity extends EntityOfKind> = Camel<(typeof kinds)[Entity]['stem']>

const tables: Readonly<Record<string, unknown>> = { ...schema }

/** The table of each kind of record that every workspace has. */
export const kindTables = Object.fromEntries(
  kindEntities.map((entity) => [entity, tables[tableName(kinds[entity].stem)]]),
) as { readonly [Entity in EntityOfKind]: (typeof schema)[TableName<Entity>] }

function tableName(stem: string): string {
  return stem.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
