import { own } from './own.ts'

/** The labels of fields that do not follow from their keys. */
const known: Readonly<Record<string, string>> = {
  basePrice: 'Price',
  companyIds: 'Companies',
  companyName: 'Company',
  convertedId: 'Converted to',
  emails: 'Other emails',
  estimateMin: 'Estimate in minutes',
  externalId: 'Key in the other program',
  externalSource: 'Imported from',
  fbclid: 'Facebook click ID',
  gclid: 'Google click ID',
  issueDate: 'Issue date',
  isActive: 'Active',
  isDefault: 'Default of its currency',
  links: 'For',
  memberIds: 'Members',
  parentId: 'Part of',
  parentTaskId: 'Part of',
  phones: 'Other phones',
  sku: 'SKU',
  socials: 'Social profiles',
  taxId: 'Tax ID',
  utmCampaign: 'UTM campaign',
  utmContent: 'UTM content',
  utmMedium: 'UTM medium',
  utmSource: 'UTM source',
  utmTerm: 'UTM term',
  createdById: 'Created by',
}

/** Returns the label of a field from its key: `expectedCloseDate` is “Expected close”. */
export function fieldLabel(key: string): string {
  const words = key.replace(/(Ids?|At|Date)$/, '').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  return own(known, key) ?? codeLabel(words)
}

/** Returns the label of a code such as `IN_PROGRESS`. */
export function codeLabel(code: string): string {
  if (code === 'TODO') return 'To do'
  const words = code.replaceAll(/[._-]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
