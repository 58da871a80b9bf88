import { orders as resource, type OrderInput, type OrderPatch } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { changeOf, definedOnly } from '../../../records/owned/plan.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { copied, moveOn, numberColumns, readCommercialFacts } from '../../../domain/commercial/commercial.commands.ts'
import {
  planCommercial,
  planCommercialChange,
  refuseDueBeforeIssue,
  refuseFixed,
} from '../../../domain/commercial/commercial.intake.ts'
import type { OrderRow } from '../../../kinds/commercial.ts'
import { decideTransition } from '../../../domain/commercial/commercial.status.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { orderKind } from '../../../kinds/orders.ts'
import { orderMachine } from './orders.status.ts'

/** Creates a draft of an order. */
export async function createOrder(tx: Transaction, context: WriteContext, input: OrderInput): Promise<OrderRow> {
  const facts = await readCommercialFacts(tx, context, orderKind, input)
  refuseDueBeforeIssue(input)
  return createRecord(tx, context, orderKind, {
    ...planCommercial(input, facts),
    status: 'DRAFT',
    dueDate: input.dueDate ?? null,
  })
}

/** The rules by which orders change. */
export const orderWriter: RecordWriter<OrderRow, OrderPatch> = {
  kind: orderKind,
  listQuery: resource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    if (current.status !== 'DRAFT') refuseFixed(current, patch, 'INVALID_TRANSITION')
    if (patch.issueDate !== undefined || patch.dueDate !== undefined)
      refuseDueBeforeIssue({ ...current, ...definedOnly(patch) })
    const facts = await readCommercialFacts(tx, context, orderKind, patch, current)
    return changeOf(current, planCommercialChange(current, patch, facts))
  },
}

/** Confirms a locked order, which gives it its number. */
export async function confirmOrder(tx: Transaction, context: WriteContext, row: OrderRow): Promise<OrderRow> {
  decideTransition(orderMachine, 'confirm', row.status)
  return moveOn(tx, context, orderKind, row, {
    ...(await numberColumns(tx, context, 'ORDER', row)),
    status: 'CONFIRMED',
    confirmedAt: context.at,
  })
}

/** Ends a locked order by completion or cancellation. */
export function endOrder(
  tx: Transaction,
  context: WriteContext,
  row: OrderRow,
  verb: 'fulfil' | 'cancel',
): Promise<OrderRow> {
  decideTransition(orderMachine, verb, row.status)
  const when = verb === 'fulfil' ? { fulfilledAt: context.at } : { cancelledAt: context.at }
  return moveOn(tx, context, orderKind, row, { status: orderMachine[verb].to, ...when })
}

/** Makes a draft of an invoice from a locked order. */
export async function invoiceOrder(
  tx: Transaction,
  context: WriteContext,
  row: OrderRow,
): Promise<{ order: OrderRow; invoiceId: string }> {
  if (!context.caller.effective.has('CREATE_INVOICE'))
    throw new ApiError('ACCESS_DENIED', {
      message: 'The permission CREATE_INVOICE is required',
      requiredPermission: 'CREATE_INVOICE',
    })
  decideTransition(orderMachine, 'invoice', row.status)
  const { id: orderId, quoteId, ownerId, departmentId } = row
  const { id: invoiceId } = await createRecord(
    tx,
    context,
    invoiceKind,
    { ...(await copied(tx, context, row)), ownerId, departmentId, status: 'DRAFT', orderId, quoteId },
    undefined,
    { relatedType: 'ORDER', relatedId: orderId },
  )
  const order = await moveOn(tx, context, orderKind, row, { invoiceId }, [
    { kind: 'CONVERTED', relatedType: 'INVOICE', relatedId: invoiceId },
  ])
  return { order, invoiceId }
}
