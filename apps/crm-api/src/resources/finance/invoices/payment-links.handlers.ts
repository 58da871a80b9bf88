import { paymentLinks, success } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { requireRecord } from '../../../records/owned/handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { closePaymentLinks, findOpenLink } from './invoices.payment-links.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'

export const implementedPaymentLinks = implement(paymentLinks, {
  get: async ({ params }, context) => {
    const { id } = await requireRecord(context, invoiceKind, params.id)
    return success(await findOpenLink(context.db, context, id))
  },

  // The status does not matter: the page of an invoice that was given up is still open.
  close: async ({ params }, context) => {
    const scope = context.scope('INVOICE', 'UPDATE')
    return success(
      await context.transact(async (tx) => {
        const { id, number } = await lockRecord(tx, context, invoiceKind, scope, params.id)
        await closePaymentLinks(tx, context, id)
        await audit(tx, context, {
          action: 'payment-link.closed',
          subjectType: 'INVOICE',
          subjectId: id,
          summary: `Turned off the payment link of the invoice ${number ?? ''}`.trimEnd(),
        })
        return { id }
      }),
    )
  },
})
