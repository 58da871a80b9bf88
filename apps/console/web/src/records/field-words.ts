import {
  activityStatuses,
  activityTypes,
  dealStatuses,
  directions,
  invoiceStatuses,
  leadStatuses,
  orderStatuses,
  projectStatuses,
  quoteStatuses,
  taskStatuses,
  temperatures,
} from '@crm/contract'

const fieldNames: Readonly<Record<string, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  companyName: 'Company',
  email: 'E-mail',
  phone: 'Phone',
  jobTitle: 'Job title',
  stageId: 'Stage',
  pipelineId: 'Pipeline',
  ownerId: 'Owner',
  sourceId: 'Source',
  lostReason: 'Reason for losing it',
  customFields: 'Custom fields',
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  utmContent: 'UTM content',
  utmTerm: 'UTM term',
  gclid: 'Google click id',
  fbclid: 'Facebook click id',
  referrer: 'Referrer',
  landingPage: 'Landing page',
  contactId: 'Contact',
  companyId: 'Company',
  leadId: 'Lead',
  dealId: 'Deal',
  memberIds: 'Members',
  startAt: 'Start',
  endAt: 'End',
  sku: 'SKU',
}

/** Returns the name of a field for people: a known one, or one made from its key. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? inWords(field.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
}

/** Formats a code such as `IN_PROGRESS` for people. */
export function inWords(code: string): string {
  if (code === 'TODO') return 'To do'
  const words = code.replaceAll(/[._-]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The names of codes, for all record kinds. */
export const codeNames: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...leadStatuses,
    ...temperatures,
    ...dealStatuses,
    ...taskStatuses,
    ...projectStatuses,
    ...quoteStatuses,
    ...orderStatuses,
    ...invoiceStatuses,
    ...activityTypes,
    ...activityStatuses,
    ...directions,
  ].map((code) => [code, inWords(code)]),
)
