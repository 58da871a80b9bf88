import { parsePhoneNumberWithError } from 'libphonenumber-js'

/** A phone number in E.164, or null when it is none; it must start with `+` and the country code. */
export function toE164(phone: string): string | null {
  if (!phone.startsWith('+')) return null
  try {
    const parsed = parsePhoneNumberWithError(phone)
    return parsed.isPossible() ? parsed.number : null
  } catch {
    return null
  }
}

/** An e-mail address as it is compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
