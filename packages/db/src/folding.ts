import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** Returns a text in the one form in which names and words are compared: without case, accents, apostrophes and forms of a letter. */
export function folded(text: SQLWrapper): SQL {
  return sql`crm_fold(${text})`
}

/** Returns the condition that a text is a wanted one once both are folded. The subquery folds the wanted text once, whatever the plan. */
export function isFolded(text: SQLWrapper, wanted: SQLWrapper | string): SQL {
  return sql`${folded(text)} = (SELECT crm_fold(${wanted}))`
}

/** Returns the condition that a text is one of several once all are folded. */
export function isFoldedAny(text: SQLWrapper, wanted: readonly string[]): SQL {
  return sql`${folded(text)} = ANY(ARRAY(SELECT crm_fold(one) FROM unnest(${sql.param([...wanted])}::text[]) AS one))`
}

/** Returns the condition that a text contains a wanted one, or begins with it, once both are folded. */
export function holdsFolded(text: SQLWrapper, wanted: string, place: 'anywhere' | 'start' = 'anywhere'): SQL {
  const pattern = `${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  // A text of which nothing is left, such as a single apostrophe, is in no other.
  return sql`${folded(text)} LIKE (SELECT ${place === 'anywhere' ? sql`'%' || ` : sql``}nullif(crm_fold(${pattern}), '%'))`
}

/**
 * Returns an address in the form in which addresses, domains and codes are compared: the case of ASCII letters does not count. They are not
 * folded like names: two addresses that differ in an apostrophe or an accent belong to two people.
 */
export function addressKey(address: SQLWrapper): SQL {
  return sql`lower(${address} COLLATE "C")`
}

/** Returns the condition that an address is a wanted one, whatever the case. */
export function isAddress(address: SQLWrapper, wanted: string): SQL {
  return sql`${addressKey(address)} = ${addressKey(sql`${wanted}::text`)}`
}

/** Texts of a list as they are compared, such as tags. */
export function foldedAll(list: SQLWrapper): SQL {
  return sql`crm_fold_all(${list})`
}
