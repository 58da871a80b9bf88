import type { ContactInput, ContactPatch } from '@crm/contract'
import { invalidField } from '@crm/errors'
import {
  changeOf,
  normalizedPhone,
  normalizedPhones,
  planOwned,
  planOwnedChange,
  uniqueEmails,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import type { ContactRow, ContactValues } from '../../../kinds/contacts.ts'

const identifying = ['firstName', 'lastName', 'email', 'phone'] as const

/** Returns the row of a new contact, or refuses it. */
export function planContact(input: ContactInput, facts: OwnedFacts): ContactValues {
  const values = { ...input, ...planOwned(input, facts), ...contactPoints(input) }
  refuseNameless(values)
  return values
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
export function planContactChange(current: ContactRow, patch: ContactPatch, facts: OwnedFacts): Change {
  const set = { ...planOwnedChange(current, patch, facts), ...contactPoints(patch) }
  refuseNameless({ ...current, ...set })
  return changeOf(current, set)
}

/** Returns numbers and addresses in their stored form; fields that were not sent are left out. */
function contactPoints({ phone, phones, emails }: ContactPatch): Pick<ContactValues, 'phone' | 'phones' | 'emails'> {
  return {
    ...(phone === undefined ? {} : { phone: normalizedPhone(phone) }),
    ...(phones === undefined ? {} : { phones: normalizedPhones(phones) }),
    ...(emails === undefined ? {} : { emails: uniqueEmails(emails) }),
  }
}

function refuseNameless(values: Pick<ContactValues, (typeof identifying)[number]>): void {
  if (!identifying.some((field) => values[field]))
    throw invalidField([], 'A contact needs at least one of firstName, lastName, email or phone')
}
