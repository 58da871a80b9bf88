import { rowReader, schema } from '@crm/db'
import { invoice } from '@crm/model'
import { sql } from 'drizzle-orm'
import { whether, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import {
  issuedConditions,
  commercialFollowers,
  commercialTimeline,
  titleOf,
  withAmounts,
  type InvoiceRow,
} from './commercial.ts'

const { invoices } = schema

const isOverdueOn = (day: string) =>
  sql`(${invoices.status} IN ('ISSUED', 'PARTIALLY_PAID') AND ${invoices.dueDate} < ${day} AND ${invoices.total} > 0)`

export const invoiceKind: RecordKind<InvoiceRow> = {
  entityType: invoice.entity,
  noun: invoice.noun,
  table: invoices,
  rows: withAmounts(rowReader(shownColumns(invoices, 'invoices'))),
  title: (row) => titleOf('invoice', row),
  filters: {
    ...filtersOf(invoice, invoices),
    ...issuedConditions(invoices),
    isOverdue: { ...whether(({ today }) => isOverdueOn(today)), passes: true },
  },
  sortable: sortableOf(invoice, invoices),
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
