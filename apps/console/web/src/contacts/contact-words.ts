import type { ContactRecord } from '@crm/contract'

type Named = Pick<ContactRecord, 'firstName' | 'lastName' | 'email' | 'phone'>

/** What a contact is called: its name, else the first thing that is known of it. */
export function contactTitle({ firstName, lastName, email, phone }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email || phone || 'Contact without a name'
}

/** The second line beneath the title, which does not repeat it. */
export function contactSubtitle(contact: Named & Pick<ContactRecord, 'jobTitle'>): string {
  const title = contactTitle(contact)
  return [contact.jobTitle, contact.email, contact.phone].find((text) => text && text !== title) ?? ''
}
