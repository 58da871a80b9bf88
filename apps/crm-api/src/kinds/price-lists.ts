import { rowReader, schema } from '@crm/db'
import { contains, equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'

const { priceLists } = schema

/** A price list as it is read. */
export type PriceListRow = Omit<
  typeof priceLists.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'
>

export const priceListKind: RecordKind<PriceListRow> = {
  entityType: 'PRICE_LIST',
  noun: 'price list',
  table: priceLists,
  rows: rowReader(shownColumns(priceLists, 'priceLists')),
  title: ({ name }) => name,
  filters: {
    currency: equals(priceLists.currency),
    isDefault: equals(priceLists.isDefault),
    isActive: equals(priceLists.isActive),
    companyId: contains(priceLists.companyIds),
  },
  sortable: {
    updatedAt: priceLists.updatedAt,
    name: priceLists.name,
    priority: priceLists.priority,
    startsAt: priceLists.startsAt,
    endsAt: priceLists.endsAt,
  },
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: false,
}
