import type { schema } from '@crm/db'
import type { StateMachine } from '../../../domain/commercial/commercial.status.ts'

export type OrderStatus = (typeof schema.orders.$inferSelect)['status']

/** The states and verbs of an order (docs/guide/finance.md). */
export const orderMachine = {
  confirm: {
    from: ['DRAFT'],
    to: 'CONFIRMED',
    may: 'UPDATE_ORDER',
    follows: 'It gets its number and issue date; lines and parties are fixed.',
  },
  fulfil: { from: ['CONFIRMED'], to: 'FULFILLED', may: 'UPDATE_ORDER', follows: 'The time is kept.' },
  cancel: { from: ['DRAFT', 'CONFIRMED'], to: 'CANCELLED', may: 'UPDATE_ORDER', follows: 'The time is kept.' },
  invoice: {
    from: ['CONFIRMED', 'FULFILLED'],
    to: null,
    may: 'UPDATE_ORDER and CREATE_INVOICE',
    follows: 'A draft of an invoice is made with the same lines and parties.',
  },
} as const satisfies StateMachine<OrderStatus, string>
