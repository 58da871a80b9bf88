import type { Decimal } from 'decimal.js'
import { Money } from './money.ts'

/** The price of an entry from one quantity to another, both included; all decimal strings. */
export interface Tier {
  readonly id: string
  readonly minQuantity: string
  /** null: unlimited. */
  readonly maxQuantity: string | null
  readonly price: string | null
  readonly percent: string | null
}

/** The part of all quantities to which a tier applies: more than `after`, at most `upTo`. */
export interface Span {
  readonly tier: Tier
  readonly after: Decimal
  readonly upTo: Decimal | null
}

/**
 * Returns the spans of tiers, from the smallest. Units are counted: a tier from 11 to 20 prices the 11th to the 20th, and
 * a part of the 11th counts as the 11th, so that 1–10 and 11–20 leave no gap for 10.5. Whole units without a tier are gaps.
 */
export function spansOf(tiers: readonly Tier[]): readonly Span[] {
  let reached = new Money(0)
  return tiers
    .map((tier) => ({ tier, begin: new Money(tier.minQuantity) }))
    .sort((one, other) => one.begin.cmp(other.begin))
    .map(({ tier, begin }) => {
      const after = begin.minus(reached).lte(1) ? reached : begin.minus(1)
      const upTo = tier.maxQuantity === null ? null : new Money(tier.maxQuantity)
      reached = upTo ?? reached
      return { tier, after, upTo }
    })
}
