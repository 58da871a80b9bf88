import { Money, toAmount } from '@crm/pricing'
import type { InvoiceRow } from '../../kinds/commercial.ts'

/** Returns the amount that is left to pay. */
export function amountDue({
  status,
  total,
  amountPaid,
  currency,
}: Pick<InvoiceRow, 'status' | 'total' | 'amountPaid' | 'currency'>): string {
  return status === 'VOID' ? toAmount(0, currency) : toAmount(new Money(total).minus(amountPaid), currency)
}
