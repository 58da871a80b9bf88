import type { CustomFieldEntity } from '@crm/contract'
import { foldedAll, isAnyOf, type RecordTable, type RowReader } from '@crm/db'
import { eq, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Module } from '@crm/permissions'
import type { CustomFieldDefinition } from '../custom-field-values.ts'
import type { Moment } from '../moment.ts'

/** The columns that every owned record has when it is read. */
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

/** A table of owned records. Its records also belong to their assignee or members, where it has such columns. */
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
  readonly externalSource: PgColumn
  readonly externalId: PgColumn
  readonly assigneeId?: PgColumn
  readonly memberIds?: PgColumn
  readonly mergedIntoId?: PgColumn
}

/** One filter of a list. */
export interface Filter {
  condition(value: never, moment: Moment): SQL
  /** The column of the ledger of counts with the same value, if there is one; then the total needs no counting. */
  readonly ledger?: PgColumn
  /** Set when records can start or stop to match as time passes, without a change of theirs. */
  readonly passes?: true
  /** Returns the same condition in parts that exclude each other; for each part an index has the rows in the order of time. */
  parts?(value: never): readonly SQL[]
  /** The module that the filter needs; without it the matches are unknown. */
  readonly module?: Module
}

/** What lists are sorted by, by its name in `sortBy`. Names are sorted in the language of the workspace. */
export type Sortable = Readonly<Record<string, SQLWrapper | { readonly names: PgColumn }>>

/** The definition of one kind of owned record for the shared code. */
export interface RecordKind<Row extends OwnedRow = OwnedRow> {
  /** As in permissions, such as that of leads. */
  readonly entityType: string
  /** The everyday word for one record, for example `lead`; the names of its events begin with it. */
  readonly noun: string
  readonly table: OwnedTable
  readonly rows: RowReader<Row>
  /** A condition that holds for every record of the kind, where several kinds share a table. */
  readonly base?: SQL
  /** Returns the title of a record. */
  title(row: Row): string
  /** The filters of this kind besides the common ones, by parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The modules without which the values of fields are unknown, for fields that no filter is named after. */
  readonly fieldModules?: Readonly<Record<string, Module>>
  /** What lists are sorted by, by its name in `sortBy`. */
  readonly sortable: Sortable
  /** Shown fields that are not columns or that mean more than their column, as they are at a moment. */
  readonly computed?: Readonly<Record<string, (moment: Moment) => SQL>>
  /** The entity type whose custom fields its records have, or the fields themselves where the kind brings its own. */
  readonly customFields: CustomFieldEntity | readonly CustomFieldDefinition[] | null
  /** Kinds of history for the fields that have one of their own; all other fields are UPDATED. */
  readonly timelineKinds: Readonly<Record<string, string>>
  /** Fields that follow from other fields and have no entry of their own in the history. */
  readonly followers: readonly string[]
  /** Returns the special events of a new record besides `<noun>.created`. */
  birthEvents?(row: Row): readonly string[]
  /** Returns the special events of a change besides `<noun>.updated`. */
  changeEvents?(row: Row, changedFields: readonly string[]): readonly string[]
  /** Whether changes are events for rules and workflows. */
  readonly tellsEvents: boolean
}

/** The requested values of a filter: one value, or any of several; null stands for records without a value. */
export type Wanted = Value | readonly (Value | null)[]

type Value = string | boolean

/** Returns a filter by exact values. */
export function equals(column: PgColumn, ledger?: PgColumn): Filter {
  return { condition: (wanted: Wanted) => isAmong(column, wanted), ledger }
}

/** Returns the condition that a column has one of the values; where null is among them, a column without a value matches too. */
export function isAmong(column: PgColumn, wanted: Wanted): SQL {
  const { values, orNone } = partsOf(wanted)
  const [first] = values
  const isOneOf = values.length === 1 && first !== undefined ? eq(column, first) : isAnyOf(column, values.map(String))
  if (!orNone) return isOneOf
  return values.length === 0 ? isNull(column) : (or(isOneOf, isNull(column)) as SQL)
}

/** Returns a filter by whether a condition holds. */
export function whether(holds: (moment: Moment) => SQL): Filter {
  return {
    condition: (wanted: boolean, moment) => (wanted ? holds(moment) : sql`NOT coalesce(${holds(moment)}, false)`),
  }
}

/** Returns a filter by elements of a list. */
export function contains(column: PgColumn): Filter {
  return {
    condition: (wanted: Wanted) => {
      const { values, orNone } = partsOf(wanted)
      // Few records have any, and the index of those is used where the condition says so.
      const hasOne = sql`(cardinality(${column}) > 0 AND ${column} && ${sql.param([...values])}::${sql.raw(column.getSQLType())})`
      return orNone ? (or(hasOne, sql`cardinality(${column}) = 0`) as SQL) : hasOne
    },
  }
}

/** Returns a filter by the tags of records, in any spelling: people mean one tag by VIP and vip. */
export function taggedWith(column: PgColumn): Filter {
  return {
    condition: (wanted: Wanted) => {
      const { values, orNone } = partsOf(wanted)
      // The planner folds what is asked, and knows how frequent it is.
      const asked = foldedAll(sql`${sql.param([...values])}::text[]`)
      const hasOne = sql`(cardinality(${column}) > 0 AND ${foldedAll(column)} && ${asked})`
      return orNone ? (or(hasOne, sql`cardinality(${column}) = 0`) as SQL) : hasOne
    },
  }
}

/** Returns the values of a filter, and whether it also matches records without one. */
export function partsOf(wanted: Wanted): { readonly values: readonly Value[]; readonly orNone: boolean } {
  const all = typeof wanted === 'object' ? wanted : [wanted]
  return { values: all.filter((value) => value !== null), orNone: all.includes(null) }
}

/** Returns a filter by the least value. */
export function atLeast(column: SQLWrapper): Filter {
  return {
    condition: (value: string | Date) => sql`${column} >= ${value instanceof Date ? value.toISOString() : value}`,
  }
}

/** Returns a filter by the greatest value. */
export function atMost(column: SQLWrapper): Filter {
  return {
    condition: (value: string | Date) => sql`${column} <= ${value instanceof Date ? value.toISOString() : value}`,
  }
}

/** Whether a record also belongs to people other than its owner; the ledger of counts knows the owner only. */
export function isShared(kind: Pick<RecordKind, 'table'>): boolean {
  return kind.table.assigneeId !== undefined || kind.table.memberIds !== undefined
}
