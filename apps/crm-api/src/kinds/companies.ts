import { isAnyOf, rowReader, schema, isAddress } from '@crm/db'
import { company } from '@crm/model'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import { followUpConditions, followUpModules, followUpValues, followedUp, type FollowedUp } from './follow-ups.ts'

const { companies } = schema

/** A company as it is read. */
export type CompanyRow = Omit<
  typeof companies.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'
> &
  FollowedUp

export const companyKind: RecordKind<CompanyRow> = {
  entityType: company.entity,
  noun: company.noun,
  table: companies,
  rows: rowReader(shownColumns(companies, 'companies'), followedUp),
  title: ({ name }) => name,
  filters: {
    ids: { condition: (ids: readonly string[]) => isAnyOf(companies.id, ids) },
    ...filtersOf(company, companies),
    domain: { condition: (value: string) => isAddress(companies.domain, value) },
    ...followUpConditions(companies),
  },
  sortable: sortableOf(company, companies),
  fieldModules: followUpModules,
  computed: { ...followUpValues(companies) },
  customFields: 'COMPANY',
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
