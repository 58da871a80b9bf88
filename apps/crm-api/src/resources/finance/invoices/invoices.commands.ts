import { invoices as resource, type InvoiceInput, type InvoicePatch, type InvoiceRecord } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { Money } from '@crm/pricing'
import type { Present } from '../../../records/owned/handlers.ts'
import { changeOf, definedOnly } from '../../../records/owned/plan.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { recallMoneyFacts } from '../../../domain/commercial/commercial.facts.ts'
import { copied, moveOn, numberColumns, readCommercialFacts } from '../../../domain/commercial/commercial.commands.ts'
import {
  planCommercial,
  planCommercialChange,
  refuseDueBeforeIssue,
  refuseFixed,
  refuseRetiredRates,
} from '../../../domain/commercial/commercial.intake.ts'
import type { InvoiceRow } from '../../../kinds/commercial.ts'
import { today } from '../../../records/moment.ts'
import { decideTransition } from '../../../domain/commercial/commercial.status.ts'
import { closePaymentLinks, readLinkUrls } from './invoices.payment-links.ts'
import { amountDue } from '../../../domain/commercial/amount-due.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { invoiceMachine, isOverdue } from './invoices.status.ts'

/** Shows invoices with the amount due, whether they are overdue, and the address of their public page. */
export const presentInvoices: Present<InvoiceRow, InvoiceRecord> = async (db, context, rows) => {
  const day = today(context.at, context.workspace.timezone)
  const urls = await readLinkUrls(
    db,
    context,
    rows.filter(({ issuedAt }) => issuedAt !== null).map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...row,
    isOverdue: isOverdue(row, day),
    amountDue: amountDue(row),
    paymentLinkUrl: urls.get(row.id) ?? null,
  }))
}

/** Creates a draft of an invoice. */
export async function createInvoice(tx: Transaction, context: WriteContext, input: InvoiceInput): Promise<InvoiceRow> {
  const facts = await readCommercialFacts(tx, context, invoiceKind, input)
  refuseDueBeforeIssue(input)
  return createRecord(tx, context, invoiceKind, {
    ...planCommercial(input, facts),
    status: 'DRAFT',
    dueDate: input.dueDate ?? null,
  })
}

/** The rules by which invoices change. */
export const invoiceWriter: RecordWriter<InvoiceRow, InvoicePatch> = {
  kind: invoiceKind,
  listQuery: resource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    if (current.status !== 'DRAFT') refuseFixed(current, patch, 'INVOICE_LOCKED')
    if (patch.issueDate !== undefined || patch.dueDate !== undefined)
      refuseDueBeforeIssue({ ...current, ...definedOnly(patch) })
    const facts = await readCommercialFacts(tx, context, invoiceKind, patch, current)
    return changeOf(current, planCommercialChange(current, patch, facts))
  },
  beforeDelete: async (_tx, _context, rows) => {
    if (rows.some(({ status }) => status !== 'DRAFT'))
      throw new ApiError('INVOICE_LOCKED', { message: 'An issued invoice cannot be deleted: void it instead' })
    return { timeline: [], events: [] }
  },
}

/** Issues a locked draft: it gets its gapless number, and is fixed from then on. */
export async function issueInvoice(tx: Transaction, context: WriteContext, row: InvoiceRow): Promise<InvoiceRow> {
  decideTransition(invoiceMachine, 'issue', row.status)
  if (row.items.length === 0)
    throw new ApiError('INVALID_TRANSITION', { message: 'An invoice without lines cannot be issued' })
  const numbered = await numberColumns(tx, context, 'INVOICE', row)
  refuseDueBeforeIssue({ ...row, ...numbered })
  return moveOn(tx, context, invoiceKind, row, { ...numbered, status: 'ISSUED', issuedAt: context.at }, [
    { kind: 'INVOICE_ISSUED', data: { number: numbered.number } },
  ])
}

/** Marks a locked invoice as sent; a draft is issued first. */
export async function sendInvoice(
  tx: Transaction,
  context: WriteContext,
  row: InvoiceRow,
  to: readonly string[],
): Promise<InvoiceRow> {
  const issued = row.status === 'DRAFT' ? await issueInvoice(tx, context, row) : row
  decideTransition(invoiceMachine, 'send', issued.status)
  return moveOn(tx, context, invoiceKind, issued, { sentAt: context.at }, [{ kind: 'INVOICE_SENT', data: { to } }])
}

/** Voids a locked invoice without payments. */
export async function voidInvoice(tx: Transaction, context: WriteContext, row: InvoiceRow): Promise<InvoiceRow> {
  if (new Money(row.amountPaid).gt(0))
    throw new ApiError('INVALID_TRANSITION', {
      message: 'An invoice with payments cannot be voided: reverse them first',
    })
  decideTransition(invoiceMachine, 'void', row.status)
  await closePaymentLinks(tx, context, row.id)
  return moveOn(tx, context, invoiceKind, row, { status: 'VOID', voidedAt: context.at })
}

/** Marks a locked invoice as uncollectible. */
export function giveUpInvoice(tx: Transaction, context: WriteContext, row: InvoiceRow): Promise<InvoiceRow> {
  decideTransition(invoiceMachine, 'uncollectible', row.status)
  return moveOn(tx, context, invoiceKind, row, { status: 'UNCOLLECTIBLE' })
}

/** Makes a new draft with the lines and parties of an invoice; the draft belongs to the caller. */
export async function duplicateInvoice(
  tx: Transaction,
  context: WriteContext,
  row: InvoiceRow,
  dates: Pick<InvoiceInput, 'issueDate' | 'dueDate'>,
): Promise<InvoiceRow> {
  refuseDueBeforeIssue(dates)
  refuseRetiredRates(row.items, await recallMoneyFacts(tx, context))
  const { id: ownerId, departmentId } = context.caller.employee
  return createRecord(
    tx,
    context,
    invoiceKind,
    { ...(await copied(tx, context, row, dates.issueDate)), ...dates, ownerId, departmentId, status: 'DRAFT' },
    undefined,
    { relatedType: 'INVOICE', relatedId: row.id },
  )
}
