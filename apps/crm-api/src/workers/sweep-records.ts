import { inTransaction, schema } from '@crm/db'
import { doDueWork, type DueWork, type RoundDeps } from '@crm/jobs'
import { kindEntities, kindOf } from '@crm/model'
import { getTableName, sql } from 'drizzle-orm'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import { referringColumns } from '../kinds/referring-columns.ts'
import {
  purgeRecord,
  selectPurgeable,
  type PurgeableKey,
  type PurgedKind,
  type ReferringColumn,
} from '../records/owned/purge.ts'
import { keptMs } from '../records/owned/restore.ts'

const { customRecords } = schema

/** How often records are looked for that can no longer be restored. */
export const recordsRoundMs = 10 * 60_000
const foundAtOnce = 100

/**
 * Returns the columns that a purge clears. Lists of ids are left out: a price list that lost its last company must not become a list for
 * everybody.
 */
export function referredToBy(entityType: KnownEntity): readonly ReferringColumn[] {
  return referringColumns(entityType).filter(({ isList }) => !isList)
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
