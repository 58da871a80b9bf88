import { rowReader, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { atLeast, atMost, equals, whether, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import {
  commercialConditions,
  commercialFollowers,
  commercialTimeline,
  titleOf,
  withAmounts,
  type InvoiceRow,
} from './commercial.ts'

const { invoices, recordCounts } = schema

const isOverdueOn = (day: string) =>
  sql`(${invoices.status} IN ('ISSUED', 'PARTIALLY_PAID') AND ${invoices.dueDate} < ${day} AND ${invoices.total} > 0)`

export const invoiceKind: RecordKind<InvoiceRow> = {
  entityType: 'INVOICE',
  noun: 'invoice',
  table: invoices,
  rows: withAmounts(rowReader(shownColumns(invoices, 'invoices'))),
  title: (row) => titleOf('invoice', row),
  filters: {
    ...commercialConditions(invoices),
    status: equals(invoices.status, recordCounts.status),
    quoteId: equals(invoices.quoteId),
    orderId: equals(invoices.orderId),
    dueFrom: atLeast(invoices.dueDate),
    dueTo: atMost(invoices.dueDate),
    isOverdue: { ...whether(({ today }) => isOverdueOn(today)), passes: true },
  },
  sortable: {
    updatedAt: invoices.updatedAt,
    number: invoices.number,
    status: invoices.status,
    issueDate: invoices.issueDate,
    dueDate: invoices.dueDate,
    total: invoices.total,
  },
  computed: {
    isOverdue: ({ today: day }) => sql`coalesce(${isOverdueOn(day)}, false)`,
    amountDue: () =>
      sql`(CASE WHEN ${invoices.status} = 'VOID' THEN 0 ELSE ${invoices.total} - ${invoices.amountPaid} END)`,
  },
  customFields: null,
  timelineKinds: commercialTimeline,
  followers: [...commercialFollowers, 'issuedAt', 'sentAt', 'paidAt', 'voidedAt'],
  changeEvents: ({ status }, fields) => [
    ...(fields.includes('issuedAt') ? ['invoice.issued'] : []),
    ...(fields.includes('status') && status === 'PAID' ? ['invoice.paid'] : []),
  ],
  tellsEvents: true,
}
