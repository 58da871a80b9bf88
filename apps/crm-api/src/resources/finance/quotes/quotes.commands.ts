import { hasStorableYear, quotes as resource, type QuoteInput, type QuotePatch } from '@crm/contract'
import { ApiError, invalidField, permissionRequired } from '@crm/errors'
import type { Transaction } from '@crm/db'
import { changeOf } from '../../../records/owned/plan.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import type { Present } from '../../../records/owned/handlers.ts'
import { copied, moveOn, numberColumns, readCommercialFacts } from '../../../domain/commercial/commercial.commands.ts'
import { planCommercial, planCommercialChange, refuseFixed } from '../../../domain/commercial/commercial.intake.ts'
import type { QuoteRow } from '../../../kinds/commercial.ts'
import { decideTransition } from '../../../domain/commercial/commercial.status.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { orderKind } from '../../../kinds/orders.ts'
import { quoteKind } from '../../../kinds/quotes.ts'
import { quoteMachine, quoteStatusAt } from './quotes.status.ts'

/** Shows quotes, as expired once their time is over. */
export const presentQuotes: Present<QuoteRow, QuoteRow> = async (_db, { at }, rows) =>
  rows.map((row) => ({ ...row, status: quoteStatusAt(row, at) }))

/** Returns the end of a validity: an instant unchanged, a day as its last moment in the zone of the workspace. */
function expiryOf(sent: string | null | undefined, timezone: string): string | null | undefined {
  if (!sent || sent.includes('T')) return sent
  const end = new Date(
    Temporal.PlainDate.from(sent).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds - 1,
  ).toISOString()
  // The last day that can be written ends in the next year of some zones.
  if (!hasStorableYear(end)) throw invalidField('expiresAt', 'Expected an earlier day')
  return end
}

/** Creates a draft of a quote. */
export async function createQuote(tx: Transaction, context: WriteContext, input: QuoteInput): Promise<QuoteRow> {
  const facts = await readCommercialFacts(tx, context, quoteKind, input)
  return createRecord(tx, context, quoteKind, {
    ...planCommercial(input, facts),
    status: 'DRAFT',
    expiresAt: expiryOf(input.expiresAt, context.workspace.timezone) ?? null,
  })
}

/** The rules by which quotes change. */
export const quoteWriter: RecordWriter<QuoteRow, QuotePatch> = {
  kind: quoteKind,
  listQuery: resource.operations.list.query,
  planChange: async (tx, context, current, { expiresAt, ...patch }) => {
    if (current.status !== 'DRAFT') refuseFixed(current, patch, 'INVALID_TRANSITION')
    const facts = await readCommercialFacts(tx, context, quoteKind, patch, current)
    const expiry = expiryOf(expiresAt, context.workspace.timezone)
    return changeOf(current, {
      ...planCommercialChange(current, patch, facts),
      ...(expiry === undefined ? {} : { expiresAt: expiry }),
    })
  },
}

function decide(row: QuoteRow, verb: keyof typeof quoteMachine, at: string): void {
  decideTransition(quoteMachine, verb, quoteStatusAt(row, at))
}

/** Marks a locked quote as sent; a draft gets its number. */
export async function sendQuote(
  tx: Transaction,
  context: WriteContext,
  row: QuoteRow,
  to: readonly string[],
): Promise<QuoteRow> {
  decide(row, 'send', context.at)
  if (row.expiresAt !== null && row.expiresAt <= context.at)
    throw new ApiError('INVALID_TRANSITION', { message: 'The quote has expired: give it a later end first' })
  const numbered = await numberColumns(tx, context, 'QUOTE', row)
  return moveOn(tx, context, quoteKind, row, { ...numbered, status: 'SENT', sentAt: context.at }, [
    { kind: 'QUOTE_SENT', data: { to } },
  ])
}

/** Stores the decision of the other party on a locked quote. */
export function decideQuote(
  tx: Transaction,
  context: WriteContext,
  row: QuoteRow,
  verb: 'accept' | 'decline',
  reason?: string,
): Promise<QuoteRow> {
  decide(row, verb, context.at)
  const { to: status } = quoteMachine[verb]
  return moveOn(tx, context, quoteKind, row, { status, decidedAt: context.at }, [
    { kind: `QUOTE_${status}`, data: reason ? { reason } : {} },
  ])
}

/** Makes a draft of an order or an invoice from an accepted and locked quote. */
export async function convertQuote(
  tx: Transaction,
  context: WriteContext,
  row: QuoteRow,
  target: 'ORDER' | 'INVOICE',
): Promise<{ quote: QuoteRow; id: string }> {
  if (!context.caller.effective.has(`CREATE_${target}`)) throw permissionRequired(`CREATE_${target}`)
  decide(row, 'convert', context.at)
  const { ownerId, departmentId } = row
  const values = { ...(await copied(tx, context, row)), ownerId, departmentId, status: 'DRAFT', quoteId: row.id }
  const origin = { relatedType: 'QUOTE', relatedId: row.id }
  const { id } =
    target === 'ORDER'
      ? await createRecord(tx, context, orderKind, values, undefined, origin)
      : await createRecord(tx, context, invoiceKind, values, undefined, origin)
  const quote = await moveOn(
    tx,
    context,
    quoteKind,
    row,
    { status: 'CONVERTED', convertedType: target, convertedId: id },
    [{ kind: 'CONVERTED', relatedType: target, relatedId: id }],
  )
  return { quote, id }
}
