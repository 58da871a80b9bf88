import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** The languages whose alphabets differ from the common one; each has a collation and, where a workspace uses it, indexes of its own. */
const ownAlphabets: Readonly<Record<string, string>> = {
  cs: 'cs',
  da: 'da',
  es: 'es',
  fi: 'fi',
  hu: 'hu',
  nb: 'nb',
  nn: 'nb',
  no: 'nb',
  pl: 'pl',
  sk: 'sk',
  sv: 'sv',
  tr: 'tr',
}

/** The collation of all other languages. It knows no case; the migration that creates the collations says what each is. */
export const commonCollation = 'crm_names'

/** Returns the name of the collation in which names are sorted in a language, such as `de-AT`. */
export function nameCollation(locale: string): string {
  const alphabet = ownAlphabets[locale.split('-', 1)[0] ?? '']
  return alphabet === undefined ? commonCollation : `${commonCollation}_${alphabet}`
}

/** Returns a text for ORDER BY, in the order of names in a language. It is for nothing else: equality under these collations is blind to case. */
export function inNameOrder(text: SQLWrapper, locale: string): SQL {
  return sql`${text} COLLATE ${sql.identifier(nameCollation(locale))}`
}
