export { currencyDigits, Money, toAmount, toExactAmount, toExactNumber, toUnitPrice, unitPriceDigits } from './money.ts'
export { currenciesAsOf, currenciesOn, currencyOf, currencyProblem, type Currency } from './currencies.ts'
export { itemAmount, sumOfItems } from './deal-items.ts'
export type { DealItemPrice } from './deal-items.ts'
export { resolvePrice } from './resolve-price.ts'
export type { PriceCandidate, PriceEntry, PriceQuestion, PriceSource, ResolvedPrice } from './resolve-price.ts'
export { spansOf } from './tiers.ts'
export type { Span, Tier } from './tiers.ts'
export { documentTotals, exceeds, lineAmount, lineGross, undiscounted } from './document-totals.ts'
export type {
  Discount,
  DocumentTotals,
  LineTotals,
  PricedDocument,
  PricedLine,
  TaxRate,
  TaxTotals,
} from './document-totals.ts'
