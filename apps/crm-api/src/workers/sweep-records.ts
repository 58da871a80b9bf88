import { inTransaction, schema } from '@crm/db'
import { doDueWork, type DueWork, type RoundDeps } from '@crm/jobs'
import { getTableName, sql } from 'drizzle-orm'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import {
  purgeRecord,
  selectPurgeable,
  type PurgeableKey,
  type PurgedKind,
  type ReferringColumn,
} from '../records/owned/purge.ts'
import { keptMs } from '../records/owned/restore.ts'

const {
  bookings,
  companies,
  contacts,
  customRecords,
  deals,
  documentRecords,
  invoices,
  leads,
  orders,
  products,
  projects,
  quotes,
  tasks,
} = schema

/** How often records are looked for that can no longer be restored. */
export const recordsRoundMs = 10 * 60_000
const foundAtOnce = 100

/**
 * The columns that refer to records of a kind. Lists of ids are left out: a price list that lost its last company must not
 * become a list for everybody.
 */
export const referredToBy: Partial<Record<KnownEntity, readonly ReferringColumn[]>> = {
  COMPANY: [
    { table: contacts, column: contacts.companyId },
    { table: deals, column: deals.companyId },
    { table: leads, column: leads.companyId },
    { table: projects, column: projects.companyId },
    { table: companies, column: companies.parentId },
    ...documentsBy('companyId'),
  ],
  CONTACT: [
    { table: deals, column: deals.contactId },
    { table: leads, column: leads.contactId },
    { table: bookings, column: bookings.contactId },
    ...documentsBy('contactId'),
  ],
  DEAL: [
    { table: leads, column: leads.dealId },
    { table: projects, column: projects.dealId },
    ...documentsBy('dealId'),
  ],
  LEAD: [
    { table: deals, column: deals.leadId },
    { table: bookings, column: bookings.leadId },
  ],
  PROJECT: [{ table: tasks, column: tasks.projectId }],
  TASK: [{ table: tasks, column: tasks.parentTaskId }],
  PRODUCT: [{ table: products, column: products.parentId }],
  // No document is made from a deleted template, unless both happen at once.
  DOCUMENT: [{ table: documentRecords, column: documentRecords.documentId, keptBy: documentRecords.documentId }],
}

function documentsBy(column: 'companyId' | 'contactId' | 'dealId'): ReferringColumn[] {
  return [quotes, orders, invoices].map((table) => ({ table, column: table[column], keptBy: table.number }))
}

const numbered: readonly string[] = ['QUOTE', 'ORDER', 'INVOICE']

const kinds: readonly PurgedKind[] = [
  ...(Object.keys(recordKinds) as KnownEntity[]).map((entityType) => ({
    table: recordKinds[entityType].table,
    entityType: sql<string>`${entityType}::text`,
    referredToBy: referredToBy[entityType] ?? [],
    staysNumbered: numbered.includes(entityType),
  })),
  {
    table: customRecords,
    entityType: sql<string>`upper(${customRecords.entityKey})`,
    referredToBy: [],
    staysNumbered: false,
  },
]

/**
 * Deletes records for good that can no longer be restored, each in a short transaction of its own.
 * Several processes may sweep at once: each claims records that no other process holds.
 */
export async function sweepRecords(deps: RoundDeps): Promise<void> {
  for (const kind of kinds) await doDueWork(deps, purgeOf(deps, kind))
}

function purgeOf({ db, clock }: RoundDeps, kind: PurgedKind): DueWork<PurgeableKey> {
  const name = `purge-${getTableName(kind.table).replaceAll('_', '-')}`
  const deletedBy = (): string => new Date(clock.now().getTime() - keptMs).toISOString()
  return {
    name,
    everyMs: recordsRoundMs,
    batch: foundAtOnce,
    find: (at, limit) => selectPurgeable(db, kind, { deletedBy: deletedBy(), work: name, at }, limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (keys) => {
      const times = { at: clock.now().toISOString(), deletedBy: deletedBy() }
      for (const key of keys) await inTransaction(db, undefined, (tx) => purgeRecord(tx, kind, key, times))
    },
  }
}
