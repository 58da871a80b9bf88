import { schema } from '@crm/db'
import { namesWith, paramsOf, type Field, type FieldType, type Kind } from '@crm/model'
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  atLeast,
  atMost,
  contains,
  equals,
  type Filter,
  type OwnedTable,
  type Sortable,
} from '../records/owned/kind.ts'

/** The columns of the ledger of counts that have the same value as a field. */
const ledger: Readonly<Record<string, PgColumn>> = {
  status: schema.recordCounts.status,
  stageId: schema.recordCounts.stageId,
  pipelineId: schema.recordCounts.pipelineId,
}

/** Returns the filters that follow from the fields of a kind, by parameter; `@crm/contract` declares the same parameters. */
export function filtersOf({ fields }: Kind, table: OwnedTable): Readonly<Record<string, Filter>> {
  return Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, field]): readonly (readonly [string, Filter])[] => {
      const column = columnOf(table, name)
      return column ? conditionsOf(name, field, column) : []
    }),
  )
}

function conditionsOf(name: string, field: Field, column: PgColumn): readonly (readonly [string, Filter])[] {
  const [first, most] = paramsOf(name, field)
  if (first === undefined) return []
  if (most === undefined)
    return [[first, field.type === 'references' ? contains(column) : equals(column, ledger[name])]]
  return [
    [first, atLeast(column)],
    [most, atMost(column)],
  ]
}

/** The types whose values people read as words. */
const words: readonly FieldType[] = ['text', 'email', 'domain']

/** Returns what lists of a kind are sorted by; they are sorted by the time of creation unless told. */
export function sortableOf({ fields }: Kind, table: OwnedTable): Sortable {
  return Object.fromEntries(
    ['updatedAt', ...namesWith(fields, 'sort')].flatMap((name) => {
      const column = columnOf(table, name)
      const field: Field | undefined = fields[name]
      return column ? [[name, field && words.includes(field.type) ? { names: column } : column]] : []
    }),
  )
}

function columnOf(table: OwnedTable, name: string): PgColumn | undefined {
  return (table as unknown as Readonly<Record<string, PgColumn | undefined>>)[name]
}
