import { schema } from '@crm/db'
import { atLeast, atMost, equals, taggedWith, type Filter, type OwnedTable } from './kind.ts'

const { recordCounts } = schema

/** Returns the filters that every list of owned records has, by parameter. */
export function commonFilters(table: OwnedTable): Readonly<Record<string, Filter>> {
  return {
    ownerId: equals(table.ownerId, recordCounts.ownerId),
    createdById: equals(table.createdById),
    departmentId: equals(table.departmentId, recordCounts.departmentId),
    tag: taggedWith(table.tags),
    createdFrom: atLeast(table.createdAt),
    createdTo: atMost(table.createdAt),
    externalSource: equals(table.externalSource),
    externalId: equals(table.externalId),
    updatedFrom: atLeast(table.updatedAt),
    updatedTo: atMost(table.updatedAt),
  }
}
