import { language } from '../base/texts.ts'
/** Formats an amount in its currency for people; null without an amount. */
export function describeMoney(amount: string | null, currency: string | null): string | null {
  if (amount === null) return null
  const value = amount as `${number}`
  if (currency === null) return new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(value)
  return new Intl.NumberFormat(language, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    value,
  )
}
