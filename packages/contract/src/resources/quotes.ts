import { quote as kind } from '@crm/model'
import * as z from 'zod'
import { byId, id, instantInput, day } from '../fields.ts'
import { bytes } from '../handlers.ts'
import { limitList } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { commercialFilters, optionalMailInput } from './commercial.ts'

export { quoteStatuses } from '@crm/model'

/** A quote as the API shows it (docs/guide/finance.md). */
export const quote = recordOf(kind)
export type QuoteRecord = z.output<typeof quote>

const expiry = {
  expiresAt: z
    .union([instantInput, day])
    .nullable()
    .optional()
    .meta({ description: 'A date stands for its end in the zone of the workspace', format: 'date-time' }),
}

const quoteInput = inputOf(kind).extend(expiry)
export type QuoteInput = z.output<typeof quoteInput>

const quotePatch = patchOf(kind).extend(expiry)
export type QuotePatch = z.output<typeof quotePatch>

const quoteSortFields = sortFieldsOf(kind)

const mayUpdate = { all: ['UPDATE_QUOTE'] } as const

const quoteList = limitList(quote, quoteSortFields, {
  ...commercialFilters,
  ...filtersOf(kind),
})

export const quotes = resource(
  { name: 'quotes', entity: kind.entity },
  'FINANCE',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/quotes',
        noun: 'quote',
        plural: 'quotes',
        record: quote,
        create: quoteInput,
        update: quotePatch,
        list: quoteList,
        access: entityAccess('QUOTE'),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/quotes',
      summary: 'Create a quote',
      description: 'A draft; the amounts are computed from the lines. The number is drawn when it is sent.',
      access: { all: ['CREATE_QUOTE'] },
      body: quoteInput,
      reply: data(201, quote),
      errors: ['INVALID_CURRENCY'],
    },
    update: {
      method: 'PATCH',
      path: '/api/quotes/{id}',
      summary: 'Change a quote',
      description: 'After it was sent, only owner, tags, notes and expiresAt change.',
      access: mayUpdate,
      params: byId,
      body: quotePatch,
      reply: data(200, quote),
      errors: ['INVALID_CURRENCY', 'INVALID_TRANSITION'],
    },
    delete: {
      method: 'DELETE',
      path: '/api/quotes/{id}',
      summary: 'Delete a quote',
      access: { all: ['DELETE_QUOTE'] },
      params: byId,
      reply: data(200, z.object({ id })),
    },
    send: {
      method: 'POST',
      path: '/api/quotes/{id}/send',
      summary: 'Send a quote by mail as PDF',
      description:
        'A draft becomes SENT and gets its number. Without recipients it is marked as sent and nothing is mailed.',
      access: mayUpdate,
      params: byId,
      body: optionalMailInput,
      reply: data(200, quote),
      errors: ['INVALID_TRANSITION', 'NUMBER_IN_USE'],
      destructive: true,
    },
    accept: {
      method: 'POST',
      path: '/api/quotes/{id}/accept',
      summary: 'Mark a sent quote as accepted',
      access: mayUpdate,
      params: byId,
      reply: data(200, quote),
      errors: ['INVALID_TRANSITION'],
    },
    decline: {
      method: 'POST',
      path: '/api/quotes/{id}/decline',
      summary: 'Mark a sent quote as declined',
      access: mayUpdate,
      params: byId,
      body: z.strictObject({ reason: z.string().trim().max(500).optional() }).optional(),
      reply: data(200, quote),
      errors: ['INVALID_TRANSITION'],
    },
    convert: {
      method: 'POST',
      path: '/api/quotes/{id}/convert',
      summary: 'Make an order or an invoice of an accepted quote',
      description: 'Needs the permission to create it. The draft has the lines and the parties of the quote.',
      access: mayUpdate,
      params: byId,
      body: z.strictObject({ target: z.enum(['ORDER', 'INVOICE']) }),
      reply: data(200, z.object({ quote, target: z.enum(['ORDER', 'INVOICE']), id })),
      errors: ['INVALID_TRANSITION', 'ACCESS_DENIED', 'INVALID_CURRENCY'],
      destructive: true,
    },
    pdf: {
      method: 'GET',
      path: '/api/quotes/{id}/pdf',
      summary: 'Download a quote as PDF',
      access: { all: ['VIEW_QUOTE'] },
      params: byId,
      reply: bytes('application/pdf'),
    },
  }),
)
