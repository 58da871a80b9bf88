import { invoice, order, quote } from '@crm/model'
import { crm } from '../../base/api.ts'
import type { FinanceKind, FinanceRecord } from '../../domain/finance/finance-words.ts'
import type { bodyOf } from './document-draft.ts'

type DocumentBody = ReturnType<typeof bodyOf>

interface DocumentWriter {
  /** Creates a document. The same key creates it only once, if the API takes a key. */
  create(body: DocumentBody, until: string, idempotencyKey: string): Promise<{ readonly data: FinanceRecord }>
  /** Updates a document. Without a day by which to pay or to decide, the present one stays. */
  update(
    record: FinanceRecord,
    body: Partial<DocumentBody>,
    until: string | undefined,
  ): Promise<{ readonly data: FinanceRecord }>
}

/** The functions that write each kind of document; the day by which to pay or to decide has a different name in each. */
export const documentWriters: Readonly<Record<FinanceKind, DocumentWriter>> = {
  [quote.entity]: {
    create: (body, until) => crm.quotes.create({ body: { ...body, expiresAt: until || null } }),
    update: ({ id, version }, body, until) =>
      crm.quotes.update({
        params: { id },
        body: { ...body, expiresAt: until === undefined ? undefined : until || null, version },
      }),
  },
  [order.entity]: {
    create: (body, until) => crm.orders.create({ body: { ...body, dueDate: until || null } }),
    update: ({ id, version }, body, until) =>
      crm.orders.update({
        params: { id },
        body: { ...body, dueDate: until === undefined ? undefined : until || null, version },
      }),
  },
  [invoice.entity]: {
    create: (body, until, idempotencyKey) =>
      crm.invoices.create({ body: { ...body, dueDate: until || null }, idempotencyKey }),
    update: ({ id, version }, body, until) =>
      crm.invoices.update({
        params: { id },
        body: { ...body, dueDate: until === undefined ? undefined : until || null, version },
      }),
  },
}
