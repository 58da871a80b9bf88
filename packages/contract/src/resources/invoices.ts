import { invoice as kind } from '@crm/model'
import * as z from 'zod'
import { byId, day, decimal, id, instant, instantInput, recordFields, text } from '../fields.ts'
import { bytes } from '../handlers.ts'
import { limitList } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { commercialFilters, mailInput } from './commercial.ts'

export { invoiceStatuses } from '@crm/model'

export const paymentMethods = ['CASH', 'CARD', 'BANK_TRANSFER', 'ONLINE', 'OTHER'] as const

/** An invoice as the API shows it (docs/guide/finance.md). */
export const invoice = recordOf(kind)
export type InvoiceRecord = z.output<typeof invoice>

export const payment = z.object({
  ...recordFields,
  invoiceId: id,
  amount: z.string(),
  currency: z.string(),
  paidAt: instant,
  method: z.enum(paymentMethods),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  reversedAt: instant.nullable(),
  reversedById: id.nullable(),
  reversalReason: z.string().nullable(),
})
export type PaymentRecord = z.output<typeof payment>

const invoiceInput = inputOf(kind)
export type InvoiceInput = z.output<typeof invoiceInput>

const invoicePatch = patchOf(kind)
export type InvoicePatch = z.output<typeof invoicePatch>

const paymentInput = z.strictObject({
  amount: decimal.refine((value) => !value.startsWith('-') && /[1-9]/.test(value), 'Expected an amount above zero'),
  paidAt: z
    .union([instantInput, day.transform((value) => `${value}T00:00:00.000Z`)])
    .optional()
    .meta({ description: 'Now unless told', format: 'date-time' }),
  method: z.enum(paymentMethods).default('OTHER'),
  reference: text(200).optional(),
  note: text(2000).optional(),
})
export type PaymentInput = z.output<typeof paymentInput>

const invoiceSortFields = sortFieldsOf(kind)

const mayUpdate = { all: ['UPDATE_INVOICE'] } as const

/** The answer with a payment includes the invoice after it. */
const paymentReply = payment.extend({ invoice })

const invoiceList = limitList(invoice, invoiceSortFields, { ...commercialFilters, ...filtersOf(kind) })

export const invoices = resource(
  { name: 'invoices', entity: kind.entity },
  'FINANCE',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/invoices',
        noun: 'invoice',
        plural: 'invoices',
        record: invoice,
        create: invoiceInput,
        update: invoicePatch,
        list: invoiceList,
        access: entityAccess('INVOICE'),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/invoices',
      summary: 'Create an invoice',
      description: 'A draft; the amounts are computed from the lines. The number is drawn when it is issued.',
      access: { all: ['CREATE_INVOICE'] },
      body: invoiceInput,
      reply: data(201, invoice),
      errors: ['INVALID_CURRENCY'],
      idempotent: true,
    },
    update: {
      method: 'PATCH',
      path: '/api/invoices/{id}',
      summary: 'Change an invoice',
      description: 'After it was issued, only owner, tags, notes and dueDate change.',
      access: mayUpdate,
      params: byId,
      body: invoicePatch,
      reply: data(200, invoice),
      errors: ['INVALID_CURRENCY', 'INVOICE_LOCKED'],
    },
    delete: {
      method: 'DELETE',
      path: '/api/invoices/{id}',
      summary: 'Delete a draft of an invoice',
      description: 'An issued invoice stays; void it instead.',
      access: { all: ['DELETE_INVOICE'] },
      params: byId,
      reply: data(200, z.object({ id })),
      errors: ['INVOICE_LOCKED'],
    },
    issue: {
      method: 'POST',
      path: '/api/invoices/{id}/issue',
      summary: 'Issue an invoice: it gets its number, and its lines and parties are fixed',
      description: 'VALIDATION_ERROR when it would be due before the day of issue.',
      access: mayUpdate,
      params: byId,
      reply: data(200, invoice),
      errors: ['VALIDATION_ERROR', 'INVALID_TRANSITION', 'NUMBER_IN_USE'],
      destructive: true,
    },
    send: {
      method: 'POST',
      path: '/api/invoices/{id}/send',
      summary: 'Send an invoice by mail as PDF',
      description: 'Issues a draft first. The mail goes out in the background.',
      access: mayUpdate,
      params: byId,
      body: mailInput,
      reply: data(200, invoice),
      errors: ['INVALID_TRANSITION', 'NUMBER_IN_USE'],
      idempotent: true,
      destructive: true,
    },
    void: {
      method: 'POST',
      path: '/api/invoices/{id}/void',
      summary: 'Void an issued invoice without payments; its number stays used and its payment link stops working',
      access: mayUpdate,
      params: byId,
      reply: data(200, invoice),
      errors: ['INVALID_TRANSITION'],
      destructive: true,
    },
    uncollectible: {
      method: 'POST',
      path: '/api/invoices/{id}/uncollectible',
      summary: 'Give an unpaid invoice up',
      access: mayUpdate,
      params: byId,
      reply: data(200, invoice),
      errors: ['INVALID_TRANSITION'],
    },
    duplicate: {
      method: 'POST',
      path: '/api/invoices/{id}/duplicate',
      summary: 'Make a new draft with the lines and parties of an invoice',
      access: { all: ['CREATE_INVOICE'] },
      params: byId,
      body: z.strictObject({ issueDate: day.nullable().optional(), dueDate: day.nullable().optional() }).optional(),
      reply: data(201, invoice),
      errors: ['INVALID_CURRENCY'],
      idempotent: true,
    },
    paymentLink: {
      method: 'POST',
      path: '/api/invoices/{id}/payment-link',
      summary: 'Create a payment link: a page that shows an issued invoice and how to pay it',
      description: 'An earlier link of the invoice stops working, and voiding the invoice turns the link off.',
      access: mayUpdate,
      params: byId,
      body: z.strictObject({ expiresAt: instantInput.nullable().optional() }).optional(),
      reply: data(201, z.object({ url: z.string(), token: z.string(), expiresAt: instant.nullable() })),
      errors: ['INVALID_TRANSITION'],
      idempotent: true,
      preview: false,
    },
    payments: {
      method: 'GET',
      path: '/api/invoices/{id}/payments',
      summary: 'List the payments of an invoice, the reversed ones too',
      access: { all: ['VIEW_INVOICE'] },
      params: byId,
      reply: { status: 200, body: z.object({ items: z.array(payment), total: z.int() }) },
    },
    recordPayment: {
      method: 'POST',
      path: '/api/invoices/{id}/payments',
      summary: 'Record a payment of an issued invoice',
      access: mayUpdate,
      params: byId,
      body: paymentInput,
      reply: data(201, paymentReply),
      errors: ['INVALID_TRANSITION', 'PAYMENT_EXCEEDS_BALANCE'],
      idempotent: true,
    },
    reversePayment: {
      method: 'POST',
      path: '/api/invoices/{id}/payments/{paymentId}/reverse',
      summary: 'Take a payment back, for example because it bounced',
      access: mayUpdate,
      params: byId.extend({ paymentId: id }),
      body: z.strictObject({ reason: text(500).optional() }).optional(),
      reply: data(200, paymentReply),
      errors: ['PAYMENT_ALREADY_REVERSED'],
      idempotent: true,
    },
    pdf: {
      method: 'GET',
      path: '/api/invoices/{id}/pdf',
      summary: 'Download an invoice as PDF',
      access: { all: ['VIEW_INVOICE'] },
      params: byId,
      reply: bytes('application/pdf'),
    },
  }),
)
