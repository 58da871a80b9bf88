import type { crm } from '../../base/api.ts'
import type { FinanceRecord } from '../../domain/finance/finance-words.ts'

type Organization = Awaited<ReturnType<typeof crm.organization.get>>['data']

/** What a document that goes out should say and does not. */
export type Missing = 'ownAddress' | 'taxNumber' | 'customerAddress' | 'dueDate' | 'validUntil' | 'lines'

type Address = { readonly line1?: string | null | undefined; readonly city?: string | null | undefined } | null

/** Returns what is missing on a document before it goes out, the most serious first. */
export function missingOn(
  record: Pick<FinanceRecord, 'billingAddress' | 'items'> & {
    readonly dueDate?: unknown
    readonly expiresAt?: unknown
  },
  organization: Pick<Organization, 'address' | 'taxId' | 'registrationNumber'>,
  companyAddress: Address,
): readonly Missing[] {
  const isInvoice = 'dueDate' in record
  return [
    ...(record.items.length === 0 ? (['lines'] as const) : []),
    ...(isAddress(organization.address) ? [] : (['ownAddress'] as const)),
    ...(organization.taxId || organization.registrationNumber ? [] : (['taxNumber'] as const)),
    ...(isAddress(record.billingAddress) || isAddress(companyAddress) ? [] : (['customerAddress'] as const)),
    ...(isInvoice && !record.dueDate ? (['dueDate'] as const) : []),
    ...('expiresAt' in record && !record.expiresAt ? (['validUntil'] as const) : []),
  ]
}

function isAddress(address: Address): boolean {
  return Boolean(address?.line1 || address?.city)
}
