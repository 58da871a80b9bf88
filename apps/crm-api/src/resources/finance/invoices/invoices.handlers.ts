import { invoices, success } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { createHandler, presentOne, requireRecord, writeHandlers } from '../../../records/owned/handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { listByLimit, showHandler } from '../../../domain/commercial/commercial.handlers.ts'
import { noteAct } from '../../../records/agent-acts.ts'
import { audit } from '../../../records/audit.ts'
import { commercialMailEvent } from '../../../domain/commercial/commercial.mail.ts'
import { countMail, queueMail } from '../../../domain/mail/outgoing-mail.ts'
import { downloadPdf } from '../../../domain/commercial/commercial.pdf.ts'
import type { InvoiceRow } from '../../../kinds/commercial.ts'
import { decideTransition } from '../../../domain/commercial/commercial.status.ts'
import {
  createInvoice,
  duplicateInvoice,
  giveUpInvoice,
  invoiceWriter,
  issueInvoice,
  presentInvoices,
  sendInvoice,
  voidInvoice,
} from './invoices.commands.ts'
import { openPaymentLink } from './invoices.payment-links.ts'
import { listPayments, recordPayment, reversePayment } from './invoices.payments.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { invoiceMachine } from './invoices.status.ts'

const get = showHandler(invoiceKind, presentInvoices)

/** Runs work on an invoice that is locked for a change. */
function withLocked<T>(
  context: CrmContext,
  id: string,
  work: (tx: Transaction, row: InvoiceRow) => Promise<T>,
): Promise<T> {
  const scope = context.scope('INVOICE', 'UPDATE')
  return context.transact(async (tx) => work(tx, await lockRecord(tx, context, invoiceKind, scope, id)))
}

/** Runs work on a locked invoice and shows the invoice. */
async function toInvoice(
  context: CrmContext,
  id: string,
  work: (tx: Transaction, row: InvoiceRow) => Promise<InvoiceRow>,
) {
  return success(
    await withLocked(context, id, async (tx, row) => presentOne(presentInvoices, tx, context, await work(tx, row))),
  )
}

export const implementedInvoices = implement(invoices, {
  get,
  ...writeHandlers(invoiceWriter, presentInvoices),

  list: ({ query }, context) => listByLimit(invoiceKind, context, query, presentInvoices),
  ...summaryHandler(invoiceKind),

  create: createHandler(createInvoice, presentInvoices),

  issue: ({ params }, context) => toInvoice(context, params.id, (tx, row) => issueInvoice(tx, context, row)),
  void: ({ params }, context) => toInvoice(context, params.id, (tx, row) => voidInvoice(tx, context, row)),
  uncollectible: ({ params }, context) => toInvoice(context, params.id, (tx, row) => giveUpInvoice(tx, context, row)),

  send: ({ params, body }, context) =>
    toInvoice(context, params.id, async (tx, row) => {
      const sent = await sendInvoice(tx, context, row, body.to)
      await countMail(context, body)
      await queueMail(tx, context, commercialMailEvent, { entityType: 'INVOICE', entityId: sent.id, mail: body })
      return sent
    }),

  duplicate: async ({ params, body }, context) => {
    const row = await requireRecord(context, invoiceKind, params.id)
    context.expectVersion(row.version)
    return success(
      await context.transact(async (tx) =>
        presentOne(presentInvoices, tx, context, await duplicateInvoice(tx, context, row, body ?? {})),
      ),
    )
  },

  paymentLink: async ({ params, body }, context) =>
    success(
      await withLocked(context, params.id, async (tx, row) => {
        decideTransition(invoiceMachine, 'paymentLink', row.status)
        const opened = await openPaymentLink(tx, context, row.id, body?.expiresAt ?? null)
        const { expiresAt } = opened
        await noteAct(tx, context, { entityType: 'INVOICE', entityId: row.id, title: row.number, told: 'CHANGED' })
        await audit(tx, context, {
          action: 'payment-link.opened',
          subjectType: 'INVOICE',
          subjectId: row.id,
          summary: `Created a payment link of the invoice ${row.number ?? ''}`.trimEnd(),
          data: { expiresAt },
        })
        return opened
      }),
    ),

  payments: async ({ params }, context) => {
    const { id } = await requireRecord(context, invoiceKind, params.id)
    const items = await listPayments(context.db, context.workspace.id, id)
    return { items, total: items.length }
  },

  recordPayment: async ({ params, body }, context) =>
    success(
      await withLocked(context, params.id, async (tx, row) => {
        const { payment, invoice } = await recordPayment(tx, context, row, body)
        return { ...payment, invoice: await presentOne(presentInvoices, tx, context, invoice) }
      }),
    ),

  reversePayment: async ({ params, body }, context) =>
    success(
      await withLocked(context, params.id, async (tx, row) => {
        const { payment, invoice } = await reversePayment(tx, context, row, params.paymentId, body?.reason ?? null)
        return { ...payment, invoice: await presentOne(presentInvoices, tx, context, invoice) }
      }),
    ),

  pdf: async ({ params }, context) =>
    downloadPdf(context, 'INVOICE', await requireRecord(context, invoiceKind, params.id)),
})
