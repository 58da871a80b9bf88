import type { schema } from '@crm/db'

/** The facts that a provider needs to describe how an invoice is paid. */
export interface PaymentQuestion {
  readonly number: string | null
  readonly organization: Pick<typeof schema.organizations.$inferSelect, 'bankDetails'> | undefined
}

/** A way to pay invoices; returns the paragraphs that tell the payer how to pay. */
type PaymentProvider = (question: PaymentQuestion) => readonly string[]

const providers = {
  /** The payer transfers the money without a provider; a person who sees it arrive records the payment. */
  manual: ({ number, organization }) =>
    organization?.bankDetails ? [[organization.bankDetails, ...(number ? [number] : [])].join('\n')] : [],
} as const satisfies Readonly<Record<string, PaymentProvider>>

/** Returns the paragraphs that tell how to pay an invoice by a provider. */
export function payBy(provider: keyof typeof providers, question: PaymentQuestion): readonly string[] {
  return providers[provider](question)
}
