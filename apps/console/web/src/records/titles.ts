import type { ContactRecord, LeadRecord } from '@crm/contract'

type NamedLead = Pick<LeadRecord, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>

/** Returns the title of a lead: its person, otherwise its first known value. */
export function leadTitle(lead: NamedLead): string {
  return personName(lead) || lead.companyName || lead.email || lead.phone || 'Lead without a name'
}

/** Returns the second line below the title, which does not repeat it. */
export function leadSubtitle(lead: NamedLead): string {
  const title = leadTitle(lead)
  return [lead.companyName, lead.email, lead.phone].find((text) => text && text !== title) ?? ''
}

type NamedContact = Pick<ContactRecord, 'firstName' | 'lastName' | 'email' | 'phone'>

/** Returns the title of a contact: its name, otherwise its first known value. */
export function contactTitle(contact: NamedContact): string {
  return personName(contact) || contact.email || contact.phone || 'Contact without a name'
}

/** Returns the second line below the title, which does not repeat it. */
export function contactSubtitle(contact: NamedContact & Pick<ContactRecord, 'jobTitle'>): string {
  const title = contactTitle(contact)
  return [contact.jobTitle, contact.email, contact.phone].find((text) => text && text !== title) ?? ''
}

function personName({
  firstName,
  lastName,
}: {
  readonly firstName: string | null
  readonly lastName: string | null
}): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}
