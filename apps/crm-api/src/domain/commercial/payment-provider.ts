import type { schema } from '@crm/db'

/** What a provider needs to say how an invoice is paid. */
export interface PaymentQuestion {
  readonly number: string | null
  readonly organization: Pick<typeof schema.organizations.$inferSelect, 'bankDetails'> | undefined
}

/** A way to pay invoices: the paragraphs that tell the payer what to do. */
export type PaymentProvider = (question: PaymentQuestion) => readonly string[]

const providers = {
  /** The payer transfers the money by themselves; whoever sees it come in records the payment. */
  manual: ({ number, organization }) =>
    organization?.bankDetails ? [[organization.bankDetails, ...(number ? [number] : [])].join('\n')] : [],
} as const satisfies Readonly<Record<string, PaymentProvider>>

/** How to pay an invoice by a provider. */
export function payBy(provider: keyof typeof providers, question: PaymentQuestion): readonly string[] {
  return providers[provider](question)
}
