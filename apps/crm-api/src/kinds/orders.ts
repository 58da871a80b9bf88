import { rowReader, schema } from '@crm/db'
import { order } from '@crm/model'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import {
  issuedConditions,
  commercialFollowers,
  commercialTimeline,
  titleOf,
  withAmounts,
  type OrderRow,
} from './commercial.ts'

const { orders } = schema

export const orderKind: RecordKind<OrderRow> = {
  entityType: order.entity,
  noun: order.noun,
  table: orders,
  rows: withAmounts(rowReader(shownColumns(orders, 'orders'))),
  title: (row) => titleOf('order', row),
  filters: { ...filtersOf(order, orders), ...issuedConditions(orders) },
  sortable: sortableOf(order, orders),
  customFields: null,
  timelineKinds: commercialTimeline,
  followers: [...commercialFollowers, 'confirmedAt', 'fulfilledAt', 'cancelledAt'],
  tellsEvents: true,
}
