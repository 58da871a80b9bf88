import { quotes, success } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { createHandler, presentOne, requireRecord, writeHandlers } from '../../../records/owned/handlers.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { listByLimit, showHandler } from '../../../domain/commercial/commercial.handlers.ts'
import { commercialMailEvent } from '../../../domain/commercial/commercial.mail.ts'
import { countMail, queueMail } from '../../../domain/mail/outgoing-mail.ts'
import { downloadPdf } from '../../../domain/commercial/commercial.pdf.ts'
import type { QuoteRow } from '../../../kinds/commercial.ts'
import { convertQuote, createQuote, decideQuote, presentQuotes, quoteWriter, sendQuote } from './quotes.commands.ts'
import { quoteKind } from '../../../kinds/quotes.ts'

const get = showHandler(quoteKind, presentQuotes)

/** Runs work on a locked quote and shows the quote. */
async function toQuote(context: CrmContext, id: string, work: (tx: Transaction, row: QuoteRow) => Promise<QuoteRow>) {
  const scope = context.scope('QUOTE', 'UPDATE')
  return success(
    await context.transact(async (tx) =>
      presentOne(presentQuotes, tx, context, await work(tx, await lockRecord(tx, context, quoteKind, scope, id))),
    ),
  )
}

export const implementedQuotes = implement(quotes, {
  get,
  ...writeHandlers(quoteWriter, presentQuotes),

  list: ({ query }, context) => listByLimit(quoteKind, context, query, presentQuotes),
  ...summaryHandler(quoteKind),

  create: createHandler(createQuote, presentQuotes),

  send: ({ params, body }, context) =>
    toQuote(context, params.id, async (tx, row) => {
      const sent = await sendQuote(tx, context, row, body.to)
      if (body.to.length === 0) return sent
      await countMail(context, body)
      await queueMail(tx, context, commercialMailEvent, { entityType: 'QUOTE', entityId: sent.id, mail: body })
      return sent
    }),

  accept: ({ params }, context) => toQuote(context, params.id, (tx, row) => decideQuote(tx, context, row, 'accept')),
  decline: ({ params, body }, context) =>
    toQuote(context, params.id, (tx, row) => decideQuote(tx, context, row, 'decline', body?.reason)),

  convert: async ({ params, body: { target } }, context) => {
    const scope = context.scope('QUOTE', 'UPDATE')
    return context.transact(async (tx) => {
      const { quote, id } = await convertQuote(
        tx,
        context,
        await lockRecord(tx, context, quoteKind, scope, params.id),
        target,
      )
      return success({ quote: await presentOne(presentQuotes, tx, context, quote), target, id })
    })
  },

  pdf: async ({ params }, context) => downloadPdf(context, 'QUOTE', await requireRecord(context, quoteKind, params.id)),
})
