const ofRecords: Readonly<Record<string, readonly string[]>> = {
  COMPANY: [
    'name',
    'domain',
    'website',
    'email',
    'phone',
    'taxId',
    'billingAddress.line1',
    'billingAddress.postalCode',
    'billingAddress.city',
    'billingAddress.country',
  ],
  CONTACT: [
    'firstName',
    'lastName',
    'jobTitle',
    'email',
    'phone',
    'birthday',
    'address.line1',
    'address.postalCode',
    'address.city',
    'address.country',
  ],
  LEAD: [
    'firstName',
    'lastName',
    'companyName',
    'jobTitle',
    'email',
    'phone',
    'address.line1',
    'address.postalCode',
    'address.city',
    'address.country',
  ],
  DEAL: ['name', 'amount', 'currency', 'expectedCloseDate', 'status', 'description'],
  QUOTE: ['number', 'partyName', 'issueDate', 'currency', 'subtotal', 'taxTotal', 'total', 'notes', 'terms'],
  ORDER: ['number', 'partyName', 'issueDate', 'dueDate', 'currency', 'subtotal', 'taxTotal', 'total', 'notes', 'terms'],
  INVOICE: [
    'number',
    'partyName',
    'issueDate',
    'dueDate',
    'currency',
    'subtotal',
    'taxTotal',
    'total',
    'amountPaid',
    'notes',
    'terms',
  ],
  PROJECT: ['number', 'name', 'status', 'startDate', 'endDate', 'budget', 'currency'],
  TASK: ['number', 'title', 'status', 'priority', 'dueAt', 'description'],
  PRODUCT: ['name', 'sku', 'basePrice', 'currency', 'description'],
}

/** The kinds of record whose variables are offered. */
export const variableKinds = Object.keys(ofRecords)

const usual = [
  'today',
  'author.name',
  'author.email',
  'organization.name',
  'organization.taxId',
  'organization.email',
  'organization.phone',
  'organization.website',
  'organization.bankDetails',
  'workspace.name',
]

/** Returns the variables for a template of a kind of record. */
export function templateVariables(entityType: string): readonly string[] {
  return [...(ofRecords[entityType] ?? []).map((field) => `record.${field}`), ...usual]
}
