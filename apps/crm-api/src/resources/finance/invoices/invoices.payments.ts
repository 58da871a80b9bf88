import type { PaymentInput, PaymentRecord } from '@crm/contract'
import { newId, recordChange, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { currencyDigits, Money, toAmount } from '@crm/pricing'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { WriteContext } from '../../../records/owned/write.ts'
import { amountDue } from '../../../domain/commercial/amount-due.ts'
import { moveOn } from '../../../domain/commercial/commercial.commands.ts'
import type { InvoiceRow } from '../../../kinds/commercial.ts'
import { decideTransition } from '../../../domain/commercial/commercial.status.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { invoiceMachine, statusByPayments } from './invoices.status.ts'

const { payments } = schema

type PaymentRow = typeof payments.$inferSelect

/** A payment may be dated ahead by the largest difference of time zones, and no further. */
const aheadMsMax = 24 * 3_600_000

/** Returns the payments of an invoice in the order of their arrival. */
export async function listPayments(db: Executor, workspaceId: string, invoiceId: string): Promise<PaymentRecord[]> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.workspaceId, workspaceId), eq(payments.invoiceId, invoiceId)))
    .orderBy(asc(payments.paidAt), asc(payments.id))
  return rows.map(toRecord)
}

/** Records a payment of an invoice; the invoice is locked, so that concurrent payments never exceed the amount due. */
export async function recordPayment(
  tx: Transaction,
  context: WriteContext,
  invoice: InvoiceRow,
  input: PaymentInput,
): Promise<{ payment: PaymentRecord; invoice: InvoiceRow }> {
  decideTransition(invoiceMachine, 'recordPayment', invoice.status)
  const { currency } = invoice
  if (new Money(input.amount).decimalPlaces() > currencyDigits(currency))
    throw invalidField(
      'amount',
      `Amounts in ${currency} have at most ${currencyDigits(currency)} digits after the point`,
    )
  const due = amountDue(invoice)
  if (new Money(input.amount).gt(due))
    throw new ApiError('PAYMENT_EXCEEDS_BALANCE', {
      message: `No more than ${due} ${currency} is due`,
      details: { amountDue: due },
    })
  const { workspace, caller, at } = context
  if (input.paidAt !== undefined && Date.parse(input.paidAt) > Date.parse(at) + aheadMsMax)
    throw invalidField('paidAt', 'Expected a moment that is not more than a day ahead')
  const [payment] = await tx
    .insert(payments)
    .values({
      workspaceId: workspace.id,
      id: newId(),
      invoiceId: invoice.id,
      currency,
      amount: input.amount,
      paidAt: input.paidAt ?? at,
      method: input.method,
      reference: input.reference ?? null,
      note: input.note ?? null,
      createdById: caller.employee.id,
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  return settle(
    tx,
    context,
    invoice,
    payment as PaymentRow,
    'PAYMENT_RECORDED',
    new Money(invoice.amountPaid).plus(input.amount),
  )
}

/** Reverses a payment of a locked invoice. */
export async function reversePayment(
  tx: Transaction,
  context: WriteContext,
  invoice: InvoiceRow,
  paymentId: string,
  reason: string | null,
): Promise<{ payment: PaymentRecord; invoice: InvoiceRow }> {
  const { workspace, caller, at } = context
  const [current] = await tx
    .select()
    .from(payments)
    .where(isPayment(workspace.id, invoice.id, paymentId))
    .for('update')
  if (!current) throw new ApiError('NOT_FOUND', { message: 'There is no such payment' })
  if (current.reversedAt) throw new ApiError('PAYMENT_ALREADY_REVERSED')
  const [reversed] = await tx
    .update(payments)
    .set({ reversedAt: at, reversedById: caller.employee.id, reversalReason: reason, updatedAt: at })
    .where(isPayment(workspace.id, invoice.id, paymentId))
    .returning()
  return settle(
    tx,
    context,
    invoice,
    reversed as PaymentRow,
    'PAYMENT_REVERSED',
    new Money(invoice.amountPaid).minus(current.amount),
  )
}

/** Updates an invoice by its payments; an invoice that was given up keeps its status. */
async function settle(
  tx: Transaction,
  context: WriteContext,
  invoice: InvoiceRow,
  payment: PaymentRow,
  kind: string,
  paid: Money,
) {
  const { currency, total } = invoice
  const amountPaid = toAmount(paid, currency)
  const status = invoice.status === 'UNCOLLECTIBLE' ? invoice.status : statusByPayments(amountPaid, total)
  const record = toRecord(payment)
  const data = {
    paymentId: record.id,
    amount: record.amount,
    currency,
    method: record.method,
    ...(record.reversalReason ? { reason: record.reversalReason } : {}),
  }
  const paidAt = status === 'PAID' ? context.at : null
  const moved = await moveOn(tx, context, invoiceKind, invoice, { amountPaid, status, paidAt }, [{ kind, data }])
  const event = kind === 'PAYMENT_RECORDED' ? 'invoice.payment_recorded' : 'invoice.payment_reversed'
  const { workspace, actor, at } = context
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [
      {
        topic: 'change',
        event,
        entityType: invoiceKind.entityType,
        entityId: moved.id,
        payload: { record: moved, payment: record, changes: [] },
      },
    ],
  })
  return { payment: record, invoice: moved }
}

function isPayment(workspaceId: string, invoiceId: string, id: string): SQL {
  return and(eq(payments.workspaceId, workspaceId), eq(payments.invoiceId, invoiceId), eq(payments.id, id)) as SQL
}

function toRecord({ workspaceId: _workspace, ...payment }: PaymentRow): PaymentRecord {
  return { ...payment, amount: toAmount(payment.amount, payment.currency) }
}
