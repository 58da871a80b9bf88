import { companyDuplicates } from '../../resources/sales/companies/companies.likenesses.ts'
import { contactDuplicates } from '../../resources/sales/contacts/contacts.likenesses.ts'
import { leadDuplicates } from '../../resources/sales/leads/leads.likenesses.ts'
import {
  activities,
  companies,
  contacts,
  customRecords,
  deals,
  documents,
  invoices,
  leads,
  orders,
  priceLists,
  products,
  projects,
  quotes,
  tasks,
} from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import type { BulkResult } from '../../records/owned/bulk.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import type { MergeRules } from '../../records/owned/merge.ts'
import type { Undoable } from '../../records/owned/trace.ts'
import { undoRecords, type OperationRecord, type Undoing } from '../../records/owned/undo.ts'
import { activityWriter } from '../../resources/work/activities/activities.commands.ts'
import { companyWriter } from '../../resources/sales/companies/companies.commands.ts'
import { contactWriter } from '../../resources/sales/contacts/contacts.commands.ts'
import { customRecordWriter } from '../../resources/workspace/custom-entities/custom-records.commands.ts'
import { dealWriter } from '../../resources/sales/deals/deals.commands.ts'
import { documentWriter } from '../../resources/papers/documents/documents.commands.ts'
import { invoiceWriter } from '../../resources/finance/invoices/invoices.commands.ts'
import { leadWriter } from '../../resources/sales/leads/leads.commands.ts'
import { orderWriter } from '../../resources/finance/orders/orders.commands.ts'
import { priceListWriter } from '../../resources/catalogue/price-lists/price-lists.commands.ts'
import { productWriter } from '../../resources/catalogue/products/products.commands.ts'
import { projectWriter } from '../../resources/work/projects/projects.commands.ts'
import { quoteWriter } from '../../resources/finance/quotes/quotes.commands.ts'
import { taskWriter } from '../../resources/work/tasks/tasks.commands.ts'

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

/** The kinds of record that every workspace has, by entity type. */
const undos: ReadonlyMap<string, Undo> = new Map([
  ofKind({ writer: leadWriter, patch: leads.operations.update.body }),
  ofKind({ writer: contactWriter, patch: contacts.operations.update.body }),
  ofKind({ writer: companyWriter, patch: companies.operations.update.body }),
  ofKind({ writer: dealWriter, patch: deals.operations.update.body }),
  ofKind({ writer: taskWriter, patch: tasks.operations.update.body }),
  ofKind({ writer: projectWriter, patch: projects.operations.update.body }),
  ofKind({ writer: activityWriter, patch: activities.operations.update.body }),
  ofKind({ writer: productWriter, patch: products.operations.update.body }),
  ofKind({ writer: priceListWriter, patch: priceLists.operations.update.body }),
  ofKind({ writer: quoteWriter, patch: quotes.operations.update.body }),
  ofKind({ writer: orderWriter, patch: orders.operations.update.body }),
  ofKind({ writer: invoiceWriter, patch: invoices.operations.update.body }),
  ofKind({ writer: documentWriter, patch: documents.operations.update.body }),
])

function ofKind<Row extends OwnedRow, Patch extends object>(undoing: Undoing<Row, Patch>): [string, Undo] {
  return [undoing.writer.kind.entityType, undo(undoing)]
}

/** The rules of merges, by entity type. */
export const mergeRules: ReadonlyMap<string, MergeRules<OwnedRow>> = new Map(
  [leadDuplicates, contactDuplicates, companyDuplicates].map(({ merge }) => [
    merge.kind.entityType,
    merge as unknown as MergeRules<OwnedRow>,
  ]),
)

/** Returns the way to undo operations on records of an entity type, that of a custom entity too, if there is one. */
export async function undoOf(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered'>,
  entityType: string,
): Promise<Undo | undefined> {
  const known = undos.get(entityType)
  if (known) return known
  const entity = (await recallCustomEntities(db, context)).find((custom) => custom.entityType === entityType)
  return entity && undo({ writer: customRecordWriter(entity), patch: customRecords.operations.update.body })
}
