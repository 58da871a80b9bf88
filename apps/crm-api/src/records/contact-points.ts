import { inPlainSigns } from '@crm/model'
import { readPhone } from '@crm/tables/phones'

/** Returns a phone number in E.164, or null when the text is no number; it must start with `+` and the country code. */
export function toE164(phone: string): string | null {
  if (!inPlainSigns(phone).startsWith('+')) return null
  const reading = readPhone(phone, { form: 'national' })
  return 'value' in reading ? reading.value.number : null
}

/** Returns an address in the form in which addresses are compared, as `addressKey` of the database: the case of ASCII letters does not count. */
export function emailKey(email: string): string {
  return email.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
