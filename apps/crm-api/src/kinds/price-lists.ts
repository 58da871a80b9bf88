import { rowReader, schema } from '@crm/db'
import { priceList } from '@crm/model'
import { contains, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { priceLists } = schema

/** A price list as it is read. */
export type PriceListRow = Omit<
  typeof priceLists.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'
>

export const priceListKind: RecordKind<PriceListRow> = {
  entityType: priceList.entity,
  noun: priceList.noun,
  table: priceLists,
  rows: rowReader(shownColumns(priceLists, 'priceLists')),
  title: ({ name }) => name,
  filters: { ...filtersOf(priceList, priceLists), companyId: contains(priceLists.companyIds) },
  sortable: sortableOf(priceList, priceLists),
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: false,
}
