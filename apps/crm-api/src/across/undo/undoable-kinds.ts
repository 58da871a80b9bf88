import { companies, contacts, deals, leads, products, tasks } from '@crm/contract'
import type { Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import type { BulkResult } from '../../records/owned/bulk.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import type { Undoable } from '../../records/owned/trace.ts'
import { undoRecords, type OperationRecord, type Undoing } from '../../records/owned/undo.ts'
import { companyWriter } from '../../resources/companies/companies.commands.ts'
import { contactWriter } from '../../resources/contacts/contacts.commands.ts'
import { dealWriter } from '../../resources/deals/deals.commands.ts'
import { leadWriter } from '../../resources/leads/leads.commands.ts'
import { productWriter } from '../../resources/products/products.commands.ts'
import { taskWriter } from '../../resources/tasks/tasks.commands.ts'

/** Undoes what an operation did to records of one kind. */
export type Undo = (
  tx: Transaction,
  context: Undoable<CrmContext>,
  records: readonly OperationRecord[],
) => Promise<readonly BulkResult[]>

const undo =
  <Row extends OwnedRow, Patch extends object>(undoing: Undoing<Row, Patch>): Undo =>
  (tx, context, records) =>
    undoRecords(tx, context, undoing, records)

/** The kinds whose records can be changed many at once. */
const undos: Readonly<Record<string, Undo>> = {
  LEAD: undo({ writer: leadWriter, patch: leads.operations.update.body }),
  CONTACT: undo({ writer: contactWriter, patch: contacts.operations.update.body }),
  COMPANY: undo({ writer: companyWriter, patch: companies.operations.update.body }),
  DEAL: undo({ writer: dealWriter, patch: deals.operations.update.body }),
  TASK: undo({ writer: taskWriter, patch: tasks.operations.update.body }),
  PRODUCT: undo({ writer: productWriter, patch: products.operations.update.body }),
}

/** Returns the way to undo operations on records of an entity type, if there is one. */
export function undoOf(entityType: string): Undo | undefined {
  return undos[entityType]
}
