import { ApiError } from '@crm/errors'

const known = new Set(Intl.supportedValuesOf('currency'))

/** Refuses a currency that ISO 4217 does not know. */
export function requireCurrency(code: string | null | undefined): void {
  if (code && !known.has(code)) throw new ApiError('INVALID_CURRENCY', { message: `There is no currency ${code}` })
}

/** How many digits after the point amounts in a currency have. */
export function currencyDigits(code: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2
}
