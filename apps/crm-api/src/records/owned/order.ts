import type { SortedBy } from '@crm/contract'
import { inNameOrder } from '@crm/db'
import { and, asc, desc, is, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import { customFieldOrder, type CustomFieldKind } from '../custom-field-filters.ts'
import type { RecordKind } from './kind.ts'

/** One level of the order of a list. Records without a value come last, whatever the direction. */
export interface Level {
  readonly by: SQLWrapper
  readonly isDescending: boolean
  readonly isNullable: boolean
}

/** The question for an order. */
export interface AskedOrder {
  readonly sortBy?: string
  readonly sortOrder: 'asc' | 'desc'
  readonly thenBy?: readonly SortedBy<string>[]
}

/** Returns the order of a list. The id comes last, so that pages neither repeat nor miss a record. */
export function orderOf(
  kind: Pick<RecordKind, 'table' | 'sortable'>,
  { sortBy = 'createdAt', sortOrder, thenBy = [] }: AskedOrder,
  customFields: readonly CustomFieldKind[],
  locale: string,
): readonly Level[] {
  const { createdAt, id } = kind.table
  const levels = [{ sortBy, sortOrder }, ...thenBy].flatMap((sort) => levelOf(kind, customFields, locale, sort) ?? [])
  return levels.length === 0
    ? [always(createdAt, true), always(id, true)]
    : [...levels, always(id, sortOrder === 'desc')]
}

const always = (by: SQLWrapper, isDescending: boolean): Level => ({ by, isDescending, isNullable: false })

/** Returns one level of an order; undefined for a field that the kind cannot be sorted by. */
function levelOf(
  { table, sortable }: Pick<RecordKind, 'table' | 'sortable'>,
  customFields: readonly CustomFieldKind[],
  locale: string,
  { sortBy, sortOrder }: SortedBy<string>,
): Level | undefined {
  const isDescending = sortOrder === 'desc'
  if (sortBy === 'createdAt') return always(table.createdAt, isDescending)
  const field = customFields.find(({ key }) => `cf_${key}` === sortBy)
  if (field) return { by: customFieldOrder(field, table.customFields, locale), isDescending, isNullable: true }
  const sorted = sortable[sortBy]
  if (!sorted) return undefined
  if ('names' in sorted)
    return { by: inNameOrder(sorted.names, locale), isDescending, isNullable: !sorted.names.notNull }
  return { by: sorted, isDescending, isNullable: !(is(sorted, PgColumn) && sorted.notNull) }
}

/** Returns an order for ORDER BY. */
export function inOrder(levels: readonly Level[], direction: 'forth' | 'back' = 'forth'): SQL {
  return joined(
    levels.map((level) => {
      const nulls = direction === 'back' ? sql`NULLS FIRST` : sql`NULLS LAST`
      return level.isNullable ? sql`${towards(level, direction)} ${nulls}` : towards(level, direction)
    }),
  )
}

/**
 * Returns the order for ORDER BY among records that all have, or all lack, a value of the first level. An index has its empty values at one
 * end, so it serves both directions only for such records.
 */
export function inOrderOfIndex([first, ...others]: readonly Level[], direction: 'forth' | 'back'): SQL {
  return joined([
    ...(first ? [towards(first, direction)] : []),
    ...(others.length > 0 ? [inOrder(others, direction)] : []),
  ])
}

/** Returns the condition in parts that exclude each other, so that an index has each part in the order. */
export function partsInOrder([first]: readonly Level[], where: SQL): readonly SQL[] {
  return first?.isNullable === true && first.isDescending
    ? [and(where, sql`${first.by} IS NOT NULL`) as SQL, and(where, sql`${first.by} IS NULL`) as SQL]
    : [where]
}

function towards({ by, isDescending }: Level, direction: 'forth' | 'back'): SQL {
  return isDescending === (direction === 'back') ? asc(by) : desc(by)
}

function joined(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `)
}
