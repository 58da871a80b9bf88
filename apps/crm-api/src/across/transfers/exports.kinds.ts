import {
  customFieldPrefix,
  describeCustomRecords,
  describeKind,
  recordOperations,
  type RecordField,
} from '@crm/contract'
import { isAnyOf, type Executor, type Scope } from '@crm/db'
import { invalidField } from '@crm/errors'
import { and, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { resolveKind } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { customFieldsOf } from '../../records/custom-field-filters.ts'
import { momentOf } from '../../records/moment.ts'
import { filterConditions } from '../../records/owned/bulk.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { cellFields } from './transfers.cells.ts'
import { transferredKinds, type Transferred } from './transfers.kinds.ts'

/** The parts of a kind of record that an export needs. */
export interface ExportedKind {
  readonly kind: RecordKind
  /** The parameters of its list. */
  readonly listQuery: z.ZodObject
  /** The rules by which files of the kind are imported as well; an export keeps to them. */
  readonly transferred: Transferred | undefined
}

/**
 * Returns the kind of record that is exported as an entity type.
 * @throws ApiError VALIDATION_ERROR when there is no such kind, ACCESS_DENIED when the caller may not see it
 */
export async function exportedKind(context: CrmContext, entityType: string): Promise<ExportedKind> {
  const kind = await resolveKind(context.db, context, entityType)
  const listQuery = recordOperations(entityType)?.list?.query
  if (!kind || !listQuery) throw invalidField('entityType', `There is no kind of record ${entityType}`)
  const transferred = Object.hasOwn(transferredKinds, entityType)
    ? transferredKinds[entityType as keyof typeof transferredKinds]
    : undefined
  return { kind, listQuery, transferred }
}

/** Returns the condition for the records that an export holds: all, those that its filters find, or those with its ids. */
export async function exportedRecords(
  db: Executor,
  context: CrmContext,
  exported: ExportedKind,
  scope: Scope,
  { ids, ...filters }: Readonly<Record<string, string>>,
): Promise<SQL> {
  const { kind } = exported
  if (ids !== undefined) return and(existing(kind, scope), isAnyOf(kind.table.id, ids.split(','))) as SQL
  if (Object.keys(filters).length === 0) return existing(kind, scope)
  return filterConditions(db, exported, { scope, moment: momentOf(context) }, filters, 'filters')
}

/** The types of fields whose values fill no cell. */
const noCell: readonly RecordField['type'][] = ['ADDRESS', 'OTHER']
/** The columns with which each file begins and ends. */
const first = ['id'] as const
const last = ['createdAt', 'updatedAt'] as const

/** Returns the columns of a file: the fields that an import takes, or all that a cell can hold. */
export async function exportedColumns(
  db: Executor,
  { workspace }: CrmContext,
  { kind, transferred }: ExportedKind,
): Promise<readonly string[]> {
  const customFields = await customFieldsOf(db, workspace.id, kind)
  if (transferred) return [...first, ...cellFields(transferred.input, customFields).keys(), ...last]
  const fields = describeKind(kind.entityType)?.fields ?? describeCustomRecords()
  const keys = fields.filter(({ type }) => !noCell.includes(type)).map(({ key }) => key)
  const own = keys.filter((key) => ![...first, ...last].some((column) => column === key))
  return [...first, ...own, ...customFields.map(({ key }) => `${customFieldPrefix}${key}`), ...last]
}

/** Returns the value of a record in a column. */
export function valueIn({ transferred }: ExportedKind, row: OwnedRow, column: string): unknown {
  const record = (transferred?.shown?.(row) ?? row) as Readonly<Record<string, unknown>>
  if (!column.startsWith(customFieldPrefix)) return record[column]
  // The values of custom entities have another name.
  const values = (record['customFields'] ?? record['values'] ?? {}) as Readonly<Record<string, unknown>>
  return values[column.slice(customFieldPrefix.length)]
}
