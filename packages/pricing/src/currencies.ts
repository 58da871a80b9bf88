/** The day on which this table was last compared with ISO 4217, lists one and three. */
export const currenciesAsOf = '2026-11-27'

interface Dates {
  /** The first day, where the code is newer than 2016. */
  readonly from?: string
  /** The last day. */
  readonly until?: string
}

/**
 * The currencies of ISO 4217 as data of ours: code, digits after the point, name and dates. A runtime knows codes that have ended, and lacks new
 * ones. Funds that amounts can be in are here; metals, units of account without digits and codes for tests are not.
 */
const rows: readonly (readonly [code: string, digits: number, name: string, dates?: Dates])[] = [
  ['AED', 2, 'United Arab Emirates Dirham'],
  ['AFN', 2, 'Afghan Afghani'],
  ['ALL', 2, 'Albanian Lek'],
  ['AMD', 2, 'Armenian Dram'],
  ['ANG', 2, 'Netherlands Antillean Guilder', { until: '2025-06-30' }],
  ['AOA', 2, 'Angolan Kwanza'],
  ['ARS', 2, 'Argentine Peso'],
  ['AUD', 2, 'Australian Dollar'],
  ['AWG', 2, 'Aruban Florin'],
  ['AZN', 2, 'Azerbaijani Manat'],
  ['BAM', 2, 'Bosnia-Herzegovina Convertible Mark'],
  ['BBD', 2, 'Barbadian Dollar'],
  ['BDT', 2, 'Bangladeshi Taka'],
  ['BGN', 2, 'Bulgarian Lev', { until: '2025-12-31' }],
  ['BHD', 3, 'Bahraini Dinar'],
  ['BIF', 0, 'Burundian Franc'],
  ['BMD', 2, 'Bermudan Dollar'],
  ['BND', 2, 'Brunei Dollar'],
  ['BOB', 2, 'Bolivian Boliviano'],
  ['BOV', 2, 'Bolivian Mvdol'],
  ['BRL', 2, 'Brazilian Real'],
  ['BSD', 2, 'Bahamian Dollar'],
  ['BTN', 2, 'Bhutanese Ngultrum'],
  ['BWP', 2, 'Botswanan Pula'],
  ['BYN', 2, 'Belarusian Ruble', { from: '2016-07-01' }],
  ['BYR', 0, 'Belarusian Ruble (2000–2016)', { until: '2016-12-31' }],
  ['BZD', 2, 'Belize Dollar'],
  ['CAD', 2, 'Canadian Dollar'],
  ['CDF', 2, 'Congolese Franc'],
  ['CHE', 2, 'WIR Euro'],
  ['CHF', 2, 'Swiss Franc'],
  ['CHW', 2, 'WIR Franc'],
  ['CLF', 4, 'Chilean Unit of Account (UF)'],
  ['CLP', 0, 'Chilean Peso'],
  ['CNY', 2, 'Chinese Yuan'],
  ['COP', 2, 'Colombian Peso'],
  ['COU', 2, 'Colombian Real Value Unit'],
  ['CRC', 2, 'Costa Rican Colón'],
  ['CUC', 2, 'Cuban Convertible Peso', { until: '2025-03-31' }],
  ['CUP', 2, 'Cuban Peso'],
  ['CVE', 2, 'Cape Verdean Escudo'],
  ['CZK', 2, 'Czech Koruna'],
  ['DJF', 0, 'Djiboutian Franc'],
  ['DKK', 2, 'Danish Krone'],
  ['DOP', 2, 'Dominican Peso'],
  ['DZD', 2, 'Algerian Dinar'],
  ['EEK', 2, 'Estonian Kroon', { until: '2010-12-31' }],
  ['EGP', 2, 'Egyptian Pound'],
  ['ERN', 2, 'Eritrean Nakfa'],
  ['ETB', 2, 'Ethiopian Birr'],
  ['EUR', 2, 'Euro'],
  ['FJD', 2, 'Fijian Dollar'],
  ['FKP', 2, 'Falkland Islands Pound'],
  ['GBP', 2, 'British Pound'],
  ['GEL', 2, 'Georgian Lari'],
  ['GHS', 2, 'Ghanaian Cedi'],
  ['GIP', 2, 'Gibraltar Pound'],
  ['GMD', 2, 'Gambian Dalasi'],
  ['GNF', 0, 'Guinean Franc'],
  ['GTQ', 2, 'Guatemalan Quetzal'],
  ['GYD', 2, 'Guyanaese Dollar'],
  ['HKD', 2, 'Hong Kong Dollar'],
  ['HNL', 2, 'Honduran Lempira'],
  ['HRK', 2, 'Croatian Kuna', { until: '2022-12-31' }],
  ['HTG', 2, 'Haitian Gourde'],
  ['HUF', 2, 'Hungarian Forint'],
  ['IDR', 2, 'Indonesian Rupiah'],
  ['ILS', 2, 'Israeli New Shekel'],
  ['INR', 2, 'Indian Rupee'],
  ['IQD', 3, 'Iraqi Dinar'],
  ['IRR', 2, 'Iranian Rial'],
  ['ISK', 0, 'Icelandic Króna'],
  ['JMD', 2, 'Jamaican Dollar'],
  ['JOD', 3, 'Jordanian Dinar'],
  ['JPY', 0, 'Japanese Yen'],
  ['KES', 2, 'Kenyan Shilling'],
  ['KGS', 2, 'Kyrgyz Som'],
  ['KHR', 2, 'Cambodian Riel'],
  ['KMF', 0, 'Comorian Franc'],
  ['KPW', 2, 'North Korean Won'],
  ['KRW', 0, 'South Korean Won'],
  ['KWD', 3, 'Kuwaiti Dinar'],
  ['KYD', 2, 'Cayman Islands Dollar'],
  ['KZT', 2, 'Kazakhstani Tenge'],
  ['LAK', 2, 'Laotian Kip'],
  ['LBP', 2, 'Lebanese Pound'],
  ['LKR', 2, 'Sri Lankan Rupee'],
  ['LRD', 2, 'Liberian Dollar'],
  ['LSL', 2, 'Lesotho Loti'],
  ['LTL', 2, 'Lithuanian Litas', { until: '2014-12-31' }],
  ['LVL', 2, 'Latvian Lats', { until: '2013-12-31' }],
  ['LYD', 3, 'Libyan Dinar'],
  ['MAD', 2, 'Moroccan Dirham'],
  ['MDL', 2, 'Moldovan Leu'],
  ['MGA', 2, 'Malagasy Ariary'],
  ['MKD', 2, 'Macedonian Denar'],
  ['MMK', 2, 'Myanmar Kyat'],
  ['MNT', 2, 'Mongolian Tugrik'],
  ['MOP', 2, 'Macanese Pataca'],
  ['MRO', 2, 'Mauritanian Ouguiya (1973–2017)', { until: '2017-12-31' }],
  ['MRU', 2, 'Mauritanian Ouguiya', { from: '2018-01-01' }],
  ['MUR', 2, 'Mauritian Rupee'],
  ['MVR', 2, 'Maldivian Rufiyaa'],
  ['MWK', 2, 'Malawian Kwacha'],
  ['MXN', 2, 'Mexican Peso'],
  ['MXV', 2, 'Mexican Investment Unit'],
  ['MYR', 2, 'Malaysian Ringgit'],
  ['MZN', 2, 'Mozambican Metical'],
  ['NAD', 2, 'Namibian Dollar'],
  ['NGN', 2, 'Nigerian Naira'],
  ['NIO', 2, 'Nicaraguan Córdoba'],
  ['NOK', 2, 'Norwegian Krone'],
  ['NPR', 2, 'Nepalese Rupee'],
  ['NZD', 2, 'New Zealand Dollar'],
  ['OMR', 3, 'Omani Rial'],
  ['PAB', 2, 'Panamanian Balboa'],
  ['PEN', 2, 'Peruvian Sol'],
  ['PGK', 2, 'Papua New Guinean Kina'],
  ['PHP', 2, 'Philippine Peso'],
  ['PKR', 2, 'Pakistani Rupee'],
  ['PLN', 2, 'Polish Zloty'],
  ['PYG', 0, 'Paraguayan Guarani'],
  ['QAR', 2, 'Qatari Riyal'],
  ['RON', 2, 'Romanian Leu'],
  ['RSD', 2, 'Serbian Dinar'],
  ['RUB', 2, 'Russian Ruble'],
  ['RWF', 0, 'Rwandan Franc'],
  ['SAR', 2, 'Saudi Riyal'],
  ['SBD', 2, 'Solomon Islands Dollar'],
  ['SCR', 2, 'Seychellois Rupee'],
  ['SDG', 2, 'Sudanese Pound'],
  ['SEK', 2, 'Swedish Krona'],
  ['SGD', 2, 'Singapore Dollar'],
  ['SHP', 2, 'St. Helena Pound'],
  ['SLE', 2, 'Sierra Leonean Leone', { from: '2022-04-01' }],
  ['SLL', 2, 'Sierra Leonean Leone (1964—2022)', { until: '2023-12-31' }],
  ['SOS', 2, 'Somali Shilling'],
  ['SRD', 2, 'Surinamese Dollar'],
  ['SSP', 2, 'South Sudanese Pound'],
  ['STD', 2, 'São Tomé & Príncipe Dobra (1977–2017)', { until: '2017-12-31' }],
  ['STN', 2, 'São Tomé & Príncipe Dobra', { from: '2018-01-01' }],
  ['SVC', 2, 'Salvadoran Colón'],
  ['SYP', 2, 'Syrian Pound'],
  ['SZL', 2, 'Swazi Lilangeni'],
  ['THB', 2, 'Thai Baht'],
  ['TJS', 2, 'Tajikistani Somoni'],
  ['TMT', 2, 'Turkmenistani Manat'],
  ['TND', 3, 'Tunisian Dinar'],
  ['TOP', 2, 'Tongan Paʻanga'],
  ['TRY', 2, 'Turkish Lira'],
  ['TTD', 2, 'Trinidad & Tobago Dollar'],
  ['TWD', 2, 'New Taiwan Dollar'],
  ['TZS', 2, 'Tanzanian Shilling'],
  ['UAH', 2, 'Ukrainian Hryvnia'],
  ['UGX', 0, 'Ugandan Shilling'],
  ['USD', 2, 'US Dollar'],
  ['USN', 2, 'US Dollar (Next day)'],
  ['UYI', 0, 'Uruguayan Peso (Indexed Units)'],
  ['UYU', 2, 'Uruguayan Peso'],
  ['UYW', 4, 'Uruguayan Nominal Wage Index Unit', { from: '2018-08-29' }],
  ['UZS', 2, 'Uzbekistani Som'],
  ['VED', 2, 'Bolívar Soberano (digital)', { from: '2021-10-01' }],
  ['VEF', 2, 'Bolívar', { until: '2018-08-19' }],
  ['VES', 2, 'Bolívar Soberano', { from: '2018-08-20' }],
  ['VND', 0, 'Vietnamese Dong'],
  ['VUV', 0, 'Vanuatu Vatu'],
  ['WST', 2, 'Samoan Tala'],
  ['XAD', 2, 'Arab Accounting Dinar', { from: '2025-05-12' }],
  ['XAF', 0, 'Central African CFA Franc'],
  ['XCD', 2, 'East Caribbean Dollar'],
  ['XCG', 2, 'Caribbean guilder', { from: '2025-03-31' }],
  ['XOF', 0, 'West African CFA Franc'],
  ['XPF', 0, 'CFP Franc'],
  ['YER', 2, 'Yemeni Rial'],
  ['ZAR', 2, 'South African Rand'],
  ['ZMK', 2, 'Zambian Kwacha (1968–2012)', { until: '2012-12-31' }],
  ['ZMW', 2, 'Zambian Kwacha'],
  ['ZWG', 2, 'Zimbabwean Gold', { from: '2024-06-25' }],
  ['ZWL', 2, 'Zimbabwean Dollar (2009–2024)', { until: '2024-08-31' }],
]

/** A currency of ISO 4217. */
export interface Currency extends Dates {
  readonly code: string
  /** The number of digits after the point. */
  readonly digits: number
  /** In English. */
  readonly name: string
}

const byCode: ReadonlyMap<string, Currency> = new Map(
  rows.map(([code, digits, name, dates]) => [code, { code, digits, name, ...dates }]),
)

/** Returns a currency by its code, also one that has ended; undefined for an unknown code. */
export function currencyOf(code: string): Currency | undefined {
  return byCode.get(code)
}

/** Returns the currencies that exist on a day, `YYYY-MM-DD`, in the order of their codes. */
export function currenciesOn(day: string): readonly Currency[] {
  return [...byCode.values()].filter((currency) => exists(currency, day))
}

/** Returns the reason for which a code names no currency on a day, `YYYY-MM-DD`; undefined when it names one. */
export function currencyProblem(code: string, day: string): string | undefined {
  const currency = byCode.get(code)
  if (!currency) return `There is no currency ${code}`
  if (exists(currency, day)) return undefined
  const { from, until } = currency
  return until !== undefined && day > until ? `${code} ended on ${until}` : `${code} exists from ${from} on`
}

function exists({ from, until }: Dates, day: string): boolean {
  return (from === undefined || day >= from) && (until === undefined || day <= until)
}
