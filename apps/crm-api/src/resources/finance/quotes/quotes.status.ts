import type { QuoteStatus } from '../../../kinds/quotes.ts'
import type { StateMachine } from '../../../domain/commercial/commercial.status.ts'

/** The states and verbs of a quote (docs/guide/finance.md). */
export const quoteMachine = {
  send: {
    from: ['DRAFT', 'SENT'],
    to: 'SENT',
    may: 'UPDATE_QUOTE',
    follows: 'A draft gets its number and issue date; the PDF is mailed.',
  },
  accept: { from: ['SENT'], to: 'ACCEPTED', may: 'UPDATE_QUOTE', follows: 'The time of the decision is kept.' },
  decline: {
    from: ['SENT'],
    to: 'DECLINED',
    may: 'UPDATE_QUOTE',
    follows: 'The time of the decision is kept, and the reason in the history.',
  },
  expire: { from: ['SENT'], to: 'EXPIRED', may: 'nobody: time does it', follows: 'Happens once expiresAt has passed.' },
  convert: {
    from: ['ACCEPTED'],
    to: 'CONVERTED',
    may: 'UPDATE_QUOTE and CREATE_ORDER or CREATE_INVOICE',
    follows: 'A draft of an order or an invoice is made with the same lines and parties.',
  },
} as const satisfies StateMachine<QuoteStatus, string>

/** Returns the status at a time: a sent quote has expired once its time is over. */
export function quoteStatusAt(
  { status, expiresAt }: { readonly status: QuoteStatus; readonly expiresAt: string | null },
  at: string,
): QuoteStatus {
  return status === 'SENT' && expiresAt !== null && expiresAt <= at ? 'EXPIRED' : status
}
