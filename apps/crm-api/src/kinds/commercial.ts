import type { RowReader, schema } from '@crm/db'
import { toAmount } from '@crm/pricing'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { atLeast, atMost, equals, type Filter } from '../records/owned/kind.ts'

/** The columns of the tables that the API does not show. */
type Hidden = 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'

export type QuoteRow = Omit<typeof schema.quotes.$inferSelect, Hidden>
export type OrderRow = Omit<typeof schema.orders.$inferSelect, Hidden>
export type InvoiceRow = Omit<typeof schema.invoices.$inferSelect, Hidden>

/** What quotes, orders and invoices have in common when they are read. */
export type CommercialRow = Omit<
  QuoteRow,
  'status' | 'expiresAt' | 'sentAt' | 'decidedAt' | 'convertedType' | 'convertedId'
>

/** The columns that a new document is written with, besides those of its kind. */
export type CommercialValues = Omit<
  CommercialRow,
  'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'number'
>

const amountFields = ['subtotal', 'discountTotal', 'taxTotal', 'total', 'amountPaid'] as const

/** Reads amounts with the digits of their currency, whatever the scale of the column. */
export function withAmounts<Row extends { readonly currency: string }>(rows: RowReader<Row>): RowReader<Row> {
  return {
    selection: rows.selection,
    read: (raw) => {
      const row = rows.read(raw) as Row & Partial<Record<(typeof amountFields)[number], string>>
      for (const field of amountFields) {
        const value = row[field]
        if (value !== undefined) Object.assign(row, { [field]: toAmount(value, row.currency) })
      }
      return row
    },
  }
}

interface CommercialTable {
  readonly companyId: PgColumn
  readonly contactId: PgColumn
  readonly dealId: PgColumn
  readonly currency: PgColumn
  readonly total: PgColumn
  readonly issueDate: PgColumn
}

/** The filters that the three lists share. */
export function commercialConditions(table: CommercialTable): Readonly<Record<string, Filter>> {
  return {
    companyId: equals(table.companyId),
    contactId: equals(table.contactId),
    dealId: equals(table.dealId),
    currency: equals(table.currency),
    totalMin: atLeast(table.total),
    totalMax: atMost(table.total),
    issuedFrom: atLeast(table.issueDate),
    issuedTo: atMost(table.issueDate),
    issueFrom: atLeast(table.issueDate),
    issueTo: atMost(table.issueDate),
  }
}

/** How a document is called: by its number, or as the draft that it is. */
export function titleOf(noun: string, { number, partyName }: Pick<CommercialRow, 'number' | 'partyName'>): string {
  const name = number ?? `Draft ${noun}`
  return partyName ? `${name}, ${partyName}` : name
}

/** Fields that follow from others and are not told in the history by themselves. */
export const commercialFollowers = [
  'departmentId',
  'partyName',
  'subtotal',
  'discountTotal',
  'taxTotal',
  'taxes',
] as const

export const commercialTimeline = { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' } as const
