import { language } from './texts.ts'

/** Returns the choices of a currency, with the present one even where the browser does not know it. */
export function currencyChoices(present: string) {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  const values = new Set([present, ...Intl.supportedValuesOf('currency')])
  return [...values].map((value) => ({ value, label: `${value} · ${names.of(value) ?? ''}` }))
}
