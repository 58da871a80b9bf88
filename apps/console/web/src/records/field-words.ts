import {
  activityStatuses,
  activityTypes,
  dealStatuses,
  directions,
  fieldLabel,
  invoiceStatuses,
  leadStatuses,
  orderStatuses,
  projectStatuses,
  quoteStatuses,
  taskStatuses,
  temperatures,
} from '@crm/contract'
import { t } from '../base/texts.ts'
import { codeInWords, labelInWords } from './kind-words.ts'

const fieldNames: Readonly<Record<string, string>> = {
  firstName: t('common.firstName'),
  lastName: t('common.lastName'),
  companyName: t('common.company'),
  phone: t('common.phone'),
  jobTitle: t('records.jobTitle'),
  stageId: t('records.stage'),
  pipelineId: t('records.pipeline'),
  ownerId: t('common.owner'),
  sourceId: t('records.source'),
  lostReason: t('records.reasonForLosingIt'),
  customFields: t('records.customFields'),
  utmSource: t('records.utmSource'),
  utmMedium: t('records.utmMedium'),
  utmCampaign: t('records.utmCampaign'),
  utmContent: t('records.utmContent'),
  utmTerm: t('records.utmTerm'),
  gclid: t('records.googleClickId'),
  fbclid: t('records.facebookClickId'),
  referrer: t('records.referrer'),
  landingPage: t('records.landingPage'),
  contactId: t('common.contact'),
  companyId: t('common.company'),
  leadId: t('records.lead'),
  dealId: t('records.deal'),
  memberIds: t('records.members'),
  startAt: t('common.start'),
  endAt: t('common.end'),
  sku: 'SKU',
}

/** Returns the name of a field for people: a known one, or one made from its key. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? labelInWords(fieldLabel(field))
}

/** Formats a code such as `IN_PROGRESS` for people. */
export function inWords(code: string): string {
  const known = codeInWords(code)
  if (known !== undefined) return known
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
