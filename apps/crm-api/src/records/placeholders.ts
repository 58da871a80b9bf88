import { folded } from '@crm/db'
import { emptyWords } from '@crm/model'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** What people type where a form wants a name and there is none, folded: more than what stands for no value in other cells. */
// oxfmt-ignore
const placeholders = [
  ...emptyWords,
  '---', '.', '..', '...', '…', '??', '???', '/', '_', '*', 'x', 'xx', 'xxx',
  'n.a', 'no name', 'no company', 'unknown', 'tbd', 'private',
  'k. a.', 'keine', 'keine angabe', 'unbekannt', 'privat',
  'nd', 'n.d.', 'aucun', 'aucune', 'inconnu', 'inconnue', 'prive',
  'ninguno', 'ninguna', 'desconocido', 'desconocida', 'sin empresa', 'privado',
  'нет', 'неизвестно',
]

const isOne = new RegExp(`^(?:${placeholders.map((word) => RegExp.escape(word)).join('|')})$`, 'iu')

/** Whether a text stands in the place of a name that nobody knew. */
export function isPlaceholder(text: string): boolean {
  return isOne.test(text.trim())
}

/** Returns a name folded, for comparisons with other names; NULL for a placeholder, which equals no name. */
export function nameKey(name: SQLWrapper): SQL {
  return sql`CASE WHEN ${folded(name)} = ANY(${sql.param(placeholders)}::text[]) THEN NULL ELSE nullif(${folded(name)}, '') END`
}

/** Returns the name of a company as `nameKey` does, without punctuation: “Acme, GmbH” is “Acme GmbH”. */
export function companyNameKey(name: SQLWrapper): SQL {
  // The classes of letters are those of Unicode, whatever language the database has.
  return sql`nullif(btrim(regexp_replace((${nameKey(name)}) COLLATE "pg_unicode_fast", '[^[:alnum:]]+', ' ', 'g')), '')`
}
