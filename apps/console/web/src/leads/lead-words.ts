import type { LeadRecord, leadStatuses, temperatures } from '@crm/contract'

type Status = (typeof leadStatuses)[number]
type Temperature = (typeof temperatures)[number]

/** Statuses as people read them. */
export const statusNames: Readonly<Record<Status, string>> = {
  NEW: 'New',
  IN_PROGRESS: 'In progress',
  QUALIFIED: 'Qualified',
  CONVERTED: 'Converted',
  UNQUALIFIED: 'Unqualified',
}

export const temperatureNames: Readonly<Record<Temperature, string>> = { HOT: 'Hot', WARM: 'Warm', COLD: 'Cold' }

type Named = Pick<LeadRecord, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>

/** What a lead is called: its person, else the first thing that is known of it. */
export function leadTitle(lead: Named): string {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || lead.companyName || lead.email || lead.phone || 'Lead without a name'
}

/** The second line beneath the title, which does not repeat it. */
export function leadSubtitle(lead: Named): string {
  const title = leadTitle(lead)
  return [lead.companyName, lead.email, lead.phone].find((text) => text && text !== title) ?? ''
}
