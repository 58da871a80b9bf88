import { kinds, type entitiesWith } from '@crm/model'

/** The currencies of a new workspace: ISO 4217 code and name. */
export const usualCurrencies: readonly (readonly [code: string, name: string])[] = [
  ['AED', 'UAE Dirham'],
  ['ARS', 'Argentine Peso'],
  ['AUD', 'Australian Dollar'],
  ['BHD', 'Bahraini Dinar'],
  ['BRL', 'Brazilian Real'],
  ['CAD', 'Canadian Dollar'],
  ['CHF', 'Swiss Franc'],
  ['CLP', 'Chilean Peso'],
  ['CNY', 'Chinese Yuan'],
  ['COP', 'Colombian Peso'],
  ['CZK', 'Czech Koruna'],
  ['DKK', 'Danish Krone'],
  ['EGP', 'Egyptian Pound'],
  ['EUR', 'Euro'],
  ['GBP', 'British Pound'],
  ['HKD', 'Hong Kong Dollar'],
  ['HUF', 'Hungarian Forint'],
  ['IDR', 'Indonesian Rupiah'],
  ['ILS', 'Israeli New Shekel'],
  ['INR', 'Indian Rupee'],
  ['ISK', 'Icelandic Króna'],
  ['JPY', 'Japanese Yen'],
  ['KRW', 'South Korean Won'],
  ['KWD', 'Kuwaiti Dinar'],
  ['KZT', 'Kazakhstani Tenge'],
  ['MXN', 'Mexican Peso'],
  ['MYR', 'Malaysian Ringgit'],
  ['NGN', 'Nigerian Naira'],
  ['NOK', 'Norwegian Krone'],
  ['NZD', 'New Zealand Dollar'],
  ['PHP', 'Philippine Peso'],
  ['PLN', 'Polish Zloty'],
  ['RON', 'Romanian Leu'],
  ['RSD', 'Serbian Dinar'],
  ['RUB', 'Russian Ruble'],
  ['SAR', 'Saudi Riyal'],
  ['SEK', 'Swedish Krona'],
  ['SGD', 'Singapore Dollar'],
  ['THB', 'Thai Baht'],
  ['TRY', 'Turkish Lira'],
  ['TWD', 'New Taiwan Dollar'],
  ['UAH', 'Ukrainian Hryvnia'],
  ['USD', 'US Dollar'],
  ['UYU', 'Uruguayan Peso'],
  ['VND', 'Vietnamese Dong'],
  ['ZAR', 'South African Rand'],
]

/** The units of a new workspace: name and symbol. */
export const usualUnits: readonly (readonly [name: string, symbol: string | null])[] = [
  ['Piece', 'pc'],
  ['Hour', 'h'],
  ['Day', 'd'],
  ['Month', 'mo'],
  ['Kilogram', 'kg'],
  ['Metre', 'm'],
  ['Square metre', 'm²'],
  ['Litre', 'l'],
  ['Set', 'set'],
  ['Flat rate', null],
]

/** The tax rates of a new workspace: name and per cent. */
export const usualTaxRates: readonly (readonly [name: string, rate: string])[] = [
  ['No tax', '0'],
  ['Standard', '20'],
  ['Reduced', '10'],
]

/** Returns the number sequence of a kind of document in a new workspace; it begins anew every year. */
export function usualSequence(entityType: NumberedEntity) {
  const { plural, numbered } = kinds[entityType]
  const name = plural.charAt(0).toUpperCase() + plural.slice(1)
  return { entityType, name, pattern: `${numbered}-{YYYY}-{SEQ:5}`, resetPeriod: 'YEAR', isDefault: true } as const
}

type NumberedEntity = ReturnType<typeof entitiesWith<'numbered'>>[number]
