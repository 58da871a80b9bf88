import * as z from 'zod'
import { byId, instant } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'

const paymentLink = z.object({
  url: z.string().nullable().meta({
    description: 'null: the installation has no secret to tell it by, so it was told only when the page was opened',
  }),
  expiresAt: instant.nullable(),
  createdAt: instant,
})
export type PaymentLinkRecord = z.output<typeof paymentLink>

const path = '/api/settings/invoices/{id}/payment-link'

/** The payment link of an invoice, as the people responsible for it see it; `invoices.paymentLink` creates it. */
export const paymentLinks = settingsResource(
  'settings.paymentLinks',
  {
    get: {
      method: 'GET',
      path,
      summary: 'Read the payment link of an invoice',
      access: { all: ['VIEW_INVOICE'] },
      reach: 'none',
      params: byId,
      reply: data(200, paymentLink.nullable().meta({ description: 'null: none' })),
    },
    close: {
      method: 'DELETE',
      path,
      summary: 'Turn off the payment link of an invoice',
      description:
        'From then on its address answers like one that never was. Turning off what is not on changes nothing.',
      access: { all: ['UPDATE_INVOICE'] },
      reach: 'none',
      params: byId,
      reply: deleted,
    },
  },
  'FINANCE',
)
