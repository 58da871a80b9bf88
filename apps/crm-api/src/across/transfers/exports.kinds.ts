import { recordOperations } from '@crm/contract'
import { isAnyOf, schema, type Executor, type Scope } from '@crm/db'
import { invalidField } from '@crm/errors'
import { fieldsOf } from '@crm/model'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { resolveKind } from '../../kinds/kinds.ts'
import { withLinks } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import { customFieldsOf } from '../../records/custom-field-filters.ts'
import type { LinkingEntity } from '../../records/link-filters.ts'
import { momentOf } from '../../records/moment.ts'
import { filterConditions } from '../../records/owned/bulk.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { layoutOf, type ExportLayout } from './exports.columns.ts'
import { cellOf } from './transfers.cells.ts'
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

/** The stored column of a part holds all of it, as JSON; its own file is made when it is fetched. */
export const partMark = '[]'

/** Returns the layout of the files of a kind. */
export async function exportedLayout(
  db: Executor,
  { workspace }: Pick<CrmContext, 'workspace'>,
  kind: RecordKind,
): Promise<ExportLayout> {
  return layoutOf(kind.entityType, await customFieldsOf(db, workspace.id, kind))
}

/** Returns the header of the stored file. */
export function storedHeader({ columns, parts }: ExportLayout): readonly string[] {
  return [...columns.map(({ title }) => title), ...parts.map(({ field }) => `${field}${partMark}`)]
}

/** Returns records as lines of the stored file, with what stands in other tables. */
export async function storedLines(
  db: Executor,
  context: CrmContext,
  { kind, transferred }: ExportedKind,
  { columns, parts }: ExportLayout,
  rows: readonly OwnedRow[],
): Promise<readonly (readonly string[])[]> {
  const whole = await withLinked(db, context, kind.entityType, rows)
  return whole.map((row) => {
    const record = (transferred?.shown?.(row) ?? row) as Readonly<Record<string, unknown>>
    return [
      ...columns.map((column) => cellOf(column.read(record))),
      ...parts.map(({ field }) => JSON.stringify(record[field] ?? [])),
    ]
  })
}

/** Adds the links and checklists of records that have them, which stand in tables of their own. */
async function withLinked(
  db: Executor,
  context: CrmContext,
  entityType: string,
  rows: readonly OwnedRow[],
): Promise<readonly OwnedRow[]> {
  const fields = fieldsOf(entityType)
  const linked = 'links' in fields ? await withLinks(db, context, entityType as LinkingEntity, rows) : rows
  return 'checklist' in fields ? withChecklists(db, context, linked) : linked
}

async function withChecklists(
  db: Executor,
  { workspace }: CrmContext,
  rows: readonly OwnedRow[],
): Promise<readonly OwnedRow[]> {
  const { checklistItems } = schema
  const items = await db
    .select()
    .from(checklistItems)
    .where(
      and(
        eq(checklistItems.workspaceId, workspace.id),
        isAnyOf(
          checklistItems.taskId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(checklistItems.position), asc(checklistItems.id))
  const byTask = Map.groupBy(items, ({ taskId }) => taskId)
  return rows.map((row) => ({ ...row, checklist: byTask.get(row.id) ?? [] }))
}
