import type { PersonEntity } from '@crm/model'
import type { PersonWords } from './privacy.words.ts'

/** The person whose data is collected or erased. */
export interface PrivacySubject {
  readonly type: 'EMPLOYEE' | PersonEntity
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

const phoneDigitsMin = 6

/** Returns the address that confirms an erasure: the email address, or the name of somebody without one. */
export function confirmationOf({ emails, firstName, lastName }: PrivacySubject): string {
  return emails[0] ?? [firstName, lastName].filter(Boolean).join(' ')
}

/** Returns what may name the person: addresses, numbers and the full name. A single name is rather a word of its own, so it never does. */
export function wordsOf({ firstName, lastName, emails, phones }: PrivacySubject): PersonWords {
  const hasWord = (text: string | null): text is string => text !== null && /[\p{L}\p{N}]/u.test(text)
  return {
    names: hasWord(firstName) && hasWord(lastName) ? [[firstName, lastName]] : [],
    emails: [...new Set(emails)],
    phones: [...new Set(phones)].filter((phone) => phone.replaceAll(/\D/g, '').length >= phoneDigitsMin),
  }
}
