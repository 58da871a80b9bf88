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

const fieldNames: Readonly<Record<string, string>> = {
  firstName: 'First name', lastName: 'Last name', companyName: 'Company', email: 'E-mail', phone: 'Phone', jobTitle: 'Job title',
  stageId: 'Stage', pipelineId: 'Pipeline', ownerId: 'Owner', sourceId: 'Source', lostReason: 'Reason for losing it', customFields: 'Custom fields',
  utmSource: 'UTM source', utmMedium: 'UTM medium', utmCampaign: 'UTM campaign', utmContent: 'UTM content', utmTerm: 'UTM term',
  gclid: 'Google click id', fbclid: 'Facebook click id', referrer: 'Referrer', landingPage: 'Landing page',
}

/** The name of a field as people read it: a known one, else made from its key. */
export function fieldName(field: string): string {
  const words = field.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[._-]+/g, ' ').toLowerCase()
  return fieldNames[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

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
