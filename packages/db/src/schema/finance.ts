import { documentTemplate, invoice, order, quote } from '@crm/model'
import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  type PgColumn,
} from 'drizzle-orm/pg-core'
import { bytes, instant, isTwin, rowId, searchText, stamps, workspaceId } from '../columns.ts'
import { folded } from '../folding.ts'
import { columnsOf } from '../of-kind.ts'
import { employees, workspaces } from './core.ts'
import { companies, contacts, deals, owned, ownedIndexes } from './crm.ts'
import { files } from './files.ts'

export type QuoteStatus = 'DRAFT' | 'SENT' | 'ACCEPTED' | 'DECLINED' | 'EXPIRED' | 'CONVERTED'
export type OrderStatus = 'DRAFT' | 'CONFIRMED' | 'FULFILLED' | 'CANCELLED'
export type InvoiceStatus = 'DRAFT' | 'ISSUED' | 'PARTIALLY_PAID' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE'
export type TaxMode = 'EXCLUSIVE' | 'INCLUSIVE' | 'NONE'
export type PaymentMethod = 'CASH' | 'CARD' | 'BANK_TRANSFER' | 'ONLINE' | 'OTHER'

/** A discount of a line or of a whole document. */
export interface StoredDiscount {
  readonly type: 'PERCENT' | 'AMOUNT'
  /** A decimal string. */
  readonly value: string
}

/** A line of a quote, an order or an invoice; amounts and quantities are decimal strings. */
export interface StoredLine {
  readonly productId: string | null
  readonly name: string
  readonly description: string | null
  readonly quantity: string
  readonly unitId: string | null
  readonly unitPrice: string
  /** The price of the whole quantity by the price lists, before the discount; the unit price is rounded, and this is not its product. */
  readonly gross?: string
  /** As received: an amount, or a discount with its type. */
  readonly discount: string | StoredDiscount | null
  readonly taxRateId: string | null
  /** Before the discount of the document, without tax. */
  readonly net: string
  readonly tax: string
  readonly total: string
}

/** The sum of one tax rate in a document; name and rate are from the time of the document. */
export interface StoredTax {
  readonly taxRateId: string
  readonly name: string
  readonly rate: string
  readonly base: string
  readonly amount: string
}

const amount = (name: string) => numeric(name, { precision: 18, scale: 6 })

/** The columns that quotes, orders and invoices share. */
const header = () => ({
  workspaceId: workspaceId(),
  id: rowId(),
  // Lines are read and written only together with their document.
  items: jsonb('items').$type<StoredLine[]>().notNull().default([]),
  discount: jsonb('discount').$type<StoredDiscount>(),
  taxes: jsonb('taxes').$type<StoredTax[]>().notNull().default([]),
  ...owned(),
  searchText: searchText(
    sql`coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500)`,
  ),
})

interface HeaderColumns {
  readonly workspaceId: PgColumn
  readonly id: PgColumn
  readonly number: PgColumn
  readonly status: PgColumn
  readonly companyId: PgColumn
  readonly contactId: PgColumn
  readonly dealId: PgColumn
  readonly ownerId: PgColumn
  readonly departmentId: PgColumn
  readonly createdAt: PgColumn
  readonly deletedAt: PgColumn
  readonly externalSource: PgColumn
  readonly externalId: PgColumn
}

const headerRules = (name: string, t: HeaderColumns) => [
  ...ownedIndexes(name, t),
  // A number is never reused, not even after the deletion of its document.
  uniqueIndex(`${name}_number`).on(t.workspaceId, t.number),
  index(`${name}_by_status`)
    .on(t.workspaceId, t.status, t.createdAt, t.id)
    .where(sql`${t.deletedAt} is null`),
  index(`${name}_by_company`).on(t.workspaceId, t.companyId),
  index(`${name}_by_contact`).on(t.workspaceId, t.contactId),
  index(`${name}_by_deal`).on(t.workspaceId, t.dealId),
]

const headerReferences = (name: string, t: HeaderColumns) => [
  foreignKey({
    columns: [t.workspaceId as never, t.companyId as never],
    foreignColumns: [companies.workspaceId, companies.id],
    name: `${name}_company`,
  }),
  foreignKey({
    columns: [t.workspaceId as never, t.contactId as never],
    foreignColumns: [contacts.workspaceId, contacts.id],
    name: `${name}_contact`,
  }),
  foreignKey({
    columns: [t.workspaceId as never, t.dealId as never],
    foreignColumns: [deals.workspaceId, deals.id],
    name: `${name}_deal`,
  }),
  foreignKey({
    columns: [t.workspaceId as never, t.ownerId as never],
    foreignColumns: [employees.workspaceId, employees.id],
    name: `${name}_owner`,
  }),
]

export const quotes = pgTable(
  'quotes',
  {
    ...columnsOf(quote),
    ...header(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...headerRules('quotes', t),
    ...headerReferences('quotes', t),
  ],
)

export const orders = pgTable(
  'orders',
  {
    ...columnsOf(order),
    ...header(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...headerRules('orders', t),
    ...headerReferences('orders', t),
  ],
)

export const invoices = pgTable(
  'invoices',
  {
    ...columnsOf(invoice),
    ...header(),
    amountPaid: amount('amount_paid').notNull().default('0'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...headerRules('invoices', t),
    ...headerReferences('invoices', t),
    index('invoices_by_due_date')
      .on(t.workspaceId, t.dueDate)
      .where(sql`${t.deletedAt} is null and ${t.status} in ('ISSUED', 'PARTIALLY_PAID')`),
  ],
)

/** Payments of an invoice; a reversed payment stays in the history. */
export const payments = pgTable(
  'payments',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    invoiceId: uuid('invoice_id').notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    paidAt: instant('paid_at').notNull(),
    method: text('method').$type<PaymentMethod>().notNull(),
    reference: text('reference'),
    note: text('note'),
    reversedAt: instant('reversed_at'),
    reversedById: uuid('reversed_by_id'),
    reversalReason: text('reversal_reason'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('payments_of_invoice').on(t.workspaceId, t.invoiceId, t.paidAt, t.id),
    foreignKey({
      columns: [t.workspaceId, t.invoiceId],
      foreignColumns: [invoices.workspaceId, invoices.id],
      name: 'payments_invoice',
    }),
  ],
)

/** The public pages of invoices; only the digest of a token is kept. */
export const paymentLinks = pgTable(
  'payment_links',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    invoiceId: uuid('invoice_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('payment_links_token').on(t.workspaceId, t.tokenHash),
    index('payment_links_of_invoice').on(t.workspaceId, t.invoiceId, t.id),
    foreignKey({
      columns: [t.workspaceId, t.invoiceId],
      foreignColumns: [invoices.workspaceId, invoices.id],
      name: 'payment_links_invoice',
    }).onDelete('cascade'),
  ],
)

/** The sequences of document numbers; the row is locked while a number is drawn, so that no number is skipped. */
export const numberSequences = pgTable(
  'number_sequences',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').$type<'QUOTE' | 'ORDER' | 'INVOICE'>().notNull(),
    name: text('name').notNull(),
    pattern: text('pattern').notNull(),
    nextValue: integer('next_value').notNull().default(1),
    resetPeriod: text('reset_period').$type<'NEVER' | 'YEAR' | 'MONTH'>().notNull().default('NEVER'),
    /** The period that `nextValue` belongs to, for example 2026 or 2026-03; null before the first number. */
    period: text('period'),
    isDefault: boolean('is_default').notNull().default(false),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('number_sequences_default')
      .on(t.workspaceId, t.entityType)
      .where(sql`${t.isDefault}`),
    uniqueIndex('number_sequences_name_folded')
      .on(t.workspaceId, t.entityType, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

/** The highest value of a sequence in each of its periods, because a document may be dated back into an earlier one. */
export const numberPeriods = pgTable(
  'number_periods',
  {
    workspaceId: workspaceId(),
    sequenceId: uuid('sequence_id').notNull(),
    period: text('period').notNull(),
    lastUsed: integer('last_used').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.sequenceId, t.period] }),
    foreignKey({
      columns: [t.workspaceId, t.sequenceId],
      foreignColumns: [numberSequences.workspaceId, numberSequences.id],
      name: 'number_periods_sequence',
    }).onDelete('cascade'),
  ],
)

/** Templates of documents in markdown with variables. */
export const documents = pgTable(
  'documents',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(documentTemplate),
    ...owned(),
    searchText: searchText(sql`name || ' ' || kind`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('documents', t),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'documents_owner',
    }),
  ],
)

/** Documents made from a template for a record. */
export const documentRecords = pgTable(
  'document_records',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    documentId: uuid('document_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    title: text('title').notNull(),
    status: text('status').$type<'DRAFT' | 'SENT' | 'SIGNED' | 'VOID'>().notNull(),
    fileId: uuid('file_id'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('document_records_newest').on(t.workspaceId, t.createdAt, t.id),
    index('document_records_of_record').on(t.workspaceId, t.entityType, t.entityId, t.id),
    index('document_records_of_file')
      .on(t.workspaceId, t.fileId)
      .where(sql`${t.fileId} is not null`),
    index('document_records_of_document').on(t.workspaceId, t.documentId),
    foreignKey({
      columns: [t.workspaceId, t.documentId],
      foreignColumns: [documents.workspaceId, documents.id],
      name: 'document_records_document',
    }),
    foreignKey({
      columns: [t.workspaceId, t.fileId],
      foreignColumns: [files.workspaceId, files.id],
      name: 'document_records_file',
    }),
  ],
)
