/** The codes of ISO 3166-1, without a separator. */
const codes =
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW'

/** The codes of all countries (ISO 3166-1). */
export const countryCodes: readonly string[] = codes.match(/../g) ?? []

/** The languages of the product, in which people choose a country. */
const languages = ['en', 'de', 'fr', 'es', 'ru'] as const

/** What people write besides the names that the runtime knows. */
const furtherNames: Readonly<Record<string, string>> = {
  usa: 'US',
  'united states of america': 'US',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  'russian federation': 'RU',
  'republic of korea': 'KR',
  uae: 'AE',
}

/** Bounded: the names of the countries that there are. */
let known: ReadonlyMap<string, string> | undefined

/** Returns the code of a country by its code or its name, in a language of the product or in its own; undefined for what is none. */
export function countryCodeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (countryCodes.includes(code)) return code
  known ??= namesOfAll()
  return known.get(keyOf(text))
}

function namesOfAll(): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(furtherNames))
  const add = (code: string, format: Intl.DisplayNames): void => {
    const key = keyOf(format.of(code) ?? '')
    if (!names.has(key)) names.set(key, code)
  }
  for (const style of ['long', 'short'] as const) {
    for (const language of languages) {
      const format = new Intl.DisplayNames(language, { type: 'region', style })
      for (const code of countryCodes) add(code, format)
    }
  }
  for (const code of countryCodes) {
    const { language } = new Intl.Locale(`und-${code}`).maximize()
    add(code, new Intl.DisplayNames(language, { type: 'region' }))
  }
  return names
}

/** Returns the name of a country in a language. */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
}

/** Returns a name as names are compared: small letters without accents, and single blanks in place of other signs. */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
