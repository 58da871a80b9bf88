import { orders, success } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { createHandler, readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import type { OrderRow } from '../../../kinds/commercial.ts'
import { confirmOrder, createOrder, endOrder, invoiceOrder, orderWriter } from './orders.commands.ts'
import { orderKind } from '../../../kinds/orders.ts'

/** Runs work on a locked order and shows the result. */
async function toOrder<T>(context: CrmContext, id: string, work: (tx: Transaction, row: OrderRow) => Promise<T>) {
  const scope = context.scope('ORDER', 'UPDATE')
  return success(await context.transact(async (tx) => work(tx, await lockRecord(tx, context, orderKind, scope, id))))
}

export const implementedOrders = implement(orders, {
  ...readHandlers(orderKind),
  ...summaryHandler(orderKind),
  ...writeHandlers(orderWriter),
  create: createHandler(createOrder),
  confirm: ({ params }, context) => toOrder(context, params.id, (tx, row) => confirmOrder(tx, context, row)),
  fulfil: ({ params }, context) => toOrder(context, params.id, (tx, row) => endOrder(tx, context, row, 'fulfil')),
  cancel: ({ params }, context) => toOrder(context, params.id, (tx, row) => endOrder(tx, context, row, 'cancel')),
  invoice: ({ params }, context) => toOrder(context, params.id, (tx, row) => invoiceOrder(tx, context, row)),
})
