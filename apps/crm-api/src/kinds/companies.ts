import { isAnyOf, rowReader, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import {
  followUpConditions,
  followUpModules,
  followUpOrders,
  followUpValues,
  followedUp,
  type FollowedUp,
} from './follow-ups.ts'

const { companies } = schema

/** A company as it is read. */
export type CompanyRow = Omit<
  typeof companies.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'
> &
  FollowedUp

export const companyKind: RecordKind<CompanyRow> = {
  entityType: 'COMPANY',
  noun: 'company',
  table: companies,
  rows: rowReader(shownColumns(companies, 'companies'), followedUp),
  title: ({ name }) => name,
  filters: {
    ids: { condition: (ids: readonly string[]) => isAnyOf(companies.id, ids) },
    industryId: equals(companies.industryId),
    parentId: equals(companies.parentId),
    domain: { condition: (value: string) => sql`lower(${companies.domain}) = lower(${value})` },
    ...followUpConditions(companies),
  },
  sortable: {
    updatedAt: companies.updatedAt,
    name: companies.name,
    domain: companies.domain,
    ...followUpOrders(companies),
  },
  fieldModules: followUpModules,
  computed: { ...followUpValues(companies) },
  customFields: 'COMPANY',
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
