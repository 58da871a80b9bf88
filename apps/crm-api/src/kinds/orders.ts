import { rowReader, schema } from '@crm/db'
import { equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import {
  commercialConditions,
  commercialFollowers,
  commercialTimeline,
  titleOf,
  withAmounts,
  type OrderRow,
} from './commercial.ts'

const { orders, recordCounts } = schema

export const orderKind: RecordKind<OrderRow> = {
  entityType: 'ORDER',
  noun: 'order',
  table: orders,
  rows: withAmounts(rowReader(shownColumns(orders, 'orders'))),
  title: (row) => titleOf('order', row),
  filters: { ...commercialConditions(orders), status: equals(orders.status, recordCounts.status) },
  sortable: {
    updatedAt: orders.updatedAt,
    number: orders.number,
    status: orders.status,
    issueDate: orders.issueDate,
    dueDate: orders.dueDate,
    total: orders.total,
  },
  customFields: null,
  timelineKinds: commercialTimeline,
  followers: [...commercialFollowers, 'confirmedAt', 'fulfilledAt', 'cancelledAt'],
  tellsEvents: true,
}
