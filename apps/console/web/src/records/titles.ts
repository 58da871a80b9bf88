import type { ContactRecord, LeadRecord } from '@crm/contract'
import { t } from '../base/texts.ts'

type NamedLead = Pick<LeadRecord, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>

/** Returns the title of a lead: its person, otherwise its first known value. */
export function leadTitle(lead: NamedLead): string {
  return personName(lead) || lead.companyName || lead.email || lead.phone || t('Lead without a name')
}

type NamedContact = Pick<ContactRecord, 'firstName' | 'lastName' | 'email' | 'phone'>

/** Returns the title of a contact: its name, otherwise its first known value. */
export function contactTitle(contact: NamedContact): string {
  return personName(contact) || contact.email || contact.phone || t('Contact without a name')
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
