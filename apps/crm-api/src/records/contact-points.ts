import { parsePhoneNumberWithError } from 'libphonenumber-js'

/** Returns a phone number in E.164, or null when the text is no number; it must start with `+` and the country code. */
export function toE164(phone: string): string | null {
  if (!phone.startsWith('+')) return null
  try {
    const parsed = parsePhoneNumberWithError(phone)
    return parsed.isPossible() ? parsed.number : null
  } catch {
    return null
  }
}

/** Returns an email address in the form in which it is compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
