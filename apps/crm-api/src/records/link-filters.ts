import { schema } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Filter, OwnedTable } from './owned/kind.ts'

const { recordLinks } = schema

/** The kinds of record that are linked to others. */
export type LinkingEntity = (typeof recordLinks.$inferSelect)['fromType']

/**
 * Returns the filters `entityType` and `entityId` of the tasks or activities that are linked to one record. A list calls
 * `requireListedRecord` first, so that callers learn nothing about records out of sight.
 */
export function linkFilters(
  fromType: LinkingEntity,
  table: Pick<OwnedTable, 'workspaceId' | 'id'>,
): Readonly<Record<'entityType' | 'entityId', Filter>> {
  const hangsOn = (target: SQL): SQL => {
    const fromIt = and(
      eq(recordLinks.workspaceId, table.workspaceId),
      eq(recordLinks.fromType, fromType),
      eq(recordLinks.fromId, table.id),
      target,
    )
    return sql`EXISTS (SELECT FROM ${recordLinks} WHERE ${fromIt})`
  }
  return {
    entityType: { condition: (value: string) => hangsOn(eq(recordLinks.entityType, value)) },
    entityId: { condition: (value: string) => hangsOn(eq(recordLinks.entityId, value)) },
  }
}
