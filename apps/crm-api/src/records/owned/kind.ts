import type { CustomFieldEntity } from '@crm/contract'
import { isAnyOf, type RecordTable, type RowReader } from '@crm/db'
import { eq, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Module } from '@crm/permissions'
import type { CustomFieldDefinition } from '../custom-field-values.ts'
import type { Moment } from '../moment.ts'

/** What every owned record has when it is read. */
export interface OwnedRow {
  readonly id: string
  readonly ownerId: string | null
  readonly departmentId: string | null
  readonly createdById: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly tags: string[]
  readonly customFields?: Record<string, unknown>
  readonly version: number
}

/** A table of owned records; with an assignee or members, its records are theirs too. */
export type OwnedTable = RecordTable & {
  readonly createdAt: PgColumn
  readonly updatedAt: PgColumn
  readonly tags: PgColumn
  readonly ownerId: PgColumn
  readonly createdById: PgColumn
  readonly departmentId: PgColumn
  readonly deletedAt: PgColumn
  readonly searchText: PgColumn
  readonly customFields: PgColumn
  readonly assigneeId?: PgColumn
  readonly memberIds?: PgColumn
  readonly mergedIntoId?: PgColumn
}

/** One filter of a list. */
export interface Filter {
  condition(value: never, moment: Moment): SQL
  /** The column of the ledger of counts with the same value, where there is one; then the total needs no counting. */
  readonly ledger?: PgColumn
  /** Records come to match or cease to as time passes, without a change of theirs. */
  readonly passes?: true
  /** The same condition in parts that exclude each other, each of which an index has in the order of time. */
  parts?(value: never): readonly SQL[]
  /** The module without which nobody can say what matches. */
  readonly module?: Module
}

/** Everything that the shared code knows of one kind of owned record. */
export interface RecordKind<Row extends OwnedRow = OwnedRow> {
  /** As in permissions, for example `LEAD`. */
  readonly entityType: string
  /** As people call one, for example `lead`; it also begins the names of its events. */
  readonly noun: string
  readonly table: OwnedTable
  readonly rows: RowReader<Row>
  /** Holds for every record of the kind, where several kinds share a table. */
  readonly base?: SQL
  /** How a record is called. */
  title(row: Row): string
  /** The filters besides those that all kinds have, by parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The columns by which lists are sorted, by the name in `sortBy`. */
  readonly sortable: Readonly<Record<string, SQLWrapper>>
  /** Fields that are shown and are no columns, or that mean more than their column, as they are at a moment. */
  readonly computed?: Readonly<Record<string, (moment: Moment) => SQL>>
  /** The entity type whose custom fields its records have, or the fields themselves where the kind brings its own. */
  readonly customFields: CustomFieldEntity | readonly CustomFieldDefinition[] | null
  /** Kinds of history for the fields that have one of their own; the others are UPDATED. */
  readonly timelineKinds: Readonly<Record<string, string>>
  /** Fields that follow from others and are not told by themselves. */
  readonly followers: readonly string[]
  /** The special events of a new record besides `<noun>.created`. */
  birthEvents?(row: Row): readonly string[]
  /** The special events of a change besides `<noun>.updated`. */
  changeEvents?(row: Row, changedFields: readonly string[]): readonly string[]
  /** Whether changes are events for rules and workflows. */
  readonly tellsEvents: boolean
}

/** What a filter asks for: one value, or any of several; null stands for records without one. */
export type Wanted = Value | readonly (Value | null)[]

type Value = string | boolean

/** A filter by exact values. */
export function equals(column: PgColumn, ledger?: PgColumn): Filter {
  return { condition: (wanted: Wanted) => isAmong(column, wanted), ledger }
}

/** The condition that a column has one of the values, or none where null is among them. */
export function isAmong(column: PgColumn, wanted: Wanted): SQL {
  const { values, orNone } = partsOf(wanted)
  const [first] = values
  const isOneOf = values.length === 1 && first !== undefined ? eq(column, first) : isAnyOf(column, values.map(String))
  if (!orNone) return isOneOf
  return values.length === 0 ? isNull(column) : (or(isOneOf, isNull(column)) as SQL)
}

/** A filter by whether something holds. */
export function whether(holds: (moment: Moment) => SQL): Filter {
  return {
    condition: (wanted: boolean, moment) => (wanted ? holds(moment) : sql`NOT coalesce(${holds(moment)}, false)`),
  }
}

/** A filter by elements of a list. */
export function contains(column: PgColumn): Filter {
  return {
    condition: (wanted: Wanted) => {
      const { values, orNone } = partsOf(wanted)
      const hasOne = sql`${column} && ${sql.param([...values])}::${sql.raw(column.getSQLType())}`
      return orNone ? (or(hasOne, sql`cardinality(${column}) = 0`) as SQL) : hasOne
    },
  }
}

/** The values that a filter asks for, and whether records without one are meant as well. */
export function partsOf(wanted: Wanted): { readonly values: readonly Value[]; readonly orNone: boolean } {
  const all = typeof wanted === 'object' ? wanted : [wanted]
  return { values: all.filter((value) => value !== null), orNone: all.includes(null) }
}

/** A filter by the least value. */
export function atLeast(column: SQLWrapper): Filter {
  return {
    condition: (value: string | Date) => sql`${column} >= ${value instanceof Date ? value.toISOString() : value}`,
  }
}

/** A filter by the greatest value. */
export function atMost(column: SQLWrapper): Filter {
  return {
    condition: (value: string | Date) => sql`${column} <= ${value instanceof Date ? value.toISOString() : value}`,
  }
}

/** Whether people besides the owner count as those whose record it is; the ledger of counts knows the owner only. */
export function isShared(kind: Pick<RecordKind, 'table'>): boolean {
  return kind.table.assigneeId !== undefined || kind.table.memberIds !== undefined
}
