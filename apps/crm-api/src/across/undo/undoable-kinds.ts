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
import { plainRecords } from '../../domain/plain-records.ts'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import { changeOne, type BulkResult } from '../../records/owned/bulk.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { joinTraces, leaveTrace, type Trace } from '../../records/owned/trace.ts'
import type { MergeRules } from '../../records/owned/merge.ts'
import {
  takeBackRecord,
  undoRecords,
  type OperationRecord,
  type RecordPast,
  type TakenBack,
  type Undoing,
} from '../../records/owned/undo.ts'
import type { WriteContext } from '../../records/owned/write.ts'
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

/** What code needs of a kind to change its records without knowing it; outside of this file the type of its rows is erased. */
export interface ChangedKind {
  readonly kind: RecordKind
  /** Changes locked records, each by its own patch; the refusal of one does not stop the others. */
  change(
    tx: Transaction,
    context: WriteContext,
    records: readonly { readonly current: OwnedRow; readonly patch: object }[],
  ): Promise<readonly BulkResult[]>
  /** Undoes what an operation did to records of the kind. */
  readonly undo: Undo
  /** Takes back what several operations did to a record whose row is locked. */
  takeBack(tx: Transaction, context: CrmContext, past: RecordPast): Promise<TakenBack>
}

/** Undoes what an operation did to records of one kind. */
export type Undo = (
  tx: Transaction,
  context: CrmContext & WriteContext,
  records: readonly OperationRecord[],
) => Promise<readonly BulkResult[]>

/** The kinds of record that every workspace has. */
const builtIn: readonly ChangedKind[] = [
  changed({ writer: leadWriter, patch: leads.operations.update.body }),
  changed({ writer: contactWriter, patch: contacts.operations.update.body }),
  changed({ writer: companyWriter, patch: companies.operations.update.body }),
  changed({ writer: dealWriter, patch: deals.operations.update.body }),
  changed({ writer: taskWriter, patch: tasks.operations.update.body }),
  changed({ writer: projectWriter, patch: projects.operations.update.body }),
  changed({ writer: activityWriter, patch: activities.operations.update.body }),
  changed({ writer: productWriter, patch: products.operations.update.body }),
  changed({ writer: priceListWriter, patch: priceLists.operations.update.body }),
  changed({ writer: quoteWriter, patch: quotes.operations.update.body }),
  changed({ writer: orderWriter, patch: orders.operations.update.body }),
  changed({ writer: invoiceWriter, patch: invoices.operations.update.body }),
  changed({ writer: documentWriter, patch: documents.operations.update.body }),
  ...plainRecords.map(({ writer, resource }) => changed({ writer, patch: resource.operations.update.body })),
]

function changed<Row extends OwnedRow, Patch extends object>(undoing: Undoing<Row, Patch>): ChangedKind {
  const { writer } = undoing
  return {
    kind: writer.kind,
    change: async (tx, context, records) => {
      const traces: Trace[] = []
      const results: BulkResult[] = []
      for (const { current, patch } of records)
        results.push(await changeOne(tx, context, writer, current as Row, patch as Patch, traces))
      await leaveTrace(tx, context, writer.kind, joinTraces(traces))
      return results
    },
    undo: (tx, context, records) => undoRecords(tx, context, undoing, records),
    takeBack: (tx, context, past) => takeBackRecord(tx, context, undoing, past),
  }
}

/** Returns every kind whose records change and have owners: those of every workspace, then its custom entities. */
export async function changedKinds(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered'>,
): Promise<readonly ChangedKind[]> {
  const custom = await recallCustomEntities(db, context)
  return [
    ...builtIn,
    ...custom.map((entity) =>
      changed({ writer: customRecordWriter(entity), patch: customRecords.operations.update.body }),
    ),
  ]
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
  return (await changedKinds(db, context)).find(({ kind }) => kind.entityType === entityType)?.undo
}
