import type { CommercialInput, CommercialPatch, NumberedEntity } from '@crm/contract'
import { brokenConstraint, sqlState, type Executor, type TimelineEntry, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { nextOwner, recallOwnedFacts } from '../../records/owned/facts.ts'
import { changeOf } from '../../records/owned/plan.ts'
import { updateRecord } from '../../records/owned/repository.ts'
import { joinTraces, leaveTrace, traceChanged } from '../../records/owned/trace.ts'
import type { WriteContext } from '../../records/owned/write.ts'
import { drawNumber } from '../numbering/number-sequences.drawing.ts'
import { readPrices, readProducts, recallMoneyFacts, requireParty } from './commercial.facts.ts'
import { requireUsable, type CommercialFacts } from './commercial.intake.ts'
import type { CommercialRow } from '../../kinds/commercial.ts'
import { today } from '../../records/moment.ts'

/** Reads the facts that decide how a document is created or changed. */
export async function readCommercialFacts(
  db: Executor,
  context: WriteContext,
  kind: Pick<RecordKind, 'entityType'>,
  sent: CommercialPatch | CommercialInput,
  current?: CommercialRow,
): Promise<CommercialFacts> {
  const owned = await recallOwnedFacts(db, context, kind, nextOwner(context, sent, current))
  const items = sent.items ?? []
  const named = {
    companyId: either(sent.companyId, current?.companyId),
    contactId: either(sent.contactId, current?.contactId),
    dealId: either(sent.dealId, current?.dealId),
  }
  return {
    ...owned,
    money: await recallMoneyFacts(db, context),
    products: await readProducts(
      db,
      context,
      items.flatMap(({ productId }) => productId ?? []),
    ),
    prices: await readPrices(
      db,
      context,
      items.flatMap(({ productId }) => productId ?? []),
      {
        companyId: named.companyId ?? null,
        currency: sent.currency ?? current?.currency ?? context.workspace.currency,
        at: pricedAt(context, either(sent.issueDate, current?.issueDate)),
      },
    ),
    party: await requireParty(db, context, named, current),
    currency: context.workspace.currency,
    today: today(context.at, context.workspace.timezone),
  }
}

/**
 * Returns the time at which a document is priced: noon of its date, because price lists begin and end around midnight;
 * without a date, or on the present date, the present time.
 */
function pricedAt(
  { at, workspace }: Pick<WriteContext, 'at' | 'workspace'>,
  issueDate: string | null | undefined,
): string {
  if (!issueDate || issueDate === today(at, workspace.timezone)) return at
  return Temporal.PlainDate.from(issueDate)
    .toZonedDateTime({ timeZone: workspace.timezone, plainTime: '12:00' })
    .toInstant()
    .toString()
}

function either<T>(sent: T | undefined, current: T | undefined): T | undefined {
  return sent === undefined ? current : sent
}

/** Changes the state of a locked document: writes the columns, its history and its events. */
export async function moveOn<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  current: Row,
  set: Partial<Row>,
  entries: readonly Pick<TimelineEntry, 'kind' | 'data' | 'relatedType' | 'relatedId'>[] = [],
): Promise<Row> {
  const { changes } = changeOf(current, set as Record<string, unknown>)
  const row =
    changes.length === 0
      ? current
      : await uniquelyNumbered(updateRecord(tx, kind, context.workspace.id, current.id, set, context.at))
  const timeline = entries.map((entry) => ({ ...entry, entityType: kind.entityType, entityId: row.id }))
  await leaveTrace(tx, context, kind, joinTraces([traceChanged(kind, row, changes), { timeline, events: [] }]))
  return row
}

/** Refuses a number that is in use: two sequences can produce the same text. */
async function uniquelyNumbered<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (sqlState(error) !== '23505' || !brokenConstraint(error)?.endsWith('_number')) throw error
    throw new ApiError('NUMBER_IN_USE', {
      message: 'The next number of the sequence is used already; raise its next value',
    })
  }
}

/** Returns the number and the date of a document that is issued now, unless it has them. */
export async function numberColumns(
  tx: Transaction,
  context: WriteContext,
  entityType: NumberedEntity,
  current: Pick<CommercialRow, 'number' | 'issueDate'>,
) {
  const issueDate = current.issueDate ?? today(context.at, context.workspace.timezone)
  return { issueDate, number: current.number ?? (await drawNumber(tx, context, entityType, issueDate)) }
}

/** Returns the columns that a new document copies from another one; refuses a currency in which no new document can be. */
export async function copied(
  tx: Transaction,
  context: WriteContext,
  row: CommercialRow,
  issueDate: string | null | undefined = null,
) {
  const day = today(context.at, context.workspace.timezone)
  requireUsable(row.currency, issueDate, { money: await recallMoneyFacts(tx, context), today: day })
  const {
    companyId,
    contactId,
    dealId,
    partyName,
    currency,
    items,
    discount,
    taxMode,
    subtotal,
    discountTotal,
    taxTotal,
    taxes,
    total,
    notes,
    terms,
    billingAddress,
    tags,
  } = row
  return {
    companyId,
    contactId,
    dealId,
    partyName,
    currency,
    items,
    discount,
    taxMode,
    subtotal,
    discountTotal,
    taxTotal,
    taxes,
    total,
    notes,
    terms,
    billingAddress,
    tags,
  }
}
