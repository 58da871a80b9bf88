import type { Decimal } from 'decimal.js'
import { Money, toAmount, toUnitPrice } from './money.ts'
import { spansOf, type Span, type Tier } from './tiers.ts'

/** The price of a product in a list: an amount, or a percentage off the base price; all decimal strings. */
export interface PriceEntry {
  readonly id: string
  readonly mode: 'FIXED' | 'PERCENT_OFF'
  readonly price: string | null
  readonly percent: string | null
  readonly tierMode: 'VOLUME' | 'GRADUATED'
  readonly tiers: readonly Tier[]
}

/** A price list that has the product. */
export interface PriceCandidate {
  readonly id: string
  /** ISO 4217. */
  readonly currency: string
  readonly isDefault: boolean
  readonly isActive: boolean
  readonly priority: number
  /** ISO 8601 in UTC; null: no start or no end. The end is not included. */
  readonly startsAt: string | null
  readonly endsAt: string | null
  /** The companies of the list; an empty array means everybody. */
  readonly companyIds: readonly string[]
  readonly entry: PriceEntry
}

/** The question, and all data for its answer. */
export interface PriceQuestion {
  /** A decimal string above zero. */
  readonly quantity: string
  /** ISO 4217. */
  readonly currency: string
  readonly companyId: string | null
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The price of the product without any list. */
  readonly base: { readonly price: string | null; readonly currency: string }
  readonly candidates: readonly PriceCandidate[]
}

/** The source of a price; without a tier it is the entry's own price. */
interface PriceSource {
  readonly priceListId: string
  readonly entryId: string
  readonly tierId: string | null
}

/** A price with its total: both null when the product has no price in this currency; without a source it is the base price. */
export interface ResolvedPrice {
  readonly unitPrice: string | null
  /** Quantity × unit price, rounded half up to the digits of the currency. */
  readonly total: string | null
  readonly source: PriceSource | null
}

/**
 * Resolves the price of a product: the list of the company, then the active list with the largest priority, then the default
 * list, then the base price (docs/guide/finance.md). A list without a price in the currency is skipped.
 */
export function resolvePrice(question: PriceQuestion): ResolvedPrice {
  const usable = question.candidates.filter((candidate) => isUsable(candidate, question)).toSorted(byPrecedence)
  for (const { id: priceListId, entry } of usable) {
    const priced = priceByEntry(entry, question)
    if (priced)
      return { ...shown(priced.total, question), source: { priceListId, entryId: entry.id, tierId: priced.tierId } }
  }
  const { price, currency } = question.base
  if (price === null || currency !== question.currency) return { unitPrice: null, total: null, source: null }
  return { ...shown(new Money(price).times(question.quantity), question), source: null }
}

function isUsable(
  { isActive, currency, startsAt, endsAt, companyIds }: PriceCandidate,
  question: PriceQuestion,
): boolean {
  const at = Date.parse(question.at)
  const isInForce = (!startsAt || Date.parse(startsAt) <= at) && (!endsAt || at < Date.parse(endsAt))
  const isForCaller =
    companyIds.length === 0 || (question.companyId !== null && companyIds.includes(question.companyId))
  return isActive && currency === question.currency && isInForce && isForCaller
}

/**
 * Compares lists: the company's lists first, the default list last, between them the largest priority; the older id decides between
 * equals.
 */
function byPrecedence(one: PriceCandidate, other: PriceCandidate): number {
  return rank(one) - rank(other) || other.priority - one.priority || (one.id < other.id ? -1 : 1)
}

function rank({ companyIds, isDefault }: PriceCandidate): number {
  if (companyIds.length > 0) return 0
  return isDefault ? 2 : 1
}

interface Priced {
  readonly total: Decimal
  readonly tierId: string | null
}

/** Returns the price of a quantity by an entry; null for a percentage off a price that the product does not have in this currency. */
function priceByEntry(entry: PriceEntry, { quantity, currency, base }: PriceQuestion): Priced | null {
  if (entry.mode === 'PERCENT_OFF' && (base.price === null || base.currency !== currency)) return null
  const amount = new Money(quantity)
  const reached = reachedSpans(entry.tiers, amount)
  const last = reached.at(-1)
  const tier = last && (last.upTo === null || amount.lte(last.upTo)) ? last.tier : null
  const tierId = tier?.id ?? null
  if (entry.tierMode === 'VOLUME') return { total: amount.times(unitPriceOf(entry, tier ?? entry, base.price)), tierId }
  let rest = amount
  let total = new Money(0)
  for (const { tier: part, after, upTo } of reached) {
    const inSpan = (upTo === null || amount.lt(upTo) ? amount : upTo).minus(after)
    rest = rest.minus(inSpan)
    total = total.plus(inSpan.times(unitPriceOf(entry, part, base.price)))
  }
  return { total: rest.isZero() ? total : total.plus(rest.times(unitPriceOf(entry, entry, base.price))), tierId }
}

/**
 * Returns the tiers that begin below a quantity; a quantity below the first tier has none, and parts outside tiers cost the entry's own
 * price.
 */
function reachedSpans(tiers: readonly Tier[], amount: Decimal): readonly Span[] {
  const spans = spansOf(tiers)
  const first = spans[0]
  return first && amount.gte(first.tier.minQuantity) ? spans.filter(({ after }) => amount.gt(after)) : []
}

function unitPriceOf(
  { mode }: PriceEntry,
  { price, percent }: Pick<Tier, 'price' | 'percent'>,
  base: string | null,
): Decimal {
  return mode === 'FIXED'
    ? new Money(price ?? 0)
    : new Money(base ?? 0).times(new Money(100).minus(percent ?? 0)).div(100)
}

function shown(exact: Decimal, { quantity, currency }: PriceQuestion) {
  return { unitPrice: toUnitPrice(exact.div(quantity), currency), total: toAmount(exact, currency) }
}
