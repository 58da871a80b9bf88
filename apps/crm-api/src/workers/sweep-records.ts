import { inTransaction, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { CrmApiDeps } from '../platform/deps.ts'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import {
  purgeRecord,
  selectPurgeable,
  type PurgeableKey,
  type PurgedKind,
  type PurgeTimes,
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

/** The number of records of a kind that one query claims, and the number of queries of a sweep: a process that ends waits for its sweep. */
const batch = 100
const looksMax = 5

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

type SweepDeps = Pick<CrmApiDeps, 'db' | 'clock' | 'logger'>

/**
 * Deletes records for good that can no longer be restored, each in a short transaction of its own.
 * Several processes may sweep at once: each claims records that no other process holds.
 */
export async function sweepRecords(deps: SweepDeps): Promise<void> {
  for (const kind of kinds) await sweepKind(deps, kind)
}

async function sweepKind(deps: SweepDeps, kind: PurgedKind): Promise<void> {
  const now = deps.clock.now()
  const times = { at: now.toISOString(), deletedBy: new Date(now.getTime() - keptMs).toISOString() }
  for (let look = 0; look < looksMax; look += 1) {
    const keys = await selectPurgeable(deps.db, kind, times.deletedBy, batch)
    let purged = 0
    for (const key of keys) purged += (await purge(deps, kind, key, times)) ? 1 : 0
    // The records that could not be deleted would come first again: they are left to the next round.
    if (keys.length < batch || purged === 0) return
  }
}

/** Purges each record. A failure does not stop the others; it is tried again with the next sweep. */
async function purge(
  { db, logger }: SweepDeps,
  kind: PurgedKind,
  key: PurgeableKey,
  times: PurgeTimes,
): Promise<boolean> {
  try {
    return await inTransaction(db, undefined, (tx) => purgeRecord(tx, kind, key, times))
  } catch (error) {
    logger.warn({ err: error, entityType: key.entityType, entityId: key.id }, 'a deleted record could not be purged')
    return false
  }
}
