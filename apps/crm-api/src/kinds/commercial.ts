import type { RowReader, schema } from '@crm/db'
import { toAmount } from '@crm/pricing'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { atLeast, atMost, type Filter } from '../records/owned/kind.ts'

/** The columns of the tables that the API does not show. */
type Hidden = 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'

export type QuoteRow = Omit<typeof schema.quotes.$inferSelect, Hidden>
export type OrderRow = Omit<typeof schema.orders.$inferSelect, Hidden>
export type InvoiceRow = Omit<typeof schema.invoices.$inferSelect, Hidden>

/** The columns that quotes, orders and invoices share when they are read. */
export type CommercialRow = Omit<
  QuoteRow,
  'status' | 'expiresAt' | 'sentAt' | 'decidedAt' | 'convertedType' | 'convertedId'
>

/** The columns that a new document is written with, besides those of its kind. */
export type CommercialValues = Omit<
  CommercialRow,
  'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'number' | 'externalSource' | 'externalId'
>

const amountFields = ['subtotal', 'discountTotal', 'taxTotal', 'total', 'amountPaid'] as const

/** Returns a row reader that gives amounts the digits of their currency, whatever the scale of the column. */
export function withAmounts<Row extends { readonly currency: string }>(rows: RowReader<Row>): RowReader<Row> {
  return {
    ...rows,
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

/** Returns the filters by day of issue under their older names. */
export function issuedConditions({ issueDate }: { readonly issueDate: PgColumn }): Readonly<Record<string, Filter>> {
  return { issuedFrom: atLeast(issueDate), issuedTo: atMost(issueDate) }
}

/** Returns the title of a document: its number, or the word for a draft. */
export function titleOf(noun: string, { number, partyName }: Pick<CommercialRow, 'number' | 'partyName'>): string {
  const name = number ?? `Draft ${noun}`
  return partyName ? `${name}, ${partyName}` : name
}

/** Fields that follow from other fields and have no entry of their own in the history. */
export const commercialFollowers = [
  'departmentId',
  'partyName',
  'subtotal',
  'discountTotal',
  'taxTotal',
  'taxes',
] as const

export const commercialTimeline = { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' } as const
