/** The person whose data is collected or erased. */
export interface PrivacySubject {
  readonly type: 'EMPLOYEE' | 'CONTACT' | 'LEAD'
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

const phoneLengthMin = 6
const nameLengthMin = 3

/** Returns the address that confirms an erasure: the email address, or the name of somebody without one. */
export function confirmationOf({ emails, firstName, lastName }: PrivacySubject): string {
  return emails[0] ?? [firstName, lastName].filter(Boolean).join(' ')
}

/** Returns what names the person and nobody else: addresses, numbers and the full name, in either order. */
export function termsOf({ firstName, lastName, emails, phones }: PrivacySubject): string[] {
  const names =
    firstName && lastName ? [`${firstName} ${lastName}`, `${lastName} ${firstName}`, `${lastName}, ${firstName}`] : []
  return [...new Set([...emails, ...phones.filter((phone) => phone.length >= phoneLengthMin), ...names])]
}

/** Returns the single names that are long enough to be looked for, if nobody else has them. */
export function singleNames({ firstName, lastName }: PrivacySubject): string[] {
  return [firstName, lastName].filter((name): name is string => name !== null && name.length >= nameLengthMin)
}

/** The text in the place of what was erased. */
export const erasedText = '(erased)'

/** Returns the pattern of the terms as whole words. */
export function patternOf(terms: readonly string[]): RegExp {
  const words = terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Returns patterns of PostgreSQL's LIKE for texts in small letters that hold a term, as they are or in JSON. */
export function likeAny(terms: readonly string[]): string[] {
  const forms = terms.flatMap((term) => [term, JSON.stringify(term).slice(1, -1)])
  return [...new Set(forms)].map((form) => `%${form.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
}
