/** The letters and digits of the key of a custom field. */
export const customFieldKeyLetters = /^[a-z][a-zA-Z0-9]{0,39}$/

/** The ends of the parameters by which lists are narrowed to a range. */
export const customFieldKeyEnds = /(Min|Max|From|To)$/

/** Whether a custom field can have a key. */
export function isCustomFieldKey(key: string): boolean {
  return customFieldKeyLetters.test(key) && !customFieldKeyEnds.test(key)
}
