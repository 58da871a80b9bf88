import { inTransaction, schema } from '@crm/db'
import { doDueWork, type DueWork, type RoundDeps } from '@crm/jobs'
import { kindEntities, kindOf, referencesTo, type ReferenceField } from '@crm/model'
import { getTableName, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import {
  purgeRecord,
  selectPurgeable,
  type PurgeableKey,
  type PurgedKind,
  type ReferringColumn,
} from '../records/owned/purge.ts'
import { keptMs } from '../records/owned/restore.ts'

const { bookings, customRecords, documentRecords } = schema

/** How often records are looked for that can no longer be restored. */
export const recordsRoundMs = 10 * 60_000
const foundAtOnce = 100

/** The columns outside of records that refer to them. */
const others: readonly (ReferringColumn & { readonly to: KnownEntity })[] = [
  { to: 'CONTACT', table: bookings, column: bookings.contactId },
  { to: 'LEAD', table: bookings, column: bookings.leadId },
  // No document is made from a deleted template, unless both happen at once.
  { to: 'DOCUMENT', table: documentRecords, column: documentRecords.documentId, keptBy: documentRecords.documentId },
]

/**
 * Returns the columns that refer to records of a kind. Lists of ids are left out: a price list that lost its last company must not
 * become a list for everybody.
 */
export function referredToBy(entityType: KnownEntity): readonly ReferringColumn[] {
  const ofRecords = referencesTo(entityType).filter(({ isList }) => !isList)
  return [...ofRecords.map(columnOf), ...others.filter(({ to }) => to === entityType)]
}

function columnOf({ from, name, keeps }: ReferenceField): ReferringColumn {
  const { table } = recordKinds[from]
  const columns = table as typeof table & Readonly<Record<string, PgColumn>>
  const column = columns[name] as PgColumn
  const number = columns['number']
  return keeps && number ? { table, column, keptBy: number } : { table, column }
}

const kinds: readonly PurgedKind[] = [
  ...kindEntities.map((entityType) => ({
    table: recordKinds[entityType].table,
    entityType: sql<string>`${entityType}::text`,
    referredToBy: referredToBy(entityType),
    staysNumbered: kindOf(entityType)?.numbered !== undefined,
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
