import {
  currencies,
  industries,
  leadSources,
  namedPermissions,
  productAttributeGroups,
  productAttributes,
  productAttributeValues,
  productCategories,
  productTags,
  taxRates,
  units,
  type Operation,
} from '@crm/contract'
import { inSavepoint, schema, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { and, eq, or, sql } from 'drizzle-orm'
import type { ActedRow } from '../../domain/agents/sessions.repository.ts'
import { deleteFile } from '../../domain/files/files.deleting.ts'
import { lockFile } from '../../domain/files/files.repository.ts'
import { restoreFile } from '../../domain/files/files.restoring.ts'
import { changeableFiles } from '../../domain/files/files.visibility.ts'
import type { CrmContext } from '../../platform/context.ts'
import type { Undoable } from '../../records/owned/trace.ts'
import { deleteReference, lockReference, type ReferenceKind, type ReferenceRow } from '../../records/reference-data.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import {
  attributeGroupKind,
  attributeKind,
  attributeValueKind,
} from '../../resources/catalogue/product-attributes/product-attributes.handlers.ts'
import { productCategoryKind } from '../../resources/catalogue/product-categories/product-categories.handlers.ts'
import { productTagKind } from '../../resources/catalogue/product-tags/product-tags.handlers.ts'
import { unitKind } from '../../resources/catalogue/units/units.handlers.ts'
import { currencyKind } from '../../resources/finance/currencies/currencies.handlers.ts'
import { taxRateKind } from '../../resources/finance/tax-rates/tax-rates.handlers.ts'
import { industryKind } from '../../resources/sales/industries/industries.handlers.ts'
import { leadSourceKind } from '../../resources/sales/lead-sources/lead-sources.handlers.ts'

const { comments, documentRecords, files } = schema

/** What became of a row without a history of its own; USED: it stays because something uses it. */
export type ActsOutcome = 'UNDONE' | 'USED' | 'STAYS'

/** Takes back what a session did to a row without a history of its own. */
export async function takeBackActs(
  tx: Transaction,
  context: Undoable<CrmContext>,
  acted: ActedRow,
): Promise<ActsOutcome> {
  try {
    const isUndone = await inSavepoint(tx, (inner) =>
      acted.entityType === 'FILE' ? takeBackFile(inner, context, acted) : takeBackChoice(inner, context, acted),
    )
    return isUndone ? 'UNDONE' : 'STAYS'
  } catch (error) {
    if (!isRefusal(error)) throw error
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'IN_USE') return 'USED'
    // Somebody took it away already.
    return isMade(acted) && code === 'NOT_FOUND' ? 'UNDONE' : 'STAYS'
  }
}

const isMade = ({ acts }: ActedRow): boolean => acts.some(({ told }) => told === 'CREATED')
const isGone = ({ acts }: ActedRow): boolean => acts.at(-1)?.told === 'DELETED'

async function takeBackFile(tx: Transaction, context: Undoable<CrmContext>, acted: ActedRow): Promise<boolean> {
  const { workspace } = context
  if (isSwitchedOff(context, 'DELETE_FILE')) return false
  const last = acted.acts.at(-1)?.at
  const isFile = and(eq(files.workspaceId, workspace.id), eq(files.id, acted.entityId))
  const [state] = await tx
    .select({ deletedAt: files.deletedAt, updatedAt: files.updatedAt })
    .from(files)
    .where(isFile)
    .for('update')
  if (isMade(acted)) {
    if (!state || state.deletedAt !== null) return true
    if (state.updatedAt !== last || (await isNamed(tx, workspace.id, acted.entityId))) return false
    const file = await lockFile(tx, changeableFiles(context, 'DELETE'), acted.entityId)
    if (!file) return false
    await deleteFile(tx, context, file)
    return true
  }
  if (!state || !isGone(acted)) return false
  const isOnlyDeleted = acted.acts.length === 1
  if (state.deletedAt === null) return isOnlyDeleted
  if (state.deletedAt !== last) return false
  return (await restoreFile(tx, context, acted.entityId)).status === 'OK' && isOnlyDeleted
}

/** Whether a comment or a document names a file: both stay. */
async function isNamed(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 WHERE ${or(
      sql`EXISTS (SELECT FROM ${comments} WHERE ${comments.workspaceId} = ${workspaceId} AND ${comments.fileIds} @> ARRAY[${id}]::uuid[])`,
      sql`EXISTS (SELECT FROM ${documentRecords} WHERE ${documentRecords.workspaceId} = ${workspaceId} AND ${documentRecords.fileId} = ${id})`,
    )}`)
  return rows.length > 0
}

/** A list of choices, and the operation by which a person deletes one. */
interface ChoiceKind {
  readonly entityType: string
  readonly deletion: Operation
  remove(tx: Transaction, context: CrmContext, acted: ActedRow): Promise<boolean>
}

function choices<Row extends ReferenceRow & { readonly updatedAt: string }>(
  kind: ReferenceKind<Row>,
  { operations }: { readonly operations: { readonly delete: Operation } },
): ChoiceKind {
  return {
    entityType: kind.entityType,
    deletion: operations.delete,
    remove: async (tx, context, { entityId, acts }) => {
      const { updatedAt } = await lockReference(tx, context.workspace.id, kind, entityId)
      if (updatedAt !== acts.at(-1)?.at) return false
      await deleteReference(tx, context, kind, entityId)
      return true
    },
  }
}

const choiceKinds: readonly ChoiceKind[] = [
  choices(industryKind, industries),
  choices(leadSourceKind, leadSources),
  choices(currencyKind, currencies),
  choices(unitKind, units),
  choices(taxRateKind, taxRates),
  choices(productTagKind, productTags),
  choices(productCategoryKind, productCategories),
  choices(attributeGroupKind, productAttributeGroups),
  choices(attributeKind, productAttributes),
  choices(attributeValueKind, productAttributeValues),
]

/** Takes a new choice away again where nobody uses or has changed it. What a session changed or deleted of others' choices stays. */
async function takeBackChoice(tx: Transaction, context: CrmContext, acted: ActedRow): Promise<boolean> {
  if (!isMade(acted)) return false
  if (isGone(acted)) return true
  const kind = choiceKinds.find(({ entityType }) => entityType === acted.entityType)
  if (!kind || !namedPermissions(kind.deletion.access).every((name) => context.caller.effective.has(name))) return false
  return kind.remove(tx, context, acted)
}
