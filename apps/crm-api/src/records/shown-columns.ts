import { publicContract, recordOf, settingsContract, type Resource } from '@crm/contract'
import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'

const contract = { ...publicContract, ...settingsContract }
type Contract = typeof contract

/** A resource that shows single records. */
type Showing<Shape> = {
  readonly operations: {
    readonly get: {
      readonly reply: { readonly body: z.ZodObject<{ readonly data: z.ZodObject<Shape & z.ZodRawShape> }> }
    }
  }
}
type ColumnsOf<Table extends PgTable> = ReturnType<typeof getTableColumns<Table>>
type ShapeOf<Name extends keyof Contract> = Contract[Name] extends Showing<infer Shape> ? Shape : never

/**
 * Returns the columns of a table that a resource shows, by the fields of its `get`; no other column is read from the
 * database. The caller adds the fields that are not columns.
 */
export function shownColumns<Table extends PgTable, const Name extends keyof Contract>(table: Table, name: Name) {
  const { shape } = recordOf(contract[name] as Resource as Resource & Showing<z.ZodRawShape>)
  const shown = Object.entries(getTableColumns(table)).filter(([field]) => field in shape)
  return Object.fromEntries(shown) as Pick<ColumnsOf<Table>, keyof ColumnsOf<Table> & keyof ShapeOf<Name>>
}
